#include "limits.hpp"
#include "managed/managed_source.hpp"
#include "redis/connection_names.hpp"
#include "redis/lead.hpp"

#include <boost/redis/request.hpp>

#include <algorithm>

/// The monitor of the managed queues below one prefix: finds coworker's workers whose connection is gone. Locks
/// that run out need no monitor, since every pop looks for them.
namespace coworker::detail {

using boost::redis::request;

bool is_connection_name(std::string_view worker) noexcept
{
    constexpr std::size_t digits = 16;
    if (worker.size() <= digits || worker[worker.size() - digits - 1] != ':')
        return false;
    const auto number = worker.substr(worker.size() - digits);
    return number.find_first_not_of("0123456789abcdef") == number.npos;
}

asio::awaitable<job_source::recovery> managed_source::recover(std::chrono::milliseconds)
{
    recovery result;
    result.pause = monitor_pause;
    // One source leads for all queues. A worker has several, which must not all do it.
    const auto busy =
        co_await take_lead(*redis_, key("coworker:monitor"), *worker_ + " " + name_, monitor_term);
    if (busy.count() > 0) {
        result.pause = busy;
    } else if (const auto dead = co_await find_dead_workers(); !dead.empty()) {
        auto arguments = begin();
        for (const auto& worker : dead)
            arguments.add(worker);
        for (bool more = true; more;) {
            const reply answers =
                co_await redis_->call(find_script("managed/recover"), arguments, patience::unlimited);
            const auto answer = answers.back();
            result.recovered += static_cast<std::size_t>(answer.integer(0) + answer.integer(1));
            more = answer.integer(2) != 0;
        }
        result.reason = "their worker is gone";
    }
    const auto others = co_await count_other_holders(false);
    result.idle = others == 0;
    co_return result;
}

/// Workers that have been without a connection for longer than the grace.
asio::awaitable<std::set<std::string>> managed_source::find_dead_workers()
{
    // Those that are registered are read first: who is among them must be in the list of connections.
    request look;
    look.push("ZRANGE", key("workers"), 0, -1);
    look.push("CLIENT", "LIST");
    reply answers;
    co_await redis_->exec(look, answers, patience::unlimited);
    std::set<std::string> dead;
    if (answers[1].is_error()) { // not permitted: the locks' ends alone must do
        redis_->warn_once(
            "jobs of dead workers are returned only when their locks run out, since CLIENT LIST is "
            "refused: " +
            std::string{answers[1].text()});
        co_return dead;
    }
    answers.throw_if_error();
    const auto connected = connection_names(answers[1].text());
    const auto workers = answers[0];
    const auto now = clock::now();
    // What was seen before a break, or on another connection, does not mean that they have been absent all the time.
    if (now - looked_at_ >= worker_grace || redis_->connecting_since() > looked_at_)
        absent_since_.clear();
    looked_at_ = now;
    std::map<std::string, clock::time_point> absent;
    for (std::size_t i = 0; i != workers.size(); ++i) {
        const std::string worker{workers[i]};
        if (!is_connection_name(worker) || connected.contains(worker))
            continue;
        const auto known = absent_since_.find(worker);
        const auto since = known != absent_since_.end() ? known->second : now;
        absent.emplace(worker, since);
        if (now - since >= worker_grace)
            dead.insert(worker);
    }
    absent_since_ = std::move(absent);
    co_return dead;
}

/// How many workers whose connections can be looked for hold jobs, other than this one.
asio::awaitable<std::int64_t> managed_source::count_other_holders(bool watch)
{
    const auto workers = key("workers");
    script_arguments arguments{prefix_, workers};
    arguments.add("server");
    arguments.add(*worker_);
    const auto& holders = find_script("managed/holders");
    reply answers;
    if (watch)
        answers = co_await redis_->call_tracked(holders, arguments);
    else
        answers = co_await redis_->call(holders, arguments, patience::unlimited);
    co_return answers.back().integer();
}

asio::awaitable<void> managed_source::wait_for_leases()
{
    for (;;) {
        workers_watch_.arm();
        const auto others = co_await count_other_holders(true);
        if (others != 0)
            co_return;
        co_await workers_watch_.wait_until(polls_.next(*redis_, monitor_pause));
    }
}

} // namespace coworker::detail
