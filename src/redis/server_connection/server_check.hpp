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

/// The layout of keys that this release writes, and the newest that it reads.
constexpr int known_layout = 1;

/// Holds the number of the newest layout that anybody writes in its database. Without it, that is layout 1.
constexpr std::string_view layout_key = "coworker:layout";

/// @param told  what the key of the layout holds; empty: there is none
verdict judge_layout(std::string_view told);

} // namespace coworker::detail
