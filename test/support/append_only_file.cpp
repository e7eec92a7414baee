// SPDX-License-Identifier: MIT
#include "support/append_only_file.hpp"

#include <algorithm>
#include <fstream>
#include <sstream>
#include <stdexcept>

namespace coworker::test {

std::string read_file(const std::filesystem::path& path)
{
    std::ostringstream text;
    text << std::ifstream{path, std::ios::binary}.rdbuf();
    return text.str();
}

std::vector<std::filesystem::path> append_only_files(const std::string& folder)
{
    std::vector<std::filesystem::path> files;
    for (const auto& each : std::filesystem::recursive_directory_iterator{folder})
        if (each.path().extension() == ".aof")
            files.push_back(each.path());
    std::sort(files.begin(), files.end());
    return files;
}

void write_half_a_transaction(const std::string& folder)
{
    const auto files = append_only_files(folder);
    if (files.empty())
        throw std::runtime_error{"no append-only file in " + folder};
    std::ofstream{files.back(), std::ios::binary | std::ios::app}
        << "*2\r\n$6\r\nSELECT\r\n$1\r\n0\r\n*1\r\n$5\r\nMULTI\r\n"
           "*3\r\n$5\r\nLPUSH\r\n$4\r\nhalf\r\n$1\r\n1\r\n*3\r\n$5\r\nLPU";
}

} // namespace coworker::test
