// SPDX-License-Identifier: MIT
#include "list/list_queue/submit.hpp"

#include "bounds.hpp"
#include "list/payload.hpp"
#include "redis/joint_confirmation.hpp"

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

asio::awaitable<void> submit_part(connection& redis, const script_arguments& arguments,
                                  std::span<push_result> results)
{
    joint_confirmation confirmed;
    std::exception_ptr unconfirmed;
    const reply answers = co_await redis.call(find_script("list/submit"), arguments, unconfirmed);
    confirmed.add(std::move(unconfirmed));
    const auto flags = answers.back();
    for (std::size_t i = 0; i != results.size(); ++i) {
        results[i].pushed = flags.integer(i) != 0;
        results[i].unconfirmed = confirmed.why_not();
    }
}

} // namespace

void submit_arguments::add(std::string_view id, std::string_view start, std::string_view payload)
{
    ids_.push_back(id);
    starts_.push_back(start);
    payloads_.push_back(payload);
    later_ = later_ || !start.empty();
}

script_arguments submit_arguments::words() const
{
    script_arguments words{keys_.jobs, keys_.scheduled, keys_.counters, keys_.ids, keys_.ready};
    words.reserve(6 + 3 * ids_.size());
    words.add_number(remember_.count());
    words.add_number(static_cast<std::int64_t>(ids_.size()));
    for (const auto& each : ids_)
        words.add(each);
    for (const auto& each : payloads_)
        words.add(each);
    if (later_)
        for (const auto& each : starts_)
            words.add(each);
    return words;
}

std::string start_word(const push_options& how)
{
    if (how.at)
        return '@' + std::to_string(to_milliseconds(*how.at));
    return how.delay.count() > 0 ? '+' + std::to_string(how.delay.count()) : std::string{};
}

std::int64_t to_milliseconds(timestamp when)
{
    return std::chrono::ceil<std::chrono::milliseconds>(when.time_since_epoch()).count();
}

asio::awaitable<void> submit(connection& redis, const list_keys& keys, std::span<const raw_push> jobs,
                             std::span<push_result> results)
{
    while (!jobs.empty()) {
        const auto part = first_part(jobs);
        submit_arguments call{keys, part.remember};
        std::vector<std::string> texts;
        texts.reserve(2 * part.size); // the arguments refer to them
        for (std::size_t i = 0; i != part.size; ++i) {
            const auto& id = results[i].id;
            const auto& payload = texts.emplace_back(make_payload(id, jobs[i].job.text));
            const auto& start = texts.emplace_back(start_word(jobs[i].options));
            call.add(jobs[i].options.unique_for.count() != 0 ? std::string_view{id} : "", start, payload);
        }
        const auto arguments = call.words();
        co_await submit_part(redis, arguments, results.first(part.size));
        jobs = jobs.subspan(part.size);
        results = results.subspan(part.size);
    }
}

} // namespace coworker::detail
