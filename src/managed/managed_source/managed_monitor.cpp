// SPDX-License-Identifier: MIT
#include "bounds.hpp"
#include "managed/managed_source/managed_source.hpp"
#include "redis/lead.hpp"
#include "redis/roll_call.hpp"
#include "text/bounded_time.hpp"

#include <boost/redis/request.hpp>

#include <algorithm>
#include <utility>

/// The monitor of the managed queues below one prefix: finds coworker's workers whose connection is gone. Locks
/// that run out need no monitor, since every pop looks for them.
namespace coworker::detail {

using boost::redis::request;

bool is_connection_name(std::string_view worker) noexcept
{
    constexpr std::size_t digits = 32;
    if (worker.size() <= digits || worker[worker.size() - digits - 1] != ':')
        return false;
    const auto number = worker.substr(worker.size() - digits);
    return number.find_first_not_of("0123456789abcdef") == number.npos;
}

namespace {

using namespace std::chrono_literals;

/// What monitors have seen, as `coworker:gone` has it: for how many ms each worker has been missing, and under an empty
/// name when that was, by Redis' clock in ms.
absences read_absences(const reply::answer& stored)
{
    std::map<std::string, std::chrono::milliseconds> missing_for;
    std::chrono::milliseconds looked_at{0};
    for (std::size_t i = 0; i + 1 < stored.size(); i += 2) {
        const auto time = bounded_milliseconds(to_integer(stored[i + 1]));
        if (stored[i].empty())
            looked_at = time;
        else
            missing_for.emplace(stored[i], time);
    }
    return {std::move(missing_for), looked_at};
}

std::vector<std::string> fields_of(const absences& seen)
{
    std::vector<std::string> fields{"", std::to_string(seen.looked_at().count())};
    for (const auto& [worker, time] : seen.missing_for()) {
        fields.push_back(worker);
        fields.push_back(std::to_string(time.count()));
    }
    return fields;
}

/// A leader that sleeps, since nobody holds a job, leads for so long. Who sees a term beyond `longest_monitor_term` sleeps
/// too.
constexpr auto term_asleep = 60'000ms;

/// How long a leader stays awake when there was a job: it would wake all others each time it wakes.
constexpr auto time_awake = 3s;

} // namespace

/// Only one looks, the leader. It looks for the workers that hold jobs, whoever they are: if it dies itself, another
/// one becomes the leader as soon as the term is over. While nobody holds a job all sleep: the leader until there is a
/// sign of life of any worker, since every pop writes `workers`; the others until the leader's key changes.
asio::awaitable<job_source::recovery> managed_source::recover(std::chrono::milliseconds,
                                                              std::chrono::milliseconds grace)
{
    recovery result;
    if (grace.count() == 0) { // locks that run out need no monitor
        result.pause = 1h;
        co_return result;
    }
    const auto began = clock::now();
    present_.clear();
    const auto leader = co_await lead(term_of(round_, round_pause_));
    if (!leads_) {
        result.idle = leader.left > longest_monitor_term;
        const bool looks = redis_->roll().looks_for_all(leader_, this);
        result.pause = looks ? polls_.spread(leader.soon) : std::min(leader.left, monitor_term);
        co_return result;
    }
    const auto dead = co_await find_dead_workers(grace);
    result.pause = std::min(round_pause_, until_dead_);
    if (!dead.names.empty()) {
        result.recovered = co_await recover_jobs(dead);
        result.reason = "their worker is gone";
    }
    auto found = co_await look_for_work(false);
    if (found.ended_parents) {
        co_await settle_parents();
        found = co_await look_for_work(false);
    }
    if (found.any())
        awake_until_ = clock::now() + time_awake;
    const auto ended = clock::now();
    round_ = std::chrono::ceil<std::chrono::milliseconds>(ended - began);
    // Before it sleeps, workers are struck off that were killed while they were idle.
    result.idle = ended >= awake_until_ && !is_anybody_missing_;
    if (result.idle || minute_.is_over(ended))
        co_await note_minute();
    if (!result.idle)
        minute_.touch(ended);
    co_return result;
}

asio::awaitable<void> managed_source::wait_for_round(std::chrono::milliseconds pause)
{
    return redis_->roll().watch(redis_, std::move(present_), pause);
}

/// One leads for all queues; a worker has several, which must not all do it.
asio::awaitable<leadership> managed_source::lead(std::chrono::milliseconds term)
{
    const auto asked = clock::now();
    const auto found = co_await take_lead(*redis_, leader_, key("workers"), leader_name(), term);
    leads_ = found.is_own();
    leads_until_ = asked + term;
    co_return found;
}

asio::awaitable<std::size_t> managed_source::recover_jobs(const dead_workers& dead)
{
    auto arguments = begin();
    arguments.add_number(dead.looked_at.count());
    for (const auto& worker : dead.names)
        arguments.add(worker);
    std::size_t recovered = 0;
    for (bool more = true; more;) {
        const reply answers =
            co_await redis_->call(find_script("managed/recover"), arguments, patience::unlimited);
        const auto answer = answers.back();
        recovered +=
            static_cast<std::size_t>(answer.integer(0)) + static_cast<std::size_t>(answer.integer(1));
        more = answer.integer(2) != 0;
    }
    co_return recovered;
}

/// Does what is due because of parents that have ended, which who ended them began: frees those who waited, for example.
asio::awaitable<void> managed_source::settle_parents(patience how_long)
{
    const auto until = how_long == patience::unlimited ? clock::time_point::max()
                                                       : clock::now() + redis_->options().command_timeout;
    for (bool more = true; more && clock::now() < until;) {
        const reply answers = co_await redis_->call(find_script("managed/recover"), begin(), how_long);
        more = answers.back().integer(2) != 0;
    }
}

/// Workers that have been without a connection for longer than the grace.
asio::awaitable<managed_source::dead_workers>
managed_source::find_dead_workers(std::chrono::milliseconds grace)
{
    // Those that are registered are read before the list of connections: who is among them must be in that.
    auto arguments = begin();
    arguments.add_number(others_);
    const reply answers =
        co_await redis_->call(find_script("managed/known_workers"), arguments, patience::unlimited);
    const auto answered = clock::now();
    const auto answer = reply::parts(answers.back());
    if (answer.size() != 4)
        throw_unexpected_answer("another number of parts than a list of workers has");
    others_ = answer[3].integer();
    const auto connected = co_await redis_->roll().take(redis_, grace);
    round_pause_ = connected->pause();
    is_anybody_missing_ = false;
    until_dead_ = std::chrono::milliseconds::max();
    if (!connected->flaw.empty()) { // the locks' ends alone must do
        redis_->warn_once("jobs of dead workers are returned only when their locks run out, since " +
                          connected->flaw);
        co_return dead_workers{};
    }
    std::set<std::string> missing;
    for (std::size_t i = 0; i != answer[0].size(); ++i)
        if (std::string worker{answer[0][i]}; connected->names.contains(worker))
            present_.push_back(std::move(worker));
        else
            missing.insert(std::move(worker));
    auto seen = read_absences(answer[1]);
    const bool was_empty = seen.empty();
    // What this monitor saw on another connection does not mean that they have been absent all the time; nor what was
    // seen before the slot has moved.
    const auto last_look = std::exchange(looked_at_, clock::now());
    if ((last_look != clock::time_point{} && redis_->connecting_since() > last_look) ||
        redis_->has_just_moved())
        seen.forget();
    dead_workers dead{.names = {}, .looked_at = bounded_milliseconds(answer[2].integer())};
    if (!redis_->has_just_moved())
        dead.names = seen.note(missing, dead.looked_at, grace);
    is_anybody_missing_ = !seen.empty();
    until_dead_ = seen.wait(grace);
    if (!was_empty || !seen.empty())
        co_await store_absences(key("coworker:gone"), seen);
    if (!dead.names.empty()) { // a roll that is shared may be older than the look at the workers
        const auto again = co_await redis_->roll().take(redis_, grace, answered);
        std::erase_if(dead.names, [&](const auto& worker) {
            return !again->flaw.empty() || again->names.contains(worker);
        });
    }
    co_return dead;
}

/// In Redis, so that a monitor that ends leaves what it has seen to the next one.
asio::awaitable<void> managed_source::store_absences(const std::string& gone, const absences& seen)
{
    request store;
    store.push("DEL", gone);
    if (!seen.empty()) {
        const auto fields = fields_of(seen);
        store.push_range("HSET", gone, fields.begin(), fields.end());
    }
    reply stored;
    co_await redis_->exec(store, stored, patience::unlimited);
    stored.throw_if_error();
}

/// Whether workers whose connections can be looked for hold jobs, and whether there are jobs whose parents have ended
/// and that nobody has seen to. Who ended such a parent saw to them in the same call, but for those of which there are
/// very many.
asio::awaitable<managed_source::monitor_work> managed_source::look_for_work(bool watch)
{
    const auto workers = key("workers"), ended_parents = key("coworker:ended-parents");
    script_arguments arguments{prefix_, workers, ended_parents};
    arguments.add("server");
    arguments.add(""); // leaves nobody out
    const auto& holders = find_script("managed/holders");
    reply answers;
    if (watch)
        answers = co_await redis_->call_tracked(holders, arguments);
    else
        answers = co_await redis_->call(holders, arguments, patience::unlimited);
    const auto found = answers.back();
    co_return monitor_work{found.integer(0) != 0, found.integer(1) != 0};
}

/// How long the leader's term lasts still; negative if there is none. Its end and every change are told.
asio::awaitable<std::chrono::milliseconds> managed_source::time_of_leader()
{
    const reply answers =
        co_await redis_->call_tracked(find_script("redis/leader"), script_arguments{leader_});
    co_return bounded_span(answers.back().integer());
}

asio::awaitable<void> managed_source::wait_for_leases()
{
    if (leads_)
        co_await sleep_as_leader();
    else
        co_await sleep_beside_leader();
}

asio::awaitable<void> managed_source::sleep_as_leader()
{
    for (;;) {
        workers_watch_.arm();
        const auto found = co_await look_for_work(true);
        if (found.any())
            co_return;
        // Each change of the key wakes the others.
        if (leads_until_ - clock::now() < term_asleep * 2 / 3) {
            co_await lead(term_asleep);
            if (!leads_)
                co_return;
        }
        const bool changed = co_await workers_watch_.wait_until(polls_.next(*redis_, monitor_pause));
        // Jobs came, and went before this looks: they are noted with the next one that comes in another minute, or with
        // the next poll, so that nothing is sent for their sake.
        const bool jobs_came = changed || !redis_->tracks();
        if (minute_.is_open() && (!jobs_came || minute_.is_over(clock::now())))
            co_await note_minute();
        if (jobs_came)
            minute_.touch(clock::now());
    }
}

asio::awaitable<void> managed_source::note_minute(patience how_long)
{
    const auto ago = minute_.age(clock::now());
    std::chrono::milliseconds rest{60'000};
    std::int64_t offset = 0;
    bool more = false; // that is to be removed
    do {
        auto arguments = begin();
        arguments.add_number(ago.count());
        arguments.add_number(offset);
        const reply answers =
            co_await redis_->try_call(find_script("managed/note_minute"), arguments, how_long);
        const auto answer = answers.back();
        if (answer.is_error())
            break;
        offset = answer.integer(0);
        rest = bounded_span(answer.integer(1));
        more = more || answer.integer(2) != 0;
    } while (offset != 0 || std::exchange(more, false));
    minute_.note(clock::now(), rest);
}

asio::awaitable<void> managed_source::sleep_beside_leader()
{
    for (;;) {
        leader_watch_.arm();
        const auto left = co_await time_of_leader();
        if (left <= longest_monitor_term)
            co_return;
        const auto poll = polls_.next(*redis_, monitor_pause);
        const bool changed = co_await leader_watch_.wait_until(std::min(clock::now() + left, poll));
        if (!changed) // it may have died in its sleep
            co_return;
    }
}

} // namespace coworker::detail
