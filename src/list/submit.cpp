// SPDX-License-Identifier: MIT
#include "list/submit.hpp"

#include "limits.hpp"
#include "list/payload.hpp"

namespace coworker::detail {
namespace {

/// A part of the jobs that goes in one call.
struct submitted_part
{
    std::size_t size = 0;
    std::chrono::milliseconds remember{
        0}; ///< how long the script remembers ids: all of them for the same time
};

submitted_part first_part(std::span<const raw_push> jobs)
{
    submitted_part part;
    for (std::size_t bytes = 0; part.size != jobs.size() && part.size < max_batch && bytes < max_batch_bytes;
         ++part.size) {
        const auto& next = jobs[part.size];
        if (const auto time = next.options.unique_for; time.count() != 0) {
            if (part.remember.count() != 0 && part.remember != time)
                break;
            part.remember = time;
        }
        bytes += next.job.text.size();
    }
    return part;
}

void add_options(const push_options& how, const std::string& id, script_arguments& arguments)
{
    arguments.add(how.unique_for.count() != 0 ? std::string_view{id} : std::string_view{});
    if (how.at) {
        arguments.add("at");
        arguments.add_number(to_milliseconds(*how.at));
    } else {
        arguments.add(how.delay.count() > 0 ? "in" : "now");
        arguments.add_number(how.delay.count());
    }
}

} // namespace

std::int64_t to_milliseconds(timestamp when)
{
    return std::chrono::ceil<std::chrono::milliseconds>(when.time_since_epoch()).count();
}

asio::awaitable<void> submit(connection& redis, const list_keys& keys, std::span<const raw_push> jobs,
                             std::span<push_result> results)
{
    while (!jobs.empty()) {
        const auto part = first_part(jobs);
        script_arguments arguments{keys.jobs, keys.scheduled, keys.counters, keys.ids};
        arguments.add_number(part.remember.count());
        std::vector<std::string> payloads;
        payloads.reserve(part.size); // the arguments refer to them
        for (std::size_t i = 0; i != part.size; ++i) {
            add_options(jobs[i].options, results[i].id, arguments);
            arguments.add(payloads.emplace_back(make_payload(results[i].id, jobs[i].job.text)));
        }
        const reply answers = co_await redis.call(find_script("list/submit"), arguments);
        const auto flags = answers.back();
        for (std::size_t i = 0; i != part.size; ++i)
            results[i].pushed = flags.integer(i) != 0;
        jobs = jobs.subspan(part.size);
        results = results.subspan(part.size);
    }
}

} // namespace coworker::detail
