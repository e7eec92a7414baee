// SPDX-License-Identifier: MIT
#include "support/kept_scripts.hpp"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string_view>

namespace coworker::test {
namespace {

std::map<std::string, std::string> read_scripts(const std::filesystem::path& folder)
{
    std::map<std::string, std::string> result;
    for (const auto& entry : std::filesystem::recursive_directory_iterator{folder}) {
        if (entry.path().extension() != ".lua")
            continue;
        std::ifstream file{entry.path(), std::ios::binary};
        const auto name = entry.path().lexically_relative(folder).replace_extension().string();
        result[name].assign(std::istreambuf_iterator{file}, {});
    }
    if (result.empty())
        throw std::runtime_error{"no scripts in " + folder.string()};
    return result;
}

} // namespace

const std::map<std::string, std::string>& kept_scripts()
{
    static const auto scripts = read_scripts(LAST_RELEASE);
    return scripts;
}

bool are_releases_mixed()
{
    static const char* const set = std::getenv("RELEASES");
    return set != nullptr && std::string_view{set} == "mixed";
}

} // namespace coworker::test
