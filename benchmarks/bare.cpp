// SPDX-License-Identifier: MIT
#include "bounds.hpp"
#include "coworker/job_source.hpp"
#include "list/list_source/list_source.hpp"
#include "perform.hpp"

#include <boost/redis/request.hpp>

#include <algorithm>

/// Ceilings: what the same work takes at least.
namespace bench {
namespace {

using namespace coworker::detail;

/// More than a worker takes: beyond this, batches get no cheaper.
constexpr long largest_batch = 1'000;

/// The payloads in an answer of ack_and_fetch.lua. A short one has a start time, and at most one payload.
std::vector<std::string_view> payloads_of(const reply::answer& answer)
{
    const bool is_short = answer.size() <= 2;
    const auto taken = is_short ? answer : reply::part(answer, 4);
    std::vector<std::string_view> payloads;
    for (std::size_t i = is_short ? 1 : 0; i < taken.size(); ++i)
        payloads.push_back(taken[i]);
    return payloads;
}

/// Sends ack_and_fetch.lua as the worker does, acknowledging the payloads just taken.
asio::awaitable<void> ack_and_fetch_loop(connection& redis, const list_keys& keys, long& left)
{
    const auto& ack_and_fetch = find_script("list/ack_and_fetch");
    reply last;
    std::vector<std::string_view> held;
    do {
        script_arguments arguments{keys.jobs,       keys.progress, keys.scheduled, keys.attempts,
                                   keys.duplicates, keys.paused,   keys.workers,   keys.counters,
                                   keys.failed,     keys.failures, keys.broken,    keys.reasons,
                                   keys.found,      keys.shared,   keys.ready,     keys.cancelled};
        arguments.add_number(left > 0 ? largest_batch : 0);
        arguments.add("1");
        arguments.add(redis.name());
        arguments.add("1000 1000 25165824 16 120000"); // limits of lists and bytes; lease
        arguments.add(held.empty() ? "0" : "1");
        if (!held.empty()) {
            arguments.add(last.back()[0]);
            arguments.add_number(static_cast<std::int64_t>(held.size()));
            for (const auto payload : held)
                arguments.add(payload);
        }
        reply next = co_await redis.call(ack_and_fetch, arguments, patience::unlimited);
        held = payloads_of(next.back());
        left -= static_cast<long>(held.size());
        last = std::move(next);
    } while (!held.empty() || left > 0);
}

/// Acknowledges what it fetched before and fetches more, until enough was fetched; then acknowledges the rest.
asio::awaitable<void> source_loop(coworker::job_source& source, long& left)
{
    const auto success = coworker::success();
    std::vector<coworker::fetched_job> held;
    do {
        std::vector<coworker::acknowledgement> acks;
        for (const auto& job : held)
            acks.push_back({&job, &success});
        const auto count = static_cast<std::size_t>(std::clamp(left, 0L, static_cast<long>(max_batch)));
        left -= static_cast<long>(count);
        auto got = co_await source.ack_and_fetch(acks, count);
        left += static_cast<long>(count - got.fetched.size());
        held = std::move(got.fetched);
    } while (!held.empty() || left > 0);
}

} // namespace

asio::awaitable<measured> loop_on_list(coworker::client& redis, const task& what)
{
    const list_keys keys{queue_name(0)};
    long left = what.count;
    const meter counting;
    std::vector<asio::awaitable<void>> loops;
    for (int i = 0; i != 2; ++i)
        loops.push_back(ack_and_fetch_loop(connection_of(redis), keys, left));
    co_await run_all(std::move(loops));
    co_return counting.stop();
}

asio::awaitable<measured> loop_on_managed(coworker::client& redis, const task& what)
{
    coworker::managed_queue queue{redis, queue_name(0)};
    const auto source = queue.make_source();
    co_await source->open();
    long left = what.count;
    const meter counting;
    std::vector<asio::awaitable<void>> loops;
    for (int i = 0; i != 2; ++i)
        loops.push_back(source_loop(*source, left));
    co_await run_all(std::move(loops));
    const auto result = counting.stop();
    co_await source->close();
    co_return result;
}

asio::awaitable<measured> pop_barely(coworker::client& redis, const task& what, const announce& ready)
{
    boost::redis::request pop;
    pop.push("BLPOP", "bare", 0);
    latencies times;
    ready("");
    const meter counting;
    for (long i = 0; i != what.count; ++i) {
        reply answer;
        co_await connection_of(redis).exec(pop, answer, patience::unlimited);
        answer.throw_if_error();
        times.note(to_integer(answer[0][1]));
    }
    auto result = counting.stop();
    times.tell(result);
    co_return result;
}

} // namespace bench
