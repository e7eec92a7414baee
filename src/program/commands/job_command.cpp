// SPDX-License-Identifier: MIT
#include "program/commands/job_command.hpp"

#include "program/terminal/json_line.hpp"
#include "program/terminal/text_functions.hpp"
#include "program/terminal/time_text.hpp"

#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>
#include <boost/json/value_from.hpp>

#include <algorithm>
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

std::string variable(std::string_view name, std::string_view value)
{
    std::string text = "COWORKER_";
    text += name;
    text += '=';
    text += value;
    return text;
}

std::string as_text(double number)
{
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", number);
    return text;
}

/// A variable in JSON. Left out if it is longer than commands can be started with: a job that has it would never run.
void add_json(std::vector<std::string>& variables, std::string_view name, std::string json)
{
    constexpr std::size_t longest = 64 * 1024;
    if (json.size() <= longest)
        variables.push_back(variable(name, json));
}

/// What travels with a job of a managed queue.
void add_company(std::vector<std::string>& variables, const managed_details& job)
{
    if (!job.metadata.empty()) {
        boost::json::object metadata;
        for (const auto& [name, value] : job.metadata)
            metadata.emplace(name, value);
        add_json(variables, "METADATA", boost::json::serialize(metadata));
    }
    if (!job.batch.empty())
        variables.push_back(variable("BATCH", job.batch));
    if (!job.parents.empty())
        add_json(variables, "PARENTS", boost::json::serialize(boost::json::value_from(job.parents)));
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
    std::vector<std::string> variables{variable("JOB_ID", context.id()), variable("QUEUE", queue),
                                       variable("ATTEMPT", std::to_string(context.attempt()))};
    if (const auto queued = context.queued_at())
        variables.push_back(variable("QUEUED_AT", format_time(*queued)));
    if (const auto* managed = context.details<managed_details>()) {
        variables.push_back(variable("KIND", managed->kind));
        variables.push_back(variable("PRIORITY", as_text(managed->priority)));
        variables.push_back(variable("RETRIES_LEFT", std::to_string(managed->remaining)));
        variables.push_back(variable("TAGS", boost::json::serialize(boost::json::value_from(managed->tags))));
        add_company(variables, *managed);
    }
    return variables;
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
        return retry("the command could not be started: " + escaped(end.last_line), std::nullopt,
                     ":not-started");
    case exec::command_end::kind::lost:
        break;
    }
    return retry("the command was killed together with the process that watched over it", std::nullopt,
                 ":lost");
}

} // namespace coworker::program
