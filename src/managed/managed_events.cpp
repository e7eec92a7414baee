#include "coworker/managed_events.hpp"

#include "managed/checks.hpp"
#include "managed/event_buffer.hpp"
#include "redis/channel_watch.hpp"
#include "redis/client.hpp"
#include "redis/key_watch.hpp"

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
    state(std::shared_ptr<detail::client> redis, const managed_options& options,
          const managed_events_options& which)
        : client{std::move(redis)}, prefix_size{options.prefix.size()}, events{which.capacity},
          wake_up{client->watches(), client->get_executor(), {}},
          watch{client->channels(), channels_of(options.prefix, which),
                [this](std::string_view channel, std::string_view message) { hear(channel, message); },
                [this] { hear_of_a_new_connection(); }}
    {}

    void hear(std::string_view channel, std::string_view message)
    {
        if (auto event = read_event(channel.substr(prefix_size), message)) {
            events.add(std::move(*event));
            wake_up.notify();
        }
    }

    void hear_of_a_new_connection()
    {
        events.note_gap();
        wake_up.notify();
    }

    std::shared_ptr<detail::client> client;
    std::size_t prefix_size;
    event_buffer events;
    key_watch wake_up; ///< of no keys: told of messages here, and of the session's end by the client
    channel_watch watch;
    bool listening = false;
    bool closed = false; ///< the object is gone

    static asio::awaitable<void> listen(std::shared_ptr<state> self);
    static asio::awaitable<managed_event> next(std::shared_ptr<state> self);
    static asio::awaitable<void> stop(std::shared_ptr<state> self);
};

managed_events::managed_events(session& session, managed_options options, managed_events_options which)
{
    check_options(options);
    if (which.capacity == 0)
        throw system_error{errc::invalid_option, "the capacity for events is at least 1"};
    if (!which.all && !which.tracked)
        throw system_error{errc::invalid_option, "choose which events to hear: all, tracked or both"};
    state_ = std::make_shared<state>(session.client().shared_from_this(), options, which);
}

managed_events::~managed_events()
{
    state_->closed = true;
    state_->listening = false;
    state_->events.clear();
    state_->client->drop(state_->watch);
    state_->wake_up.notify();
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
    co_await self->client->listen(self->watch);
    if (self->closed) {
        self->client->drop(self->watch);
        throw system_error{errc::stopped};
    }
    self->listening = true;
}

asio::awaitable<managed_event> managed_events::state::next(std::shared_ptr<state> self)
{
    co_await listen(self);
    for (;;) {
        self->wake_up.arm();
        if (auto event = self->events.take())
            co_return std::move(*event);
        if (!self->listening)
            throw system_error{errc::stopped};
        co_await self->client->ready(patience::unlimited); // throws when the session has ended
        co_await self->wake_up.wait_until(std::chrono::steady_clock::time_point::max());
    }
}

asio::awaitable<void> managed_events::state::stop(std::shared_ptr<state> self)
{
    self->listening = false;
    self->events.clear();
    self->wake_up.notify();
    co_await self->client->unlisten(self->watch);
}

} // namespace coworker
