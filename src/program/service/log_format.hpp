// SPDX-License-Identifier: MIT
#pragma once

#include <coworker/event.hpp>

#include "program/options.hpp"
#include "program/queue_name.hpp"
#include "program/service/log_writer.hpp"

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

/// The log of a command that goes on for long, on standard error.
///
///     log_settings settings;
///     add_log_options(command, settings);            // --log-format and --log-level
///     ...
///     const service_log log{settings};
///     options.on_event = log.observe();              // of a client
///     worker_options.observers = {log.observe()};    // of a worker: its client's events come there too
///     log.say(log_level::info, "stopping");          // the program's own words
namespace coworker::detail {
class json_object;
}

namespace coworker::program {

enum class log_format
{
    human,
    json
};

enum class log_level
{
    error,   ///< what Redis refuses to store or to hand out
    warning, ///< failed jobs, lost leases, recoveries, a connection lost
    info,    ///< jobs that will run again, connections, start and end
    debug,   ///< every job that ended
    trace    ///< every job that was started, and every batch
};

struct log_settings
{
    log_format format = log_format::human;
    log_level level = log_level::info; ///< and what is more important
};

void add_log_options(command_options command, log_settings& settings);

/// How much an event matters.
log_level level_of(event_kind kind) noexcept;
std::string_view to_string(log_level level) noexcept;

/// An event on one line, without the end of the line. Nothing in it steers a terminal.
std::string human_log_line(const event& what, std::chrono::system_clock::time_point when, bool with_colours);
std::string json_log_line(const event& what, std::chrono::system_clock::time_point when);

/// Never waits for whoever reads standard error, and waits for a moment at the end, when this object and all its
/// observers are gone; see `log_writer`.
///
/// @par Thread safety  Safe.
class service_log
{
public:
    explicit service_log(log_settings settings);

    /// @param queues  those that events may be of: they are named as the command line does. If there is a queue of
    ///   either kind with a name, an event does not tell which is meant, and the name is logged as it is.
    observer observe(const std::vector<queue_ref>& queues = {}) const;

    /// Something that is no event of the library.
    void say(log_level level, std::string_view message) const;

    /// The same, with members of its own in JSON; people read `message`.
    void tell(log_level level, std::string_view event,
              const std::function<void(detail::json_object&)>& add_members, std::string_view message) const;

private:
    log_settings settings_;
    bool colours_;
    std::shared_ptr<log_writer> writer_;
};

} // namespace coworker::program
