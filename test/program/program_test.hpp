// SPDX-License-Identifier: MIT
#pragma once

#include "finished_program.hpp"
#include "support/qless_client.hpp"
#include "support/redis_server.hpp"

#include <string>
#include <vector>

namespace coworker::test {

/// A server, and `coworker` on it.
struct program_test : qless_client
{
    redis_server server;

    program_test() : qless_client{server} {}

    finished_program coworker(std::vector<std::string> arguments, program_surroundings surroundings = {})
    {
        surroundings.environment.push_back("COWORKER_REDIS=" + server.url());
        return run_coworker(arguments, surroundings);
    }

    /// The same with jobs on standard input.
    finished_program push(std::vector<std::string> arguments, const std::string& input)
    {
        program_surroundings surroundings;
        surroundings.input = input;
        arguments.insert(arguments.begin(), {"push", "--quiet"});
        return coworker(arguments, surroundings);
    }

    /// Payloads of a list queue, next to run first.
    std::vector<std::string> waiting(const std::string& queue)
    {
        const auto texts = server("LRANGE", "hworker-jobs-" + queue, 0, -1).texts();
        return {texts.rbegin(), texts.rend()};
    }
};

} // namespace coworker::test
