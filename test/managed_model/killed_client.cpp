// SPDX-License-Identifier: MIT

// Sends the commands of a file, a JSON list a line, until it is killed: killed_client SOCKET NAME FILE
#include "support/raw_redis.hpp"

#include <boost/json/parse.hpp>

#include <fstream>
#include <iostream>

int main(int count, char** words)
{
    if (count != 4)
        return 2;
    try {
        coworker::test::raw_redis redis{words[1]};
        redis("CLIENT", "SETNAME", words[2]);
        std::ifstream file{words[3]};
        std::vector<std::vector<std::string>> commands;
        for (std::string line; std::getline(file, line);) {
            auto& command = commands.emplace_back();
            const auto words_of_line = boost::json::parse(line);
            for (const auto& word : words_of_line.as_array())
                command.emplace_back(word.as_string());
            if (commands.size() == 7) {
                redis.pipeline(commands);
                commands.clear();
            }
        }
        redis.pipeline(commands);
    } catch (const std::exception& error) {
        std::cerr << error.what() << '\n';
        return 1;
    }
    return 0;
}
