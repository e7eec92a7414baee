// SPDX-License-Identifier: MIT
#pragma once

#include "support/redis_server.hpp"

#include <map>
#include <sstream>
#include <string>
#include <vector>

namespace coworker::test {

/// The fields of the lines of CLIENT LIST, without the line of the connection that asks.
inline std::vector<std::map<std::string, std::string>> client_list(redis_server& server)
{
    std::vector<std::map<std::string, std::string>> clients;
    std::istringstream lines{server("CLIENT", "LIST").text};
    for (std::string line; std::getline(lines, line);) {
        std::map<std::string, std::string> fields;
        std::istringstream words{line};
        for (std::string word; words >> word;)
            fields[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
        if (fields["cmd"] != "client|list")
            clients.push_back(std::move(fields));
    }
    return clients;
}

/// Cuts every connection but the one that asks. Returns how many there were.
inline std::int64_t cut_connections(redis_server& server)
{
    return server("CLIENT", "KILL", "SKIPME", "yes").integer;
}

} // namespace coworker::test
