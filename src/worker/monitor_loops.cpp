// SPDX-License-Identifier: MIT
#include "worker/monitor_loops.hpp"

#include "coworker/error.hpp"
#include "worker/source_failure.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <optional>

namespace coworker::detail {
namespace {

/// One round, and the time until the next one.
asio::awaitable<std::chrono::milliseconds> look(job_source& source, std::chrono::milliseconds lease,
                                                std::chrono::milliseconds grace, const observer& tell)
{
    const auto found = co_await source.recover(lease, grace);
    if (found.recovered != 0)
        tell({.kind = event_kind::recovered,
              .queue = source.name(),
              .message = found.reason,
              .count = found.recovered});
    if (found.idle)
        co_await source.wait_for_leases();
    else
        co_await source.wait_for_round(found.pause);
    co_return std::chrono::milliseconds{0};
}

/// How long to wait after an error. After a lost connection not at all, as the next call waits for the next one.
std::chrono::milliseconds pause_after(const system_error& error, asio::cancellation_type cancelled,
                                      const job_source& source, const observer& tell)
{
    const auto what = judge_failure(error.code(), cancelled);
    if (what == source_failure::cancelled)
        throw system_error{asio::error::operation_aborted};
    if (what == source_failure::ended)
        throw error;
    if (waits_by_itself(error.code()))
        return std::chrono::milliseconds{0};
    tell({.kind = event_kind::warning, .queue = source.name(), .message = error.what()});
    return refusal_pause;
}

asio::awaitable<std::chrono::milliseconds> run_schedules(job_source& source)
{
    co_await source.run_schedules();
    co_return std::chrono::milliseconds{0};
}

asio::awaitable<std::chrono::milliseconds>
hand_over_parts(job_source& source, const std::function<void(std::vector<std::unique_ptr<job_source>>)>& add)
{
    add(co_await source.wait_for_parts());
    co_return std::chrono::milliseconds{0};
}

/// Calls `round` again and again, after the pause that it returns.
template<class Round>
asio::awaitable<void> repeat(job_source& source, const observer& tell, Round round)
{
    asio::steady_timer timer{co_await asio::this_coro::executor};
    for (;;) {
        std::chrono::milliseconds pause{0};
        std::optional<system_error> error;
        try {
            pause = co_await round();
        } catch (const system_error& caught) {
            error = caught;
        }
        const auto state = co_await asio::this_coro::cancellation_state;
        if (error)
            pause = pause_after(*error, state.cancelled(), source, tell);
        if (pause.count() == 0)
            continue;
        timer.expires_after(pause);
        co_await timer.async_wait(asio::use_awaitable);
    }
}

} // namespace

asio::awaitable<void> return_lost_jobs(job_source& source, std::chrono::milliseconds lease,
                                       std::chrono::milliseconds grace, observer tell)
{
    co_await repeat(source, tell, [&] { return look(source, lease, grace, tell); });
}

asio::awaitable<void> carry_out_schedules(job_source& source, observer tell)
{
    co_await repeat(source, tell, [&] { return run_schedules(source); });
}

asio::awaitable<void> add_new_parts(job_source& source, observer tell,
                                    std::function<void(std::vector<std::unique_ptr<job_source>>)> add)
{
    co_await repeat(source, tell, [&] { return hand_over_parts(source, add); });
}

std::vector<job_source*> schedule_keepers(const std::vector<job_source*>& sources)
{
    std::vector<job_source*> keepers;
    for (auto* source : sources) {
        const auto is_same = [source](job_source* other) {
            return other->connection() == source->connection() && other->schedules() == source->schedules();
        };
        if (!source->schedules().empty() && std::none_of(keepers.begin(), keepers.end(), is_same))
            keepers.push_back(source);
    }
    return keepers;
}

} // namespace coworker::detail
