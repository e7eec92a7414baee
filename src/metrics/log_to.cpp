// SPDX-License-Identifier: MIT
#include "coworker/metrics.hpp"

#include "text/numbers.hpp"
#include "text/plain_text.hpp"
#include "text/repeated_text.hpp"
#include "text/times.hpp"

#include <chrono>
#include <iostream>
#include <memory>
#include <string>

namespace coworker {

using namespace detail;

namespace {

log_detail detail_of(event_kind kind) noexcept
{
    switch (kind) {
    case event_kind::fetched:
    case event_kind::started:
    case event_kind::leases_renewed:
        return log_detail::all;
    case event_kind::connected:
    case event_kind::succeeded:
    case event_kind::forwarded:
    case event_kind::released:
    case event_kind::stopping:
    case event_kind::stopped:
        return log_detail::jobs;
    default:
        return log_detail::problems;
    }
}

/// Appends ` name=value`; quoted where the value would not read as one word.
void add_member(std::string& line, std::string_view name, std::string_view value)
{
    if (value.empty())
        return;
    std::string quoted;
    for (const char c : value) {
        if (c == '"' || c == '\\')
            quoted += '\\';
        quoted += c;
    }
    // No text, which may be anybody's, steers the terminal or ends the line.
    quoted = escaped(quoted);
    line += ' ';
    line += name;
    line += '=';
    if (quoted == value && value.find_first_of(" =") == value.npos)
        line += value;
    else
        line += '"' + quoted + '"';
}

std::string to_milliseconds(std::chrono::nanoseconds duration)
{
    return detail::format_thousandths(std::chrono::round<std::chrono::microseconds>(duration).count());
}

} // namespace

std::string log_line(const event& what)
{
    std::string line{to_string(what.kind)};
    add_member(line, "queue", what.queue);
    add_member(line, "job", what.job_id);
    if (what.attempt != 0)
        add_member(line, "attempt", std::to_string(what.attempt));
    if (what.count != 0)
        add_member(line, "count", std::to_string(what.count));
    if (what.duration.count() != 0)
        add_member(line, "ms", to_milliseconds(what.duration));
    if (what.delay.count() != 0)
        add_member(line, "retry_in_ms", std::to_string(what.delay.count()));
    add_member(line, "message", what.message);
    return line;
}

observer log_to(std::ostream& stream, log_detail detail)
{
    return [&stream, detail, outages = std::make_shared<repeated_text>()](const event& what) {
        if (detail_of(what.kind) > detail)
            return;
        if (what.kind == event_kind::disconnected &&
            !outages->is_news(what.message, repeated_text::clock::now()))
            return;
        const auto now = std::chrono::floor<timestamp::duration>(std::chrono::system_clock::now());
        stream << format_rfc3339(now, 3) + ' ' + log_line(what) + '\n' << std::flush;
    };
}

option_list<observer> default_observers()
{
    return log_to(std::clog);
}

} // namespace coworker
