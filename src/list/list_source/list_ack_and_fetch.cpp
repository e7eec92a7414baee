// SPDX-License-Identifier: MIT
#include "bounds.hpp"
#include "list/deliverable.hpp"
#include "list/list_source/list_source.hpp"
#include "list/payload.hpp"
#include "redis/effect_words.hpp"

#include <algorithm>
#include <initializer_list>
#include <string>
#include <utility>

/// How jobs of a list queue are acknowledged and fetched.
namespace coworker::detail {

using namespace std::chrono_literals;

namespace {

// Of ack_and_fetch.lua's answer: whose effects could not be carried out, and how many failed and broken jobs were dropped.
constexpr std::size_t failed_part = 6, dropped_part = 7;

// The size of its short answer, if a job was fetched: the start time and the payload.
constexpr std::size_t plain_size = 2;

std::string_view kind_name(outcome::kind kind) noexcept
{
    switch (kind) {
    case outcome::kind::success:
        return "success";
    case outcome::kind::retry:
        return "retry";
    case outcome::kind::failure:
        return "failure";
    case outcome::kind::release:
        return "release";
    case outcome::kind::broken:
        return "broken";
    case outcome::kind::forward: // the worker does not let it come here
        break;
    }
    return "failure";
}

std::string join_numbers(std::initializer_list<std::int64_t> numbers)
{
    std::string text;
    for (const auto number : numbers)
        text.append(text.empty() ? "" : " ").append(std::to_string(number));
    return text;
}

fetched_job make_job(std::string_view payload, std::shared_ptr<const std::string> lease, unsigned attempt)
{
    fetched_job job;
    job.body = payload;
    job.lease = std::move(lease);
    job.attempt = attempt;
    const auto range = [&](std::string_view part) {
        return fetched_job::range{static_cast<std::size_t>(part.data() - job.body.data()), part.size()};
    };
    if (auto parts = skim_payload(job.body)) {
        job.text_range = range(parts->job);
        if (!parts->plain_id.empty())
            job.id_range = range(parts->plain_id);
        job.long_id = std::move(parts->decoded_id);
    } else {
        job.decodable = false;
    }
    return job;
}

/// The order in which ack_and_fetch.lua wants acknowledgements: successes without effects first, those of one lease
/// together; then the others; and jobs given back last and backwards, since each goes in front of the one before it.
struct acknowledgement_order
{
    explicit acknowledgement_order(std::span<const acknowledgement> acks)
    {
        std::vector<std::size_t> others, given_back;
        for (std::size_t i = 0; i != acks.size(); ++i) {
            const auto what = acks[i].result->what();
            (what == outcome::kind::success && acks[i].effects == nullptr ? order
             : what == outcome::kind::release                             ? given_back
                                                                          : others)
                .push_back(i);
        }
        successes = order.size();
        // Usually in order already: jobs that were taken together mostly end together.
        const auto lease = [&](std::size_t i) -> const std::string& { return *acks[i].job->lease; };
        std::sort(order.begin(), order.end(),
                  [&](std::size_t a, std::size_t b) { return lease(a) < lease(b); });
        order.insert(order.end(), others.begin(), others.end());
        order.insert(order.end(), given_back.rbegin(), given_back.rend());
    }

    std::vector<std::size_t> order; ///< indexes into the acknowledgements
    std::size_t successes = 0;      ///< how many of them, at the front
};

void add_successes(std::span<const acknowledgement> acks, std::span<const std::size_t> order,
                   script_arguments& arguments)
{
    const auto lease = [&](std::size_t i) -> const std::string& { return *acks[order[i]].job->lease; };
    std::vector<std::size_t> begins; // of each group
    for (std::size_t i = 0; i != order.size(); ++i)
        if (i == 0 || lease(i) != lease(i - 1))
            begins.push_back(i);
    arguments.add_number(static_cast<std::int64_t>(begins.size()));
    begins.push_back(order.size());
    for (std::size_t group = 0; group + 1 != begins.size(); ++group) {
        arguments.add(lease(begins[group]));
        arguments.add_number(static_cast<std::int64_t>(begins[group + 1] - begins[group]));
        for (auto i = begins[group]; i != begins[group + 1]; ++i)
            arguments.add(acks[order[i]].job->body);
    }
}

void add_others(std::span<const acknowledgement> acks, std::span<const std::size_t> order,
                script_arguments& arguments)
{
    for (const auto i : order) {
        const auto* job = acks[i].job;
        const auto* result = acks[i].result;
        arguments.add(job->body);
        arguments.add(*job->lease);
        const auto* effects = acks[i].effects;
        arguments.add(effects != nullptr ? "effects" : kind_name(result->what()));
        arguments.add_number(job->attempt);
        arguments.add_number(result->delay().value_or(0ms).count());
        arguments.add(result->reason());
        if (effects != nullptr)
            add_effects(
                *effects, [&](std::string_view word) { arguments.add(word); },
                [&](std::size_t number) { arguments.add_number(static_cast<std::int64_t>(number)); });
    }
}

} // namespace

void list_source::check_effect(const effect& what) const
{
    check_effect_of(redis_, what);
    if (!what.prefix.empty())
        throw explained_error{errc::not_supported,
                              "a job of a list queue cannot push to managed queues as an effect"};
}

asio::awaitable<job_source::fetch_result> list_source::ack_and_fetch(std::span<const acknowledgement> acks,
                                                                     std::size_t count)
{
    if (count == 0)
        co_return co_await ack_and_fetch_now(acks, 0);
    if (taking_ && one_at_a_time_) { // the jobs are found when the other call has been answered
        if (acks.empty())
            co_return fetch_result{};
        co_return co_await ack_and_fetch_now(acks, 0);
    }
    const bool is_first = !std::exchange(taking_, true);
    const auto ended = [&](bool unanswered) {
        if (is_first)
            taking_ = false;
        one_at_a_time_ = one_at_a_time_ || unanswered;
    };
    try {
        auto result = co_await ack_and_fetch_now(acks, count);
        ended(false);
        co_return result;
    } catch (...) {
        ended(true);
        throw;
    }
}

asio::awaitable<job_source::fetch_result>
list_source::ack_and_fetch_now(std::span<const acknowledgement> acks, std::size_t count)
{
    script_arguments arguments{keys_.jobs,       keys_.progress, keys_.scheduled, keys_.attempts,
                               keys_.duplicates, keys_.paused,   keys_.workers,   keys_.counters,
                               keys_.failed,     keys_.failures, keys_.broken,    keys_.reasons,
                               keys_.found,      keys_.shared,   keys_.ready,     keys_.cancelled};
    arguments.reserve(32 + 2 * acks.size());
    arguments.add_number(static_cast<std::int64_t>(count));
    arguments.add_number(worker_);
    arguments.add(holder_);
    const bool repeated = std::any_of(acks.begin(), acks.end(), [](const auto& s) { return s.repeated; });
    const auto numbers = join_numbers(
        {static_cast<std::int64_t>(options_.failed_limit), static_cast<std::int64_t>(options_.broken_limit),
         deliverable_size(options_), careful_ > 0 ? 1 : 16, repeated ? 0 : lease_.count()});
    arguments.add(numbers);
    const acknowledgement_order sorted{acks};
    const std::span<const std::size_t> order{sorted.order};
    add_successes(acks, order.first(sorted.successes), arguments);
    add_others(acks, order.subspan(sorted.successes), arguments);

    static const script& ack_and_fetch_script = find_script("list/ack_and_fetch");
    const reply answers = co_await redis_->call(ack_and_fetch_script, arguments, how_long_);
    const auto answer = answers.back();
    const auto start = std::make_shared<const std::string>(answer[0]);
    fetch_result result;
    if (answer.size() <= plain_size) {
        if (answer.size() == plain_size)
            result.fetched.push_back(make_job(answer[1], start, 1));
        note_sizes(result.fetched);
        co_return result;
    }
    const auto worker = answer.integer(1);
    const auto waiting = answer.integer(2);
    const auto lost = reply::part(answer, 3);
    const auto taken = reply::part(answer, 4);
    const auto attempts = reply::part(answer, 5);

    result.waiting = static_cast<std::size_t>(waiting);
    std::vector<lost_run> taken_away;
    for (std::size_t i = 0; i != lost.size(); ++i) {
        result.lost.push_back(order[lost.position(i, order.size())]);
        if (const auto& each = acks[result.lost.back()]; !each.repeated)
            taken_away.push_back({each.job, each.job->lease});
    }
    if (answer.first->aggregate_size > failed_part) {
        const auto failed = reply::part(answer, failed_part);
        for (std::size_t i = 0; i + 1 < failed.size(); i += 2)
            result.failed.push_back({order[failed.position(i, order.size())], std::string{failed[i + 1]}});
    }
    if (answer.first->aggregate_size > dropped_part)
        for (std::size_t i = 0; i != records_.size(); ++i)
            note_dropped(records_[i], reply::part(answer, dropped_part).integer(i));
    result.fetched.reserve(taken.size());
    for (std::size_t i = 0; i != taken.size(); ++i)
        result.fetched.push_back(make_job(
            taken[i], start, attempts.size() == 0 ? 1 : 1 + static_cast<unsigned>(attempts.integer(i))));
    worker_ = worker; // not before all of the answer has been read
    note_sizes(result.fetched);
    co_await count_lost(std::move(taken_away));
    co_return result;
}

/// Once a minute at most: from then on each job that comes to the record drops an older one.
void list_source::note_dropped(full_record& record, std::int64_t count)
{
    constexpr std::int64_t plenty = 1'000'000'000'000;
    record.dropped += std::clamp<std::int64_t>(count, 0, plenty);
    const auto now = std::chrono::steady_clock::now();
    if (record.dropped == 0 || now < record.silent_until)
        return;
    record.silent_until = now + 1min;
    redis_->warn("queue '" + name() + "': the record of " + record.state + " jobs is full (" + record.state +
                 "_limit is " + std::to_string(record.limit) + "), so the oldest are dropped: " +
                 std::to_string(std::exchange(record.dropped, 0)) + " since this was told last");
}

/// A queue of large jobs is looked at one by one, so that Redis does not copy sixteen of them to take one.
void list_source::note_sizes(std::span<const fetched_job> taken) noexcept
{
    constexpr std::size_t large = 65536, too_large_for_two = 8 * 1024 * 1024;
    constexpr int takes = 64;
    if (taken.empty())
        return;
    std::size_t largest = 0;
    for (const auto& job : taken)
        largest = std::max(largest, job.body.size());
    if (largest > large)
        careful_ = takes;
    else if (careful_ > 0)
        --careful_;
    one_at_a_time_ = largest > too_large_for_two;
}

} // namespace coworker::detail
