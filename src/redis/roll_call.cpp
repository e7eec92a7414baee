// SPDX-License-Identifier: MIT
#include "redis/roll_call.hpp"

#include "bounds.hpp"
#include "redis/connection_names.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/redis/request.hpp>

#include <algorithm>
#include <utility>

namespace coworker::detail {
namespace {

using clock = std::chrono::steady_clock;

/// While it lives, nobody else asks.
class asking
{
public:
    asking(bool& flag, signal& ended) : flag_{flag}, ended_{ended} { flag_ = true; }
    ~asking()
    {
        flag_ = false;
        ended_.notify();
    }
    asking(const asking&) = delete;
    asking& operator=(const asking&) = delete;

private:
    bool& flag_;
    signal& ended_;
};

/// Adds what a server has told.
void add(roll& all, const reply::answer& told, const connection& redis)
{
    if (told.is_error()) {
        all.flaw = "CLIENT LIST is refused: " + std::string{told.text()};
        return;
    }
    auto names = connection_names(told.text());
    if (!names.contains(redis.name())) // somebody leaves out connections, and who knows which
        all.flaw = "CLIENT LIST does not show the connection that asks";
    const auto text = told.text();
    all.connections += static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
    all.names.merge(names);
}

asio::awaitable<roll> ask(connection& redis)
{
    boost::redis::request list;
    list.push("CLIENT", "LIST");
    roll all;
    all.begun = std::chrono::steady_clock::now();
    bool is_complete = true;
    if (redis.in_cluster()) {
        survey nodes{redis};
        for (const auto& answers : co_await nodes.exec_on_each(list))
            add(all, answers[0], redis);
        is_complete = nodes.is_complete();
    }
    // While a slot moves, a worker may be connected to its old node only. But the node of one's own slot must have
    // answered.
    if (!redis.in_cluster() || !is_complete) {
        reply answers;
        co_await redis.exec(list, answers, patience::unlimited);
        add(all, answers[0], redis);
    }
    co_return all;
}

} // namespace

std::chrono::milliseconds roll::pause() const noexcept
{
    constexpr std::chrono::milliseconds of_each{2}, longest{2'000};
    return std::clamp(of_each * static_cast<std::int64_t>(connections), monitor_pause, longest);
}

std::chrono::milliseconds roll::look_pause() const noexcept
{
    constexpr std::chrono::milliseconds of_each{5}, shortest{250};
    return std::clamp(of_each * static_cast<std::int64_t>(connections), shortest, pause());
}

bool roll::misses_any(const std::vector<std::string>& workers) const
{
    return flaw.empty() && std::any_of(workers.begin(), workers.end(),
                                       [this](const std::string& name) { return !names.contains(name); });
}

asio::awaitable<std::shared_ptr<const roll>> roll_call::take(std::shared_ptr<connection> redis,
                                                             std::chrono::milliseconds grace,
                                                             std::chrono::steady_clock::time_point since)
{
    for (;;) {
        if (latest_ && latest_->begun >= since) {
            const auto age = std::chrono::steady_clock::now() - latest_->begun;
            // A round takes a little longer than the pause between rounds.
            if (age < std::min(latest_->look_pause() * 9 / 10, grace / 2))
                co_return latest_;
        }
        if (!is_asking_)
            break;
        co_await answered_.wait();
    }
    const asking now{is_asking_, answered_};
    auto all = co_await ask(*redis);
    latest_ = std::make_shared<const roll>(std::move(all));
    co_return latest_;
}

asio::awaitable<void> roll_call::watch(std::shared_ptr<connection> redis, std::vector<std::string> workers,
                                       std::chrono::milliseconds time)
{
    const auto end = clock::now() + time;
    asio::steady_timer timer{redis->get_executor()};
    for (auto seen = latest_; seen && !workers.empty() && end - seen->look_pause() > clock::now();) {
        timer.expires_after(seen->look_pause());
        co_await timer.async_wait(asio::use_awaitable);
        seen = co_await take(redis, time);
        if (seen->misses_any(workers))
            co_return;
    }
    timer.expires_at(end);
    co_await timer.async_wait(asio::use_awaitable);
}

bool roll_call::looks_for_all(const std::string& key, const void* monitor)
{
    constexpr std::chrono::seconds turn_time{2}; // longer than any of them waits before it asks again
    const auto now = clock::now();
    auto& latest = turns_[key];
    if (latest.monitor != monitor && now < latest.until)
        return false;
    latest = {monitor, now + turn_time};
    return true;
}

} // namespace coworker::detail
