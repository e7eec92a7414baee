// SPDX-License-Identifier: MIT
#include "program/commands/job_command.hpp"

#include "program/terminal/json_line.hpp"
#include "program/terminal/text_functions.hpp"
#include "program/terminal/time_text.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <string_view>

namespace coworker::program {
namespace {

std::string signal_name(int number)
{
    const auto* name = ::sigabbrev_np(number);
    std::string text = "SIG";
    text += name != nullptr ? name : std::to_string(number).c_str();
    return text;
}

/// What is recorded of a job has to be fit for whoever looks at it.
std::string message_of(const exec::command_end& end, std::string_view otherwise)
{
    return end.last_line.empty() ? std::string{otherwise} : escaped(end.last_line);
}

/// What commands are told of a job, as far as the system takes it: a text that is longer than 128 KiB keeps any command
/// from being started, and so does much more than that in all.
class variables
{
public:
    /// Leaves out what is longer than 64 KiB, or would make all of them longer than 128 KiB.
    void add(std::string_view name, std::string_view value)
    {
        constexpr std::size_t longest = 64 * 1024, most = 2 * longest;
        if (value.size() > longest || size_ + value.size() > most)
            return;
        size_ += value.size();
        std::string text = "COWORKER_";
        text += name;
        text += '=';
        text += value;
        texts_.push_back(std::move(text));
    }

    std::vector<std::string> take() && { return std::move(texts_); }

private:
    std::vector<std::string> texts_;
    std::size_t size_ = 0;
};

std::string as_text(double number)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", number);
    return text;
}

/// What every job of a managed queue has, and then what it may have, which is left out first.
void add_managed(variables& to, const managed_details& job)
{
    to.add("PRIORITY", as_text(job.priority));
    to.add("RETRIES_LEFT", std::to_string(job.remaining));
    to.add("KIND", job.kind);
    if (!job.batch.empty())
        to.add("BATCH", job.batch);
    to.add("TAGS", boost::json::serialize(boost::json::value_from(job.tags)));
    if (!job.parents.empty())
        to.add("PARENTS", boost::json::serialize(boost::json::value_from(job.parents)));
    if (!job.metadata.empty()) {
        boost::json::object metadata;
        for (const auto& [name, value] : job.metadata)
            metadata.emplace(name, value);
        to.add("METADATA", boost::json::serialize(metadata));
    }
}

/// Of what is given to the command: no later attempt would find less of it.
bool is_too_large(const exec::command_end& end)
{
    return end.number == E2BIG || end.number == EMSGSIZE;
}

outcome of_exit(const exec::command_end& end, const std::vector<int>& final_statuses)
{
    if (end.number == 0)
        return success();
    const auto status = std::to_string(end.number);
    const auto message = message_of(end, "exit status " + status);
    const auto& finals = final_statuses;
    if (std::find(finals.begin(), finals.end(), end.number) != finals.end())
        return coworker::failure(message, ":exit-" + status);
    return retry(message, std::nullopt, ":exit-" + status);
}

} // namespace

std::vector<std::string> job_variables(const job_context& context, const std::string& queue)
{
    variables all;
    all.add("QUEUE", queue);
    all.add("ATTEMPT", std::to_string(context.attempt()));
    if (const auto queued = context.queued_at())
        all.add("QUEUED_AT", format_time(*queued));
    all.add("JOB_ID", context.id());
    if (const auto* managed = context.details<managed_details>())
        add_managed(all, *managed);
    return std::move(all).take();
}

std::string job_members(const job_context& context, const std::string& queue)
{
    json_line line;
    line.text("queue", queue).text("job_id", context.id()).number("attempt", context.attempt());
    return line.str();
}

outcome job_outcome(const exec::command_end& end, const std::vector<int>& final_statuses)
{
    switch (end.how) {
    case exec::command_end::kind::exited:
        return of_exit(end, final_statuses);
    case exec::command_end::kind::signalled: {
        const auto name = signal_name(end.number);
        auto text = "ended by " + name;
        if (!end.last_line.empty())
            text += ": " + escaped(end.last_line);
        return retry(text, std::nullopt, ':' + name);
    }
    case exec::command_end::kind::not_started:
        if (is_too_large(end))
            return coworker::failure("no command can be started for it, since its id, kind or tags are too "
                                     "long: " +
                                         escaped(end.last_line),
                                     ":not-started");
        return retry("the command could not be started: " + escaped(end.last_line), std::nullopt,
                     ":not-started");
    case exec::command_end::kind::lost:
        break;
    }
    return retry("the command was killed together with the process that watched over it", std::nullopt,
                 ":lost");
}

} // namespace coworker::program
