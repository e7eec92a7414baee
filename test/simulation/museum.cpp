// SPDX-License-Identifier: MIT

// Seeds that have found a defect once, from a table.
#include "simulation/options.hpp"

#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

namespace coworker::test {

namespace {

/// The columns of a line, without the blanks around them.
std::vector<std::string> columns_of(const std::string& line)
{
    std::vector<std::string> columns;
    std::istringstream all{line};
    for (std::string column; std::getline(all, column, '|');) {
        const auto begin = column.find_first_not_of(' ');
        const auto end = column.find_last_not_of(' ');
        columns.push_back(begin == column.npos ? "" : column.substr(begin, end - begin + 1));
    }
    return columns;
}

} // namespace

int run_museum(const simulation_command& command)
{
    std::ifstream table{command.museum};
    int failed = 0, run = 0;
    for (std::string line; std::getline(table, line);) {
        if (line.empty() || line[0] == '#')
            continue;
        const auto columns = columns_of(line);
        std::vector<std::string> words;
        if (columns.size() == 3) {
            std::istringstream all{columns[0]};
            for (std::string word; all >> word;)
                words.push_back(word);
        }
        auto exhibit = words.empty() ? std::nullopt : read_command(words);
        if (!exhibit) {
            std::cerr << "simulation: not an exhibit: " << line << '\n';
            return not_understood;
        }
        exhibit->server = command.server;
        std::cout << columns[1] << ":\n";
        const int status = try_seed(*exhibit);
        if (status == not_possible_here)
            return status;
        failed += status != all_is_well ? 1 : 0;
        ++run;
    }
    std::cout << "simulation: museum, " << run << " seeds, " << failed << " failed\n";
    return run != 0 && failed == 0 ? all_is_well : something_is_wrong;
}

} // namespace coworker::test
