// SPDX-License-Identifier: MIT
#include "inspect/history.hpp"

#include "inspect/parts.hpp"
#include "list/keys.hpp"
#include "redis/server_time.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <map>

namespace coworker::detail {

using namespace std::chrono_literals;

namespace {

std::string history_key(const inspection& self, const queue_ref& queue)
{
    return queue.is_managed() ? self.prefix() + "coworker:history:" + queue.name()
                              : list_keys{queue.name()}.history;
}

void add_counts(minute_counts& to, const minute_counts& more)
{
    to.minute = more.minute;
    to.succeeded += more.succeeded;
    to.failed += more.failed;
    to.retried += more.retried;
}

void ask_for_minutes(boost::redis::request& ask, const inspection& self, const queue_ref& queue,
                     std::chrono::minutes span)
{
    ask.push("LRANGE", history_key(self, queue), 0, span.count()); // the present minute is one of them
}

/// @param time  what TIME has answered
queue_history read_history(const reply::answer& time, const reply::answer& entries, std::chrono::minutes span)
{
    queue_history history;
    history.until = read_time(time);
    history.from = std::chrono::floor<std::chrono::minutes>(history.until) - span;
    // The server's clock may have been put back.
    std::map<timestamp, minute_counts> minutes;
    for (std::size_t i = 0; i != entries.size(); ++i)
        if (const auto found = read_minute(entries[i]);
            found && found->minute >= history.from && found->minute <= history.until)
            add_counts(minutes[found->minute], *found);
    for (const auto& [when, counts] : minutes)
        history.minutes.push_back(counts);
    return history;
}

/// Of the same time.
void add_history(queue_history& to, const queue_history& more)
{
    std::map<timestamp, minute_counts> minutes;
    for (const auto* const list : {&std::as_const(to.minutes), &more.minutes})
        for (const auto& counts : *list)
            add_counts(minutes[counts.minute], counts);
    to.minutes.clear();
    for (const auto& [when, counts] : minutes)
        to.minutes.push_back(counts);
}

} // namespace

std::optional<minute_counts> read_minute(std::string_view entry)
{
    std::array<std::uint64_t, 4> numbers{};
    const char* const end = entry.data() + entry.size();
    const char* at = entry.data();
    for (auto& number : numbers) {
        if (at != entry.data() && (at == end || *at++ != ' '))
            return std::nullopt;
        const auto [next, error] = std::from_chars(at, end, number);
        if (error != std::errc{})
            return std::nullopt;
        at = next;
    }
    constexpr std::uint64_t latest = 250'000'000'000; // seconds that a timestamp can hold
    if (at != end || numbers[0] > latest)
        return std::nullopt;
    const std::chrono::seconds began{static_cast<std::int64_t>(numbers[0])};
    return minute_counts{timestamp{began}, numbers[1], numbers[2], numbers[3]};
}

asio::awaitable<queue_history> show_history(shared_inspection self, queue_ref queue,
                                            std::chrono::minutes span)
{
    span = std::clamp<std::chrono::minutes>(span, 1min, 24h);
    auto parts = co_await parts_of(self, queue);
    if (parts.empty()) // the time is wanted in any case
        parts.push_back(std::move(queue));
    boost::redis::request ask;
    ask.push("TIME");
    for (const auto& part : parts)
        ask_for_minutes(ask, *self, part, span);
    const reply answers = co_await answers_of(*self->redis, ask);
    auto history = read_history(answers[0], answers[1], span);
    for (std::size_t i = 2; i <= parts.size(); ++i)
        add_history(history, read_history(answers[0], answers[i], span));
    co_return history;
}

namespace {

/// Of each queue, as it is: partitions are queues of their own. Empty where the node is missing, or another thing stands
/// under the key: that is no reason to show no queue.
asio::awaitable<std::vector<queue_history>> read_histories(shared_inspection self, survey& nodes,
                                                           const std::vector<queue_ref>& queues,
                                                           std::chrono::minutes span)
{
    std::vector<queue_history> histories(queues.size());
    if (queues.empty())
        co_return histories;
    boost::redis::request ask;
    ask.push("TIME");
    for (const auto& queue : queues)
        ask_for_minutes(ask, *self, queue, span);
    reply answers;
    co_await nodes.exec(ask, answers);
    throw_if_refused(answers[0]);
    reply other;
    if (answers[0].is_error()) { // the first queue's node is missing: so it is another one's time
        boost::redis::request time;
        time.push("TIME");
        co_await nodes.exec_on_any(time, other);
        throw_if_refused(other[0]);
    }
    const auto now = answers[0].is_error() ? other[0] : answers[0];
    for (std::size_t i = 0; i != queues.size(); ++i)
        if (!answers[1 + i].is_error())
            histories[i] = read_history(now, answers[1 + i], span);
    co_return histories;
}

} // namespace

asio::awaitable<std::vector<jobs_per_minute>> recent_rates(shared_inspection self, survey& nodes,
                                                           std::vector<queue_ref> queues)
{
    std::vector<jobs_per_minute> rates;
    for (const auto& each : co_await read_histories(self, nodes, queues, 1min))
        rates.push_back(each.rates(1min));
    co_return rates;
}

asio::awaitable<queue_history> show_total_history(shared_inspection self, std::vector<queue_ref> queues,
                                                  std::chrono::minutes span)
{
    span = std::clamp<std::chrono::minutes>(span, 1min, 24h);
    survey nodes{*self->redis};
    std::vector<queue_ref> all;
    for (const auto& parts : co_await parts_of_each(self, nodes, queues))
        all.insert(all.end(), parts.begin(), parts.end());
    queue_history total;
    total.until = co_await server_time(*self->redis);
    total.from = std::chrono::floor<std::chrono::minutes>(total.until) - span;
    for (const auto& each : co_await read_histories(self, nodes, all, span))
        add_history(total, each);
    co_return total;
}

} // namespace coworker::detail

namespace coworker {

jobs_per_minute queue_history::rates(std::chrono::minutes span) const
{
    const timestamp present = std::chrono::floor<std::chrono::minutes>(until);
    const auto begin = std::max<timestamp>(from, present - std::max(span, std::chrono::minutes{1}));
    // That nothing is noted of the present minute need not mean that nothing happened.
    const auto end = !minutes.empty() && minutes.back().minute >= present ? until : present;
    minute_counts sum;
    for (const auto& each : minutes)
        if (each.minute >= begin)
            detail::add_counts(sum, each);
    const double time = std::chrono::duration<double, std::ratio<60>>{end - begin}.count();
    if (time <= 0)
        return {};
    const auto rate = [time](std::uint64_t count) { return static_cast<double>(count) / time; };
    return {rate(sum.succeeded), rate(sum.failed), rate(sum.retried)};
}

} // namespace coworker
