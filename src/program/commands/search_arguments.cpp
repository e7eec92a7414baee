// SPDX-License-Identifier: MIT
#include "program/commands/search_arguments.hpp"

#include "program/exit_code.hpp"
#include "program/terminal/text_functions.hpp"
#include "text/times.hpp"

namespace coworker::program {
namespace {

std::optional<timestamp> read_moment(const char* option, const std::string& text, timestamp now)
{
    if (text.empty())
        return std::nullopt;
    if (const auto time = detail::parse_rfc3339(text))
        return time;
    const auto ago = detail::parse_duration(text);
    if (!ago)
        refuse(std::string{option} +
               " is a time such as 2026-11-22T06:30:00Z, or how long ago, such as 2h, not '" + escaped(text) +
               "'");
    return now - *ago;
}

} // namespace

bool search_arguments::is_any() const noexcept
{
    return !(text.empty() && tag.empty() && kind.empty() && batch.empty() && worker.empty() &&
             since.empty() && until.empty());
}

job_filter search_arguments::read(job_state state, timestamp now) const
{
    job_filter which;
    which.state = state;
    which.contains = text;
    which.tag = tag;
    which.kind = kind;
    which.batch = batch;
    which.worker = worker;
    which.since = read_moment("--since", since, now);
    which.until = read_moment("--until", until, now);
    return which;
}

void add_search_options(command_options command, search_arguments& given)
{
    command.add_option("--text", given.text, "Only jobs with this text; managed: in id, kind or data")
        .value_name("TEXT");
    command
        .add_option(
            "--since", given.since,
            "Only those that failed, are due, or were fetched or pushed from this time on; 2h: two hours ago")
        .value_name("TIME");
    command.add_option("--until", given.until, "Only those before this time").value_name("TIME");
    command.add_option("--kind", given.kind, "Managed: only jobs of this kind").value_name("NAME");
    command.add_option("--tag", given.tag, "Managed: only jobs with this tag").value_name("TAG");
    command.add_option("--batch", given.batch, "Managed: only jobs of this batch").value_name("ID");
}

} // namespace coworker::program
