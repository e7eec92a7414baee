// SPDX-License-Identifier: MIT
#include "support/event_log.hpp"

#include "support/coroutine.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <stdexcept>

namespace coworker::test {

using clock = std::chrono::steady_clock;

struct event_log::state
{
    explicit state(const asio::any_io_executor& executor) : changed{executor} {}

    std::vector<recorded_event> events;
    asio::steady_timer changed;
};

event_log::event_log(const asio::any_io_executor& executor) : state_{std::make_shared<state>(executor)} {}

observer event_log::observe() const
{
    return [state = state_](const event& what) {
        state->events.push_back({what.kind, std::string{what.queue}, std::string{what.job_id},
                                 std::string{what.message}, what.count, what.attempt, what.duration,
                                 what.delay, clock::now()});
        state->changed.cancel();
    };
}

asio::awaitable<void> event_log::wait_until(std::string what,
                                            std::function<bool(const event_log&)> condition) const
{
    const event_log self = *this; // keeps what is shared
    const auto give_up = clock::now() + patience;
    while (!condition(self)) {
        if (clock::now() >= give_up)
            throw std::runtime_error{"waited in vain for " + what + "; told were:" + self.tell()};
        self.state_->changed.expires_at(give_up);
        boost::system::error_code ignored;
        co_await self.state_->changed.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
}

asio::awaitable<recorded_event> event_log::wait_for(event_kind kind, std::size_t count) const
{
    const event_log self = *this;
    std::string what = std::to_string(count) + " of " + std::string{to_string(kind)};
    co_await self.wait_until(std::move(what), [=](const event_log& log) { return log.count(kind) >= count; });
    co_return self.of(kind)[count - 1];
}

std::size_t event_log::count(event_kind kind) const
{
    const auto& events = state_->events;
    return static_cast<std::size_t>(
        std::count_if(events.begin(), events.end(), [&](const auto& event) { return event.kind == kind; }));
}

std::size_t event_log::total(event_kind kind) const
{
    std::size_t sum = 0;
    for (const auto& event : state_->events)
        if (event.kind == kind)
            sum += event.count;
    return sum;
}

std::vector<recorded_event> event_log::of(event_kind kind) const
{
    std::vector<recorded_event> found;
    for (const auto& event : state_->events)
        if (event.kind == kind)
            found.push_back(event);
    return found;
}

const std::vector<recorded_event>& event_log::all() const noexcept
{
    return state_->events;
}

std::string event_log::tell() const
{
    std::string text;
    for (const auto& event : state_->events) {
        text += ' ';
        text += to_string(event.kind);
        if (!event.message.empty())
            text += '(' + event.message + ')';
    }
    return text;
}

} // namespace coworker::test
