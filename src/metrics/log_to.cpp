#include "coworker/metrics.hpp"

#include "text/times.hpp"

#include <algorithm>
#include <chrono>
#include <ostream>
#include <string>

namespace coworker {
namespace {

log_detail detail_of(event_kind kind) noexcept
{
    switch (kind) {
    case event_kind::taken:
    case event_kind::started:
    case event_kind::leases_renewed:
        return log_detail::all;
    case event_kind::succeeded:
    case event_kind::advanced:
    case event_kind::retried:
    case event_kind::given_back:
        return log_detail::jobs;
    default:
        return log_detail::problems;
    }
}

bool is_control(char c) noexcept
{
    return static_cast<unsigned char>(c) < 0x20 || c == 0x7f;
}

/// One event is one line, and no text, which may be anybody's, steers the terminal.
void add_escaped(std::string& line, char c)
{
    if (c == '\n' || c == '\r') {
        line += c == '\n' ? "\\n" : "\\r";
    } else if (is_control(c)) {
        constexpr char digits[] = "0123456789abcdef";
        line += "\\x";
        line += digits[c / 16];
        line += digits[c % 16];
    } else {
        if (c == '"' || c == '\\')
            line += '\\';
        line += c;
    }
}

/// Appends ` name=value`; quoted where the value would not read as one word.
void add(std::string& line, std::string_view name, std::string_view value)
{
    if (value.empty())
        return;
    line += ' ';
    line += name;
    line += '=';
    if (value.find_first_of(" \"=\\") == value.npos && std::none_of(value.begin(), value.end(), is_control)) {
        line += value;
        return;
    }
    line += '"';
    for (const char c : value)
        add_escaped(line, c);
    line += '"';
}

} // namespace

observer log_to(std::ostream& stream, log_detail detail)
{
    return [&stream, detail](const event& what) {
        if (detail_of(what.kind) > detail)
            return;
        const auto now = std::chrono::system_clock::now();
        auto line = format_rfc3339(std::chrono::floor<timestamp::duration>(now), 3);
        line += ' ';
        line += to_string(what.kind);
        add(line, "queue", what.queue);
        add(line, "job", what.job_id);
        if (what.attempt != 0)
            add(line, "attempt", std::to_string(what.attempt));
        if (what.count != 0)
            add(line, "count", std::to_string(what.count));
        if (what.duration.count() != 0)
            add(line, "ms", std::to_string(static_cast<double>(what.duration.count()) / 1e6));
        if (what.delay.count() != 0)
            add(line, "retry_in_ms", std::to_string(what.delay.count()));
        add(line, "message", what.message);
        line += '\n';
        stream << line << std::flush;
    };
}

} // namespace coworker
