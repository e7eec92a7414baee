// SPDX-License-Identifier: MIT
#include "worker/confirmer.hpp"

#include "unconfirmed.hpp"
#include "worker/queue_runner.hpp"
#include "worker/source_failure.hpp"

#include <boost/asio/this_coro.hpp>

#include <optional>
#include <utility>

namespace coworker::detail {
namespace {

/// How many jobs wait at most to be told of, since each takes memory: more than a worker ends in any confirmation that
/// is answered soon.
constexpr std::size_t most_waiting = 200'000;

} // namespace

confirmer::confirmer(queue_runner& queue, worker_life& life)
    : queue_{queue}, life_{life}, has_waiting_{life.get_executor()}
{}

void confirmer::begin()
{
    const auto& wanted = queue_.options().durability;
    if (wanted == durability::memory())
        return;
    queue_.source().confirm_as(wanted);
    is_wanted_ = true;
}

void confirmer::add(const running_job& job)
{
    if (waiting_.jobs >= most_waiting) {
        if (life_.is_observed())
            tell_of_unconfirmed(life_, queue_, end_of(job), "too many acknowledgements wait to be confirmed");
        return;
    }
    ++waiting_.jobs;
    if (life_.is_observed())
        waiting_.ends.push_back(end_of(job));
    has_waiting_.notify();
}

asio::awaitable<void> confirmer::confirm_loop()
{
    for (;;) {
        while (waiting_.jobs == 0)
            co_await has_waiting_.wait();
        std::swap(asked_, waiting_);
        const auto why_not = co_await confirm();
        tell(asked_, why_not);
        if (life_.stops()) // which may be all that the supervisor has waited for
            life_.has_changed();
    }
}

/// Returns why there is no confirmation; empty: there is.
asio::awaitable<std::string> confirmer::confirm()
{
    std::optional<system_error> error;
    try {
        co_await queue_.source().confirm();
    } catch (const system_error& caught) {
        error = caught;
    }
    if (!error)
        co_return std::string{};
    const auto state = co_await asio::this_coro::cancellation_state;
    const auto what = judge_failure(error->code(), state.cancelled());
    if (what == source_failure::cancelled)
        throw system_error{asio::error::operation_aborted};
    if (what == source_failure::ended)
        throw *error;
    co_return reason_of_missing(*error);
}

void confirmer::tell(batch& what, const std::string& why_not)
{
    for (const auto& end : std::exchange(what.ends, {}))
        if (why_not.empty())
            life_.emit(end.as_event(queue_.name()));
        else
            tell_of_unconfirmed(life_, queue_, end, why_not);
    what.jobs = 0;
}

void confirmer::give_up()
{
    for (auto* left : {&asked_, &waiting_})
        tell(*left, "the worker has ended");
}

} // namespace coworker::detail
