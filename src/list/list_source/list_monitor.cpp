// SPDX-License-Identifier: MIT
#include "bounds.hpp"
#include "list/list_source/list_source.hpp"
#include "list/start_time.hpp"
#include "redis/lead.hpp"
#include "redis/roll_call.hpp"
#include "redis/server_time.hpp"

#include <boost/redis/request.hpp>

#include <algorithm>
#include <unordered_map>
#include <vector>

/// The monitor of a list queue: finds leases that have ended and workers that are gone.
namespace coworker::detail {

using boost::redis::request;

namespace {

/// Payloads larger than this do not come here: own_leases.lua deals with them.
constexpr std::size_t large_payload = 262'144;

} // namespace

asio::awaitable<job_source::recovery> list_source::recover(std::chrono::milliseconds lease,
                                                           std::chrono::milliseconds grace)
{
    recovery result;
    result.pause = monitor_pause;
    bool anybody_gone = false;
    const auto began = std::chrono::steady_clock::now();
    present_.clear();
    const auto leader = co_await take_lead(*redis_, keys_.monitor, keys_.workers, redis_->name(),
                                           term_of(round_, round_pause_));
    if (!leader.is_own()) {
        result.pause = polls_.spread(leader.soon);
    } else {
        survey found = co_await survey_workers(grace);
        if (found.connected) {
            round_pause_ = found.connected->pause();
            result.pause = std::min(round_pause_, std::max(found.absent.wait, std::chrono::milliseconds{1}));
        }
        present_ = found.present();
        co_await note_absence(found);
        co_await strike_off(found);
        result.recovered = co_await sweep(keys_.progress, found, lease);
        if (found.shares)
            result.recovered += co_await sweep(keys_.shared, found, lease);
        result.reason = found.absent.dead.empty() ? "their leases had ended" : "their worker is gone";
        co_await forget_workers(found.absent.dead);
        anybody_gone = found.absent.is_anybody_gone;
    }
    const reply answers = co_await redis_->call(
        find_script("list/count_running"), script_arguments{keys_.progress, keys_.duplicates, keys_.shared},
        patience::unlimited);
    // Before it sleeps, workers are struck off that were killed while they were idle.
    result.idle = answers.back().integer() == 0 && !anybody_gone;
    // Behind the look, so that what the last job leaves behind is found before the monitor goes to sleep.
    if (leader.is_own()) {
        const auto tidied = co_await tidy();
        result.idle = result.idle && tidied == 0;
        round_ = std::chrono::ceil<std::chrono::milliseconds>(std::chrono::steady_clock::now() - began);
    }
    co_return result;
}

asio::awaitable<void> list_source::wait_for_round(std::chrono::milliseconds pause)
{
    return redis_->roll().watch(redis_, std::move(present_), pause);
}

/// Those of the workers that are connected, as far as that is known.
std::vector<std::string> list_source::survey::present() const
{
    std::vector<std::string> names;
    if (connected)
        for (const auto& [_, name] : workers)
            if (connected->names.contains(name))
                names.push_back(name);
    return names;
}

asio::awaitable<list_source::survey> list_source::survey_workers(std::chrono::milliseconds grace)
{
    // The registry is read before the list of connections: who is in the first must be in the second.
    request look;
    look.push("HGETALL", keys_.workers);
    look.push("HGETALL", keys_.gone);
    look.push("TIME");
    look.push("EXISTS", keys_.shared);
    reply answers;
    co_await redis_->exec(look, answers, patience::unlimited);
    const auto answered = std::chrono::steady_clock::now();
    survey found;
    for (std::size_t i = 0; i != 4; ++i)
        if (answers[i].is_error())
            answers.throw_if_error();
    found.shares = answers[3].integer() != 0;
    const auto registered = answers[0];
    for (std::size_t i = 0; i + 1 < registered.size(); i += 2) {
        if (const auto number = parse_worker_number(registered[i])) {
            found.workers.emplace(*number, registered[i + 1]);
        }
    }
    found.now = read_time(answers[2]);
    if (grace.count() != 0)
        found.connected = co_await redis_->roll().take(redis_, grace);
    if (found.connected && !found.connected->flaw.empty()) { // the leases' ends alone must do
        redis_->warn_once("jobs of dead workers are returned only when their leases end, since " +
                          found.connected->flaw);
        found.connected.reset();
    }
    if (!found.connected || redis_->has_just_moved())
        co_return found;
    std::map<std::uint32_t, std::int64_t> gone_since;
    const auto gone = answers[1];
    for (std::size_t i = 0; i + 1 < gone.size(); i += 2)
        if (const auto number = parse_worker_number(gone[i]))
            gone_since.emplace(*number, gone.integer(i + 1));
    found.absent = find_absent(found.workers, gone_since, found.connected->names, found.now, grace);
    if (!found.absent.dead.empty()) { // a roll that is shared may be older than the look at the registry
        const auto again = co_await redis_->roll().take(redis_, grace, answered);
        std::erase_if(found.absent.dead, [&](const auto& each) {
            return !again->flaw.empty() || again->names.contains(found.workers.at(each.first));
        });
    }
    co_return found;
}

asio::awaitable<void> list_source::note_absence(const survey& found)
{
    const auto& absent = found.absent;
    if (absent.newly_gone.empty() && absent.back.empty() && absent.forgotten.empty())
        co_return;
    script_arguments note{keys_.gone};
    note.add_number(std::chrono::floor<std::chrono::milliseconds>(found.now.time_since_epoch()).count());
    note.add_number(static_cast<std::int64_t>(absent.newly_gone.size()));
    for (const auto* numbers : {&absent.newly_gone, &absent.back, &absent.forgotten})
        for (const auto number : *numbers)
            note.add_number(number);
    co_await redis_->call(find_script("list/note_absence"), note, patience::unlimited);
}

/// Before their jobs are returned: from then on nothing of theirs counts for a job that has been taken from them. Where
/// somebody else has become the monitor since the look, it is too old to call anybody dead.
asio::awaitable<void> list_source::strike_off(survey& found)
{
    script_arguments dead{keys_.workers, keys_.monitor, keys_.gone};
    dead.add(redis_->name());
    dead.add_number(std::chrono::floor<std::chrono::milliseconds>(found.now.time_since_epoch()).count());
    const auto words_ahead = dead.words().size();
    for (const auto& [number, _] : found.absent.dead)
        if (const auto& name = found.workers.at(number); !name.empty()) {
            dead.add_number(number);
            dead.add(name);
        }
    if (dead.words().size() == words_ahead)
        co_return;
    const reply answers = co_await redis_->call(find_script("list/strike_off"), dead, patience::unlimited);
    if (answers.back().integer() < 0)
        found.absent.dead.clear();
}

asio::awaitable<std::size_t> list_source::sweep(const std::string& leases, const survey& found,
                                                std::chrono::milliseconds lease)
{
    const auto threshold = format_start_time(found.now - lease, 0);
    const auto latest = format_start_time(found.now + lease, 999'999);
    std::vector<std::string> dead; // their numbers, and when they were found dead
    for (const auto& [number, looked] : found.absent.dead) {
        dead.push_back(std::to_string(number));
        dead.push_back(format_start_time(looked, 999'999));
    }
    std::string cursor = "0";
    std::size_t returned = 0;
    do {
        script_arguments part{leases,         keys_.jobs,    keys_.attempts, keys_.duplicates,
                              keys_.counters, keys_.workers, keys_.ready};
        part.add(cursor);
        part.add_number(max_batch);
        part.add(threshold);
        part.add(latest);
        for (const auto& word : dead)
            part.add(word);
        const reply answers =
            co_await redis_->call(find_script("list/recover_leases"), part, patience::unlimited);
        const auto answer = answers.back();
        cursor = answer[0];
        returned += static_cast<std::size_t>(answer.integer(1));
    } while (cursor != "0");
    co_return returned;
}

/// The numbers under which this worker is registered. If an unanswered call was the first, it has registered one that is
/// not known here yet.
asio::awaitable<std::set<std::uint32_t>> list_source::own_numbers()
{
    request look;
    look.push("HGETALL", keys_.workers);
    reply answers;
    co_await redis_->exec(look, answers, patience::unlimited);
    answers.throw_if_error();
    std::set<std::uint32_t> own;
    const auto workers = answers[0];
    for (std::size_t i = 0; i + 1 < workers.size(); i += 2)
        if (const auto number = parse_worker_number(workers[i]); number && workers[i + 1] == redis_->name())
            own.insert(*number);
    co_return own;
}

asio::awaitable<void> list_source::reconcile(std::span<const fetched_job* const> held)
{
    const auto own = co_await own_numbers();
    if (own.empty())
        co_return;
    if (worker_ == 0)
        worker_ = *own.begin();
    std::unordered_map<std::string_view, std::vector<const fetched_job*>> by_payload;
    for (const auto* job : held)
        by_payload[job->body].push_back(job);
    const auto is_held = [&](std::string_view payload, std::string_view start) {
        const auto equal = by_payload.find(payload);
        return equal != by_payload.end() && is_lease_of_any(equal->second, payload, start);
    };
    std::string cursor = "0";
    do {
        script_arguments look{keys_.progress, keys_.jobs, keys_.duplicates, keys_.counters, keys_.ready};
        look.add(cursor);
        look.add_number(max_batch);
        look.add_number(static_cast<std::int64_t>(own.size()));
        for (const auto number : own)
            look.add_number(number);
        for (const auto* job : held)
            if (job->body.size() > large_payload) {
                look.add(std::string_view{job->body}.substr(0, 256));
                look.add_number(static_cast<std::int64_t>(job->body.size()));
            }
        const reply answers =
            co_await redis_->call(find_script("list/own_leases"), look, patience::unlimited);
        const auto answer = answers.back();
        cursor = answer[0];
        script_arguments unknown{keys_.progress, keys_.jobs, keys_.duplicates, keys_.counters, keys_.ready};
        for (std::size_t i = 1; i + 1 < answer.size(); i += 2)
            if (!is_held(answer[i], answer[i + 1])) {
                unknown.add(answer[i]);
                unknown.add(answer[i + 1]);
            }
        if (unknown.words().size() > unknown.key_count())
            co_await redis_->call(find_script("list/release"), unknown, patience::unlimited);
    } while (cursor != "0");
}

asio::awaitable<void> list_source::forget_workers(const std::map<std::uint32_t, timestamp>& dead)
{
    if (dead.empty())
        co_return;
    request forget;
    for (const auto& [number, _] : dead) {
        forget.push("HDEL", keys_.workers, number);
        forget.push("HDEL", keys_.gone, number);
    }
    reply answers;
    co_await redis_->exec(forget, answers, patience::unlimited);
    answers.throw_if_error();
}

script_arguments list_source::what_to_tidy() const
{
    return script_arguments{keys_.jobs,   keys_.progress, keys_.scheduled, keys_.attempts, keys_.duplicates,
                            keys_.failed, keys_.failures, keys_.broken,    keys_.found,    keys_.reasons,
                            keys_.ready,  keys_.counters, keys_.history,   keys_.purged};
}

asio::awaitable<std::int64_t> list_source::tidy()
{
    const reply answers =
        co_await redis_->call(find_script("list/tidy"), what_to_tidy(), patience::unlimited);
    co_return answers.back().integer();
}

} // namespace coworker::detail
