// SPDX-License-Identifier: MIT
#include "managed/read_look.hpp"

#include "managed/json_fields.hpp"
#include "managed/read_job.hpp"

#include <boost/json/array.hpp>
#include <boost/json/serialize.hpp>

namespace coworker::detail {

namespace json = boost::json;

namespace {

managed_queue_counts read_queue(const json::value& value)
{
    const json_fields fields{value, "queue"};
    return {.name = fields.text("name"),
            .waiting = fields.count("waiting"),
            .running = fields.count("running"),
            .stalled = fields.count("stalled"),
            .scheduled = fields.count("scheduled"),
            .depends = fields.count("depends"),
            .recurring = fields.count("recurring"),
            .paused = fields.flag("paused")};
}

managed_distribution read_distribution(const json_fields& day, std::string_view name)
{
    managed_distribution result;
    const auto* object = day.object(name);
    if (!object)
        return result;
    const json::value value{*object};
    const json_fields fields{value, name};
    result.count = fields.count("count");
    result.mean = managed_distribution::seconds{fields.number("mean")};
    result.deviation = managed_distribution::seconds{fields.number("std")};
    std::size_t bin = 0;
    for (const auto& element : fields.list("histogram")) {
        if (!element.is_number())
            throw system_error{errc::not_decodable, "'histogram' is not a list of numbers"};
        if (bin != managed_distribution::bins)
            result.histogram[bin++] =
                static_cast<std::uint64_t>(std::clamp(element.to_number<double>(), 0.0, 9e18));
    }
    return result;
}

} // namespace

managed_queue_counts read_queue(std::string_view text)
{
    return read_queue(parse_answer(text));
}

std::vector<managed_queue_counts> read_queues(std::string_view text)
{
    const auto value = parse_answer(text);
    std::vector<managed_queue_counts> queues;
    for (const auto& queue : list_of(value, "the list of queues"))
        queues.push_back(read_queue(queue));
    return queues;
}

std::vector<managed_worker_counts> read_workers(std::string_view text)
{
    const auto value = parse_answer(text);
    std::vector<managed_worker_counts> workers;
    for (const auto& worker : list_of(value, "the list of workers")) {
        const json_fields fields{worker, "worker"};
        workers.push_back({.name = fields.text("name"),
                           .running = fields.count("jobs"),
                           .stalled = fields.count("stalled")});
    }
    return workers;
}

managed_worker_jobs read_worker(std::string_view text)
{
    const auto value = parse_answer(text);
    const json_fields fields{value, "worker"};
    return {.running = fields.texts("jobs"), .stalled = fields.texts("stalled")};
}

managed_statistics read_statistics(std::string_view text)
{
    const auto value = parse_answer(text);
    const json_fields fields{value, "statistics"};
    return {.lost_locks = fields.difference("retries"),
            .failures = fields.difference("failures"),
            .failed = fields.difference("failed"),
            .wait = read_distribution(fields, "wait"),
            .run = read_distribution(fields, "run")};
}

managed_page read_page(std::string_view text)
{
    const auto value = parse_answer(text);
    const json_fields fields{value, "page"};
    return {.total = fields.count("total"), .jids = fields.texts("jobs")};
}

tracked_jobs read_tracked(std::string_view text)
{
    const auto value = parse_answer(text);
    const json_fields fields{value, "tracked jobs"};
    tracked_jobs tracked;
    for (const auto& job : fields.list("jobs"))
        tracked.jobs.push_back(to_job(job));
    tracked.expired = fields.texts("expired");
    return tracked;
}

std::vector<std::string> read_texts(std::string_view text)
{
    return texts_of(parse_answer(text), "Redis' answer");
}

std::map<std::string, std::uint64_t> read_failed_groups(std::string_view text)
{
    const auto value = parse_answer(text);
    const json_fields fields{value, "failed groups"};
    std::map<std::string, std::uint64_t> groups;
    for (const auto& member : fields.all())
        groups.emplace(member.key(), fields.count(member.key()));
    return groups;
}

std::map<std::string, std::string> read_config(std::string_view text)
{
    const auto value = parse_answer(text);
    const json_fields fields{value, "configuration"};
    std::map<std::string, std::string> options;
    for (const auto& member : fields.all()) {
        const auto& option = member.value();
        options.emplace(member.key(),
                        option.is_string() ? std::string{option.get_string()} : json::serialize(option));
    }
    return options;
}

} // namespace coworker::detail
