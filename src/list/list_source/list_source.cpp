// SPDX-License-Identifier: MIT
#include "list/list_source/list_source.hpp"

#include "batch_size.hpp"
#include "bounds.hpp"
#include "list/payload.hpp"
#include "list/schedules_of_list.hpp"
#include "redis/key_types.hpp"
#include "redis/process_record.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/redis/request.hpp>

#include <algorithm>
#include <utility>

namespace coworker::detail {

using boost::redis::request;
using namespace std::chrono_literals;

namespace {

/// An idle worker of hworker writes to `progress` a hundred times a second. How long the monitor is not roused again
/// when it was for nothing.
constexpr auto false_alarm_pause = 2s;

} // namespace

list_source::list_source(std::shared_ptr<detail::connection> redis, std::string name,
                         list_queue_options options, holder who)
    : redis_{std::move(redis)}, name_{std::move(name)}, options_{options}, holder_{who == holder::worker
                                                                                       ? redis_->name()
                                                                                       : std::string{}},
      how_long_{who == holder::worker ? patience::unlimited : patience::command_timeout}, keys_{name_},
      jobs_watch_{redis_->watches(), redis_->get_executor(), {keys_.jobs, keys_.scheduled, keys_.paused}},
      slot_watch_{*redis_, keys_.workers}, leases_watch_{redis_->watches(),
                                                         redis_->get_executor(),
                                                         {keys_.progress, keys_.duplicates, keys_.shared}},
      schedules_{where_schedules_are(redis_, keys_)},
      losses_watch_{redis_->channels(),
                    {"coworker:control:" + redis_->name()},
                    [this](std::string_view, std::string_view message) { note_loss(message); }},
      loss_noted_{redis_->get_executor()}
{}

std::unique_ptr<list_source> list_source::of_divided(std::shared_ptr<detail::connection> redis,
                                                     const std::string& queue,
                                                     const list_queue_options& options, unsigned asked)
{
    const bool whole_can_be = !redis->in_cluster(); // its keys would be in several slots
    const auto name = whole_can_be ? queue : partition_name(queue, 0);
    auto source = std::make_unique<list_source>(redis->for_queue(name), name, options);
    source->divided_ = queue;
    source->parts_ =
        std::make_unique<partition_watch>(std::move(redis), queue, asked, whole_can_be ? 0U : 1U);
    return source;
}

asio::awaitable<std::vector<std::unique_ptr<job_source>>> list_source::wait_for_parts()
{
    if (!parts_)
        co_return co_await job_source::wait_for_parts();
    const auto [begin, end] = co_await parts_->wait();
    std::vector<std::unique_ptr<job_source>> sources;
    for (auto i = begin; i != end; ++i) {
        const auto part = partition_name(divided_, i);
        auto source = std::make_unique<list_source>(parts_->redis().for_queue(part), part, options_);
        source->divided_ = divided_;
        sources.push_back(std::move(source));
    }
    co_return sources;
}

asio::awaitable<void> list_source::open()
{
    expected_types expected;
    expected.emplace_back(keys_.jobs, "list");
    expected.emplace_back(keys_.progress, "hash");
    expected.emplace_back(keys_.broken, "hash");
    expected.emplace_back(keys_.failed, "list");
    expected.emplace_back(keys_.scheduled, "zset");
    expected.emplace_back(keys_.attempts, "hash");
    expected.emplace_back(keys_.duplicates, "hash");
    expected.emplace_back(keys_.failures, "hash");
    expected.emplace_back(keys_.paused, "string");
    expected.emplace_back(keys_.counters, "hash");
    expected.emplace_back(keys_.workers, "hash");
    expected.emplace_back(keys_.gone, "hash");
    expected.emplace_back(keys_.monitor, "string");
    expected.emplace_back(keys_.ready, "zset");
    expected.emplace_back(keys_.shared, "hash");
    expected.emplace_back(keys_.found, "zset");
    expected.emplace_back(keys_.reasons, "hash");
    expected.emplace_back(keys_.cancelled, "zset");
    expected.emplace_back(keys_.plans, "hash");
    expected.emplace_back(keys_.schedules, "zset");
    co_await check_key_types(*redis_, std::move(expected));
    may_be_known_ = true;
    losses_watch_.enlist(); // every connection hears of that channel
    boost::redis::request make_known;
    make_known.push("SADD", known_queues_key, name_);
    reply ignored; // not registering the name does no harm; the key may be at another node of a cluster
    co_await redis_->exec_aside(make_known, ignored, patience::unlimited);
    if (!holder_.empty())
        co_await enlist();
    co_await note_process(*redis_);
}

/// Enters the registry. A fetch does so, too, but behind another queue, or while this one is paused, the first fetch may
/// come much later: people would be told that nobody works here.
asio::awaitable<void> list_source::enlist()
{
    script_arguments arguments{keys_.workers, keys_.counters};
    arguments.add_number(worker_);
    arguments.add(holder_);
    const reply answers = co_await redis_->call(find_script("list/enlist"), arguments, patience::unlimited);
    worker_ = answers.back().integer();
}

asio::awaitable<std::vector<std::size_t>> list_source::renew(std::span<fetched_job* const> jobs)
{
    script_arguments arguments{keys_.progress, keys_.shared, keys_.workers, keys_.jobs, keys_.cancelled};
    arguments.add_number(worker_);
    arguments.add(holder_);
    arguments.add_number(lease_.count());
    for (const auto* job : jobs) {
        arguments.add(job->body);
        arguments.add(*job->lease);
        arguments.add(job->in_doubt ? "1" : "0");
    }
    // Until the answer is here, the jobs may have either token.
    for (auto* job : jobs)
        job->in_doubt = true;
    const reply answers = co_await redis_->call(find_script("list/renew"), arguments, how_long_);
    const auto answer = answers.back();
    const auto lease = std::make_shared<const std::string>(answer[0]);
    std::vector<std::size_t> lost;
    std::vector<lost_run> taken_away;
    for (std::size_t i = 1; i < answer.size(); ++i) {
        lost.push_back(answer.position(i, jobs.size()));
        taken_away.push_back({jobs[lost.back()], jobs[lost.back()]->lease});
    }
    for (auto* job : jobs) { // not before all of the answer has been read
        job->lease = lease;
        job->in_doubt = false;
    }
    co_await count_lost(std::move(taken_away));
    co_return lost;
}

asio::awaitable<void> list_source::count_lost(std::vector<lost_run> runs)
{
    const std::span<const lost_run> all{runs};
    for (std::size_t begin = 0, count = 0; begin < all.size(); begin += count) {
        count = batch_size(all.subspan(begin), [](const lost_run& run) { return run.job->body.size(); });
        script_arguments arguments{keys_.jobs, keys_.progress, keys_.attempts, keys_.cancelled};
        for (const auto& run : all.subspan(begin, count)) {
            arguments.add(run.job->body);
            arguments.add(*run.lease);
            arguments.add_number(run.job->attempt);
        }
        try {
            co_await redis_->try_call(find_script("list/count_lost"), arguments, how_long_);
        } catch (const system_error&) { // what the call before has brought matters more
            co_return;
        }
    }
}

// --- waiting -------------------------------------------------------------------------

asio::awaitable<job_source::wake_up> list_source::wait_for_jobs()
{
    bool fallback_poll = false;
    for (;;) {
        jobs_watch_.arm();
        slot_watch_.arm();
        script_arguments arguments{keys_.jobs, keys_.scheduled, keys_.paused};
        if (const auto* const mark = slot_watch_.mark())
            arguments.add_key(*mark);
        const reply answers = co_await redis_->call_tracked(find_script("list/wait"), arguments);
        const auto answer = answers.back();
        const bool paused = answer.integer(2) != 0;
        if (answer.integer(0) > 0 && !paused) {
            // A notification that has waited in the socket while this process stood still has come before the answer.
            const bool was_told = fallback_poll && co_await jobs_watch_.wait_until(clock::now());
            co_return fallback_poll && !was_told ? wake_up::fallback_poll : wake_up::ready;
        }

        const auto poll = polls_.next(*redis_, redis_->options().poll_interval);
        auto until = poll;
        // Compared in milliseconds: anybody may schedule a job for a time that is too far away for the clock.
        const auto now = clock::now();
        const auto until_poll = std::chrono::duration_cast<std::chrono::milliseconds>(poll - now);
        if (const std::chrono::milliseconds due{answer.integer(1)}; due >= 0ms && due < until_poll && !paused)
            until = now + due;
        const bool changed = co_await slot_watch_.wait_until(jobs_watch_, until);
        const bool is_doubtful = slot_watch_.is_doubtful() && !changed;
        // The fetch finds out what it was: one round trip less than to ask before.
        if (!is_doubtful && (changed || until != poll))
            co_return wake_up::ready;
        fallback_poll = !is_doubtful && redis_->tracks();
    }
}

asio::awaitable<void> list_source::wait_for_leases()
{
    asio::steady_timer pause{redis_->get_executor()};
    for (bool was_roused = false;;) {
        leases_watch_.arm();
        const reply answers =
            co_await redis_->call_tracked(find_script("list/count_running"),
                                          script_arguments{keys_.progress, keys_.duplicates, keys_.shared});
        if (answers.back().integer() > 0)
            co_return;
        if (was_roused) {
            co_await tidy(); // a job may have come and gone meanwhile
            pause.expires_after(false_alarm_pause);
            co_await pause.async_wait(asio::use_awaitable);
        }
        was_roused = co_await leases_watch_.wait_until(polls_.next(*redis_, monitor_pause));
    }
}

/// Somebody has cancelled a job: `cancelled`, the key that it stood in, and a payload with its id, in lines.
void list_source::note_loss(std::string_view message)
{
    const auto begin = "cancelled\n" + keys_.progress + "\n";
    if (!message.starts_with(begin))
        return;
    const auto parts = skim_payload(message.substr(begin.size()));
    if (!parts)
        return;
    losses_.emplace_back(parts->id());
    loss_noted_.notify();
}

asio::awaitable<std::vector<std::string>> list_source::wait_for_losses()
{
    while (losses_.empty())
        co_await loss_noted_.wait();
    co_return std::exchange(losses_, {});
}

asio::awaitable<void> list_source::close()
{
    losses_watch_.withdraw();
    if (!may_be_known_) // nothing to sign off from, and perhaps no server to wait for
        co_return;
    if (worker_ != 0) {
        request leave;
        leave.push("HDEL", keys_.workers, worker_);
        leave.push("HDEL", keys_.gone, worker_);
        reply answers;
        co_await redis_->exec(leave, answers);
        answers.throw_if_error();
        worker_ = 0;
        // What ended last would stand in the history of the minute in which the next worker comes.
        co_await redis_->try_call(find_script("list/tidy"), what_to_tidy());
    }
    co_await forget_process(*redis_); // last: it is for people only
}

} // namespace coworker::detail
