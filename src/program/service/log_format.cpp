// SPDX-License-Identifier: MIT
#include "program/service/log_format.hpp"

#include "coworker/metrics.hpp"
#include "program/terminal/json_line.hpp"
#include "program/terminal/output.hpp"
#include "program/terminal/text_functions.hpp"
#include "text/repeated_text.hpp"
#include "text/times.hpp"

#include <map>

#include <unistd.h>

namespace coworker::program {
namespace {

using std::chrono::system_clock;

constexpr log_level levels[] = {log_level::error, log_level::warning, log_level::info, log_level::debug,
                                log_level::trace};

/// With milliseconds always, so that lines are in columns.
std::string time_text(system_clock::time_point when)
{
    return detail::format_rfc3339(std::chrono::floor<timestamp::duration>(when), 3);
}

const char* colour_of(log_level level)
{
    return level == log_level::error     ? "\x1b[31m"
           : level == log_level::warning ? "\x1b[33m"
           : level == log_level::info    ? "\x1b[32m"
                                         : "\x1b[2m";
}

/// The level, the same width for all.
std::string level_column(log_level level, bool with_colours)
{
    constexpr std::size_t width = 7;
    std::string text{to_string(level)};
    text.resize(width, ' ');
    return with_colours ? colour_of(level) + text + "\x1b[0m" : text;
}

/// Something that is no event of the library, without the end of the line.
std::string line_of(const log_settings& settings, bool with_colours, log_level level,
                    std::string_view message)
{
    const auto now = time_text(system_clock::now());
    if (settings.format == log_format::human)
        return now + ' ' + level_column(level, with_colours) + ' ' + escaped(message);
    json_line line;
    line.text("time", now).text("level", to_string(level)).text("event", "program").text("message", message);
    return line.str();
}

/// What queues are called on the command line, by the names that the library has for them.
std::map<std::string, std::string, std::less<>> shown_names(const std::vector<queue_ref>& queues)
{
    std::map<std::string, std::string, std::less<>> names;
    for (const auto& queue : queues) {
        const auto [found, is_new] = names.try_emplace(queue.name(), shown_name(queue));
        if (!is_new && found->second != shown_name(queue))
            found->second = queue.name();
    }
    return names;
}

} // namespace

void add_log_options(command_options command, log_settings& settings)
{
    command
        .add_option(
            "--log-format",
            [&settings](const std::string& name) {
                settings.format = name == "json" ? log_format::json : log_format::human;
            },
            "How the log on standard error looks; json: an object a line")
        .one_of({"human", "json"})
        .value_name("FORMAT")
        .with_default("human");
    command
        .add_option(
            "--log-level",
            [&settings](const std::string& name) {
                for (const auto level : levels)
                    if (to_string(level) == name)
                        settings.level = level;
            },
            "What is logged: error; warning: also failed jobs, lost leases and connections; info: also "
            "jobs that will run again, connections made, start and end; debug: also every job that ended; "
            "trace: everything")
        .one_of({"error", "warning", "info", "debug", "trace"})
        .value_name("LEVEL")
        .with_default("info");
}

log_level level_of(event_kind kind) noexcept
{
    switch (kind) {
    case event_kind::ack_failed:
    case event_kind::fetch_failed:
        return log_level::error;
    case event_kind::disconnected:
    case event_kind::warning:
    case event_kind::failed:
    case event_kind::broken:
    case event_kind::lease_lost:
    case event_kind::in_doubt:
    case event_kind::recovered:
    case event_kind::unhandled:
    case event_kind::fallback_poll_found_work:
        return log_level::warning;
    case event_kind::connected:
    case event_kind::reconnected:
    case event_kind::retried:
    case event_kind::stopping:
    case event_kind::stopped:
        return log_level::info;
    case event_kind::succeeded:
    case event_kind::forwarded:
    case event_kind::released:
        return log_level::debug;
    case event_kind::fetched:
    case event_kind::started:
    case event_kind::leases_renewed:
        return log_level::trace;
    }
    return log_level::info;
}

std::string_view to_string(log_level level) noexcept
{
    switch (level) {
    case log_level::error:
        return "error";
    case log_level::warning:
        return "warning";
    case log_level::info:
        return "info";
    case log_level::debug:
        return "debug";
    case log_level::trace:
        return "trace";
    }
    return "info";
}

std::string human_log_line(const event& what, system_clock::time_point when, bool with_colours)
{
    return time_text(when) + ' ' + level_column(level_of(what.kind), with_colours) + ' ' + log_line(what);
}

std::string json_log_line(const event& what, system_clock::time_point when)
{
    json_line line;
    line.text("time", time_text(when)).text("level", to_string(level_of(what.kind)));
    line.text("event", to_string(what.kind));
    if (!what.queue.empty())
        line.text("queue", what.queue);
    if (!what.job_id.empty())
        line.text("job_id", what.job_id);
    if (what.attempt != 0)
        line.number("attempt", what.attempt);
    if (what.count != 0)
        line.number("count", what.count);
    if (what.duration.count() != 0)
        line.number("duration_seconds", static_cast<double>(what.duration.count()) / 1e9);
    if (what.delay.count() != 0)
        line.number("delay_seconds", static_cast<double>(what.delay.count()) / 1e3);
    if (!what.message.empty())
        line.text("message", what.message);
    return line.str();
}

service_log::service_log(log_settings settings)
    : settings_{settings}, colours_{may_have_colours(STDERR_FILENO)}
{
    const auto describe_loss = [settings, colours = colours_](std::uint64_t lines) {
        return line_of(settings, colours, log_level::warning,
                       counted(lines, "line") + " of the log " + (lines == 1 ? "was" : "were") +
                           " dropped, since nobody read them");
    };
    writer_ = std::make_shared<log_writer>(STDERR_FILENO, describe_loss);
}

observer service_log::observe(const std::vector<queue_ref>& queues) const
{
    return [settings = settings_, colours = colours_, writer = writer_, names = shown_names(queues),
            outages = std::make_shared<detail::repeated_text>()](event what) {
        if (level_of(what.kind) > settings.level)
            return;
        if (what.kind == event_kind::disconnected &&
            !outages->is_news(what.message, detail::repeated_text::clock::now()))
            return;
        if (const auto shown = names.find(what.queue); shown != names.end())
            what.queue = shown->second;
        const auto now = system_clock::now();
        writer->add(settings.format == log_format::json ? json_log_line(what, now)
                                                        : human_log_line(what, now, colours));
    };
}

void service_log::tell(log_level level, std::string_view event,
                       const std::function<void(detail::json_object&)>& add_members,
                       std::string_view message) const
{
    if (level > settings_.level)
        return;
    if (settings_.format == log_format::human) {
        writer_->add(line_of(settings_, colours_, level, message));
        return;
    }
    json_line line;
    line.text("time", time_text(system_clock::now())).text("level", to_string(level)).text("event", event);
    add_members(line);
    writer_->add(line.str());
}

void service_log::say(log_level level, std::string_view message) const
{
    if (level <= settings_.level)
        writer_->add(line_of(settings_, colours_, level, message));
}

} // namespace coworker::program
