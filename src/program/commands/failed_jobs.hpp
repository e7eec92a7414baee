#pragma once

#include "program/connection.hpp"
#include "program/queue_name.hpp"

#include <string>
#include <vector>

namespace coworker::program {

/// What is to be done with failed and broken jobs.
enum class failed_action
{
    retry,
    remove
};

/// Which of them.
struct failed_choice
{
    bool failed = true, broken = true; ///< managed queues have no broken ones
    std::string group;                 ///< of a managed queue, with all; empty: of any group
};

struct acted_on
{
    std::uint64_t done = 0;
    std::vector<std::string> unknown; ///< ids of which there is no such job
    std::vector<std::string> refused; ///< what Redis said to others, for people
};

/// Retries or deletes jobs, named as the listings name them.
asio::awaitable<acted_on> act_on_jobs(client& redis, const server_settings& server, queue_name queue,
                                      failed_action action, failed_choice choice,
                                      std::vector<std::string> ids);

/// The same with all that there are when it begins.
asio::awaitable<acted_on> act_on_all(client& redis, const server_settings& server, queue_name queue,
                                     failed_action action, failed_choice choice);

} // namespace coworker::program
