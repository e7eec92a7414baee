// SPDX-License-Identifier: MIT
#pragma once

#include "exec/command.hpp"
#include "program/listen_place.hpp"
#include "program/queue_name.hpp"
#include "program/service/log_format.hpp"

#include <coworker/worker.hpp>

#include <optional>
#include <string>
#include <vector>

namespace coworker::program {

/// `coworker work`, as it was typed.
struct work_arguments
{
    std::vector<std::string> queues{};
    std::string order = "strict";
    unsigned concurrency = 0; ///< 0: not given
    std::string lease = "2m";
    std::string worker_grace = "1500ms";
    std::string timeout{};
    std::string grace = "5s";
    std::string shutdown_timeout{};
    unsigned retries = 24;
    unsigned max_crashes = 3;
    std::string backoff = "1s..10m";
    std::vector<int> final_statuses{}; ///< empty: not given
    std::vector<std::string> kinds{};  ///< with versions, perhaps; empty: all
    std::string sandboxes{};
    std::string metrics{}; ///< empty: not given
    bool lines = false, checkpoints = false;
    std::size_t jobs_per_child = 0;
    log_settings log{};
    bool verbose = false;
};

/// A kind of jobs that are taken.
struct worked_kind
{
    std::string name;
    std::vector<unsigned> versions{}; ///< empty: 1
};

struct worked_queue
{
    queue_ref name;
    unsigned weight = 1;
};

/// The same, understood.
struct work_settings
{
    std::vector<worked_queue> queues{};
    std::vector<worked_kind> kinds{}; ///< empty: all
    worker_options worker{};
    handle_options how{}; ///< for every queue, but for the weight
    exec::command what{};
    std::vector<int> final_statuses{}; ///< exit statuses that mean: do not run it again
    std::optional<listen_place> metrics{};
    log_settings log{};
    bool lines = false;             ///< a process stays, and gets a line for each job
    bool checkpoints = false;       ///< with the checkpoint of an earlier attempt
    std::size_t jobs_per_child = 0; ///< how many it gets; 0: any number
};

/// @param words  the command
/// @throws failure  `exit_code::usage`; also if there is no such command
work_settings make_work_settings(const work_arguments& given, const std::vector<std::string>& words);

} // namespace coworker::program
