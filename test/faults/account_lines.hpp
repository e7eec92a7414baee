// SPDX-License-Identifier: MIT
#pragma once

#include "record_lines.hpp"
#include "support/nanoseconds.hpp"

#include <coworker/event.hpp>

#include <chrono>
#include <string>

#include <unistd.h>

/// What processes that are made to be killed write down for the account of a storm. `storm_account` reads it.
namespace coworker::test {

/// Where a worker leaves them that has this record of its runs.
inline std::string account_beside(const std::string& record)
{
    return record + ".account";
}

/// Since 1970: all processes are on one machine, and have one clock.
inline nanoseconds real_time()
{
    using namespace std::chrono;
    return duration_cast<std::chrono::nanoseconds>(system_clock::now().time_since_epoch()).count();
}

/// Redis has accepted a job. It may not begin before that time.
inline void write_pushed(int file, const std::string& queue, const std::string& id, nanoseconds not_before)
{
    write_down(file, "pushed " + queue + ' ' + id + ' ' + std::to_string(not_before));
}

/// A handler that began then ends with a success, which is not acknowledged yet.
inline void write_ended(int file, const std::string& queue, const std::string& id, nanoseconds began,
                        bool has_effect)
{
    write_down(file, "ended " + queue + ' ' + id + ' ' + std::to_string(began) +
                         (has_effect ? " 1 " : " 0 ") + std::to_string(::getpid()));
}

/// An observer heard of this; of a queue that is divided its name stands for its parts.
inline void write_heard(int file, const std::string& queue, const event& what)
{
    const std::string id{what.job_id.empty() ? "-" : what.job_id};
    write_down(file,
               std::string{to_string(what.kind)} + ' ' + queue + ' ' + id + ' ' + std::to_string(what.count));
}

} // namespace coworker::test
