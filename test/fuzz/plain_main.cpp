// SPDX-License-Identifier: MIT

// For compilers without libFuzzer: coworker-fuzz TARGET FOLDER|FILE... feeds a target with what files contain.
#include "fuzz/fuzz.hpp"

#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>

namespace {

std::size_t feed_file(const coworker::fuzz::target& to, const std::filesystem::path& path)
{
    std::ifstream file{path, std::ios::binary};
    const std::string bytes{std::istreambuf_iterator<char>{file}, {}};
    to.feed(bytes);
    return 1;
}

} // namespace

int main(int count, char** arguments)
{
    const auto* const chosen = count > 1 ? coworker::fuzz::find_target(arguments[1]) : nullptr;
    if (!chosen) {
        std::cerr << "usage: coworker-fuzz TARGET FOLDER|FILE...; the targets are\n";
        for (const auto& each : coworker::fuzz::targets())
            std::cerr << "  " << each.name << '\n';
        return 2;
    }
    std::size_t fed = 0;
    for (int i = 2; i < count; ++i) {
        if (!std::filesystem::is_directory(arguments[i]))
            fed += feed_file(*chosen, arguments[i]);
        else
            for (const auto& entry : std::filesystem::recursive_directory_iterator{arguments[i]})
                fed += entry.is_regular_file() ? feed_file(*chosen, entry.path()) : 0;
    }
    std::cout << "coworker-fuzz: " << chosen->name << ": " << fed << " files\n";
    return fed == 0 ? 1 : 0;
}
