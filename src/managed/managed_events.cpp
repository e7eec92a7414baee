// SPDX-License-Identifier: MIT
#include "coworker/managed_events.hpp"

#include "managed/checks.hpp"
#include "managed/event_buffer.hpp"
#include "redis/channel_watch.hpp"
#include "redis/connection/connection.hpp"
#include "redis/key_watch.hpp"

#include <boost/asio/dispatch.hpp>

namespace coworker {

using namespace detail;

namespace {

std::vector<std::string> channels_of(const std::string& prefix, const managed_events_options& which)
{
    std::vector<std::string> channels;
    if (which.all)
        channels.push_back(prefix + "log");
    if (which.tracked)
        for (const auto* name :
             {"track", "untrack", "put", "popped", "stalled", "completed", "failed", "canceled"})
            channels.push_back(prefix + name);
    return channels;
}

} // namespace

struct managed_events::state
{
    state(std::shared_ptr<connection> connected, const managed_options& options,
          const managed_events_options& which)
        : redis{std::move(connected)}, prefix_size{options.prefix.size()},
          channels{channels_of(options.prefix, which)}, events{which.capacity}
    {}

    /// What is known to the connection is made and used on its executor only.
    struct ears
    {
        ears(state& self)
            : wake_up{self.redis->watches(), self.redis->get_executor(), {}},
              watch{self.redis->channels(), self.channels,
                    [&self](std::string_view channel, std::string_view message) {
                        self.hear(channel, message);
                    },
                    [&self] { self.hear_of_a_new_connection(); }}
        {}

        key_watch wake_up; ///< of no keys: told of messages here, and of the client's end by the connection
        channel_watch watch;
    };

    ears& listening_with()
    {
        if (!heard_with)
            heard_with.emplace(*this);
        return *heard_with;
    }

    void hear(std::string_view channel, std::string_view message)
    {
        if (auto event = read_event(channel.substr(prefix_size), message)) {
            events.add(std::move(*event));
            heard_with->wake_up.notify();
        }
    }

    void hear_of_a_new_connection()
    {
        events.note_gap();
        heard_with->wake_up.notify();
    }

    /// The object is gone.
    void close()
    {
        closed = true;
        listening = false;
        events.clear();
        if (heard_with) {
            redis->drop(heard_with->watch);
            heard_with->wake_up.notify();
        }
    }

    std::shared_ptr<connection> redis;
    std::size_t prefix_size;
    std::vector<std::string> channels;
    event_buffer events;
    std::optional<ears> heard_with;
    bool listening = false;
    bool closed = false; ///< the object is gone

    static asio::awaitable<void> listen(std::shared_ptr<state> self);
    static asio::awaitable<managed_event> next(std::shared_ptr<state> self);
    static asio::awaitable<void> stop(std::shared_ptr<state> self);
};

managed_events::managed_events(const coworker::client& redis, managed_options options,
                               managed_events_options which)
{
    check_options(options);
    if (which.capacity == 0)
        throw explained_error{errc::invalid_option, "the capacity for events is at least 1"};
    if (!which.all && !which.tracked)
        throw explained_error{errc::invalid_option, "choose which events to hear: all, tracked or both"};
    state_ = std::make_shared<state>(connection_of(redis).for_prefix(options.prefix), options, which);
}

managed_events::managed_events(managed_events&& other) noexcept = default;

managed_events& managed_events::operator=(managed_events&& other) noexcept
{
    std::swap(state_, other.state_);
    managed_events{std::move(other)}; // what was here ends now
    return *this;
}

managed_events::~managed_events()
{
    if (const auto executor = state_ ? get_executor() : executor_type{})
        asio::dispatch(executor, [state = std::move(state_)] { state->close(); });
}

managed_events::executor_type managed_events::get_executor() const
{
    return state_->redis->get_executor();
}

// Calls keep the state: they may be begun, or go on, when the object is gone.

asio::awaitable<void> managed_events::listen()
{
    return state::listen(state_);
}

asio::awaitable<managed_event> managed_events::next()
{
    return state::next(state_);
}

asio::awaitable<void> managed_events::stop()
{
    return state::stop(state_);
}

asio::awaitable<void> managed_events::state::listen(std::shared_ptr<state> self)
{
    if (self->closed)
        throw system_error{errc::stopped};
    if (self->listening)
        co_return;
    auto& ears = self->listening_with();
    co_await self->redis->listen(ears.watch);
    if (self->closed) {
        self->redis->drop(ears.watch);
        throw system_error{errc::stopped};
    }
    self->listening = true;
}

asio::awaitable<managed_event> managed_events::state::next(std::shared_ptr<state> self)
{
    co_await listen(self);
    auto& wake_up = self->listening_with().wake_up;
    for (;;) {
        wake_up.arm();
        if (auto event = self->events.take())
            co_return std::move(*event);
        if (!self->listening)
            throw system_error{errc::stopped};
        co_await self->redis->ready(patience::unlimited); // throws when the client has ended
        co_await wake_up.wait_until(std::chrono::steady_clock::time_point::max());
    }
}

asio::awaitable<void> managed_events::state::stop(std::shared_ptr<state> self)
{
    self->listening = false;
    self->events.clear();
    auto& ears = self->listening_with();
    ears.wake_up.notify();
    co_await self->redis->unlisten(ears.watch);
}

} // namespace coworker
