// SPDX-License-Identifier: MIT
#include "coworker/managed_queue.hpp"
#include "managed/browse.hpp"
#include "managed/managed_call.hpp"
#include "managed/read_job.hpp"
#include "managed/read_look.hpp"
#include "redis/server_time.hpp"

#include <boost/redis/request.hpp>

/// What can be seen of a managed queue.
namespace coworker {

using namespace detail;

namespace {

asio::awaitable<managed_statistics> statistics_of(kept_connection redis, managed_call call,
                                                  std::string prefix, std::string queue,
                                                  std::optional<timestamp> day)
{
    if (!day)
        day = co_await server_time(redis);
    call.add_number(std::chrono::floor<std::chrono::seconds>(*day).time_since_epoch().count());
    const reply answer = co_await call_managed(redis, std::move(call));
    auto statistics = read_statistics(answer.back().text());
    // The script answers what qless answers; this count is coworker's own.
    boost::redis::request ask;
    ask.push("HGET", retries_key(prefix, *day), queue);
    reply retries;
    co_await redis->exec(ask, retries);
    retries.throw_if_error();
    statistics.retries = to_integer(retries[0].text());
    co_return statistics;
}

} // namespace

asio::awaitable<std::vector<managed_job>> managed_queue::peek(std::size_t count) const
{
    constexpr std::size_t most = 500;
    managed_call call{options_.prefix, "peek"};
    call.add(name_).add_number(std::min(count, most));
    return tell(
        *redis_, std::move(call), +[](const reply::answer& answer) { return read_jobs(answer.text()); });
}

asio::awaitable<managed_queue_counts> managed_queue::counts() const
{
    managed_call call{options_.prefix, "queues"};
    call.add(name_);
    return tell(
        *redis_, std::move(call), +[](const reply::answer& answer) { return read_queue(answer.text()); });
}

asio::awaitable<managed_statistics> managed_queue::statistics(std::optional<timestamp> day) const
{
    managed_call call{options_.prefix, "stats"};
    call.add(name_);
    return statistics_of(*redis_, std::move(call), options_.prefix, name_, day);
}

asio::awaitable<std::vector<std::string>> managed_queue::jobs(managed_state in_state, std::size_t offset,
                                                              std::size_t count) const
{
    switch (in_state) {
    case managed_state::running:
    case managed_state::stalled:
    case managed_state::scheduled:
    case managed_state::depends:
    case managed_state::recurring:
        break;
    default:
        throw explained_error{
            errc::invalid_option,
            "a queue lists jobs that are running, stalled, scheduled, depends or recurring; "
            "use peek for waiting ones, and a managed_client for failed and complete ones"};
    }
    managed_call call{options_.prefix, "jobs"};
    call.add(to_string(in_state)).add(name_).add_place(offset).add_place(count);
    return tell(*redis_, std::move(call), read_array);
}

} // namespace coworker
