// SPDX-License-Identifier: MIT
#pragma once

#include "program/commands/queue_list.hpp"

#include <optional>
#include <string>
#include <vector>

namespace coworker::program {

/// Which failed and broken jobs are acted on, or which in another state.
struct failed_choice
{
    bool failed = true, broken = true; ///< managed queues have no broken ones
    std::optional<job_state> state;    ///< those in this state instead; of a managed queue, by their ids: any
    std::string group;                 ///< of a managed queue, with all; empty: of any group
};

struct acted_on
{
    std::uint64_t done = 0;
    std::uint64_t refused = 0; ///< jobs that others wait for, that other libraries run, or in other states
    std::vector<std::string> unknown;    ///< ids of which there is no such job
    std::vector<std::string> complaints; ///< about those that were refused, for people
};

/// Why a job that others wait for is not removed.
std::string depended_on();

/// Does something to jobs that are named as the listings name them.
asio::awaitable<acted_on> act_on_jobs(const inspector& all, queue_ref queue, job_action action,
                                      const failed_choice& choice, const std::vector<std::string>& ids);

/// The same with all that there are when it begins.
asio::awaitable<acted_on> act_on_all(const inspector& all, queue_ref queue, job_action action,
                                     const failed_choice& choice);

} // namespace coworker::program
