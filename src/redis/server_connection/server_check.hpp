// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"

#include <string>
#include <string_view>

/// Whether a server is fit to hold jobs.
namespace coworker::detail {

/// What is read off the reply to INFO.
struct server_facts
{
    std::string version; ///< as Redis tells it; for Valkey the Redis version it is compatible with
    std::string eviction_policy;
    bool is_read_only = false;
    bool is_valkey = false;
    std::string run_id{}; ///< of this run of the server, which no other one has
};

server_facts parse_info(std::string_view info);

/// What is wrong with the server, or no error.
struct verdict
{
    error_code error;
    std::string detail; ///< the facts behind the error, for its message
};

verdict judge(const server_facts& facts, bool accept_eviction);

} // namespace coworker::detail
