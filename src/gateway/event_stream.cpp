// SPDX-License-Identifier: MIT
#include "gateway/event_stream.hpp"

#include "gateway/api.hpp"
#include "gateway/memory_share.hpp"
#include "gateway/page.hpp"
#include "json/event_text.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace coworker::detail {
namespace {

managed_options event_queue_options(const std::string& prefix)
{
    managed_options options;
    options.prefix = prefix;
    return options;
}

managed_events_options event_choice(const event_stream_limits& limits)
{
    managed_events_options which;
    which.capacity = limits.capacity;
    return which;
}

} // namespace

event_stream::event_stream(const client& redis, const std::string& managed_prefix, event_stream_limits limits)
    : heartbeat_{limits.heartbeat}, events_{redis, event_queue_options(managed_prefix), event_choice(limits)},
      timer_{redis.get_executor()}
{}

asio::awaitable<void> event_stream::begin()
{
    co_await events_.async_listen(awaited);
}

asio::awaitable<std::string> event_stream::next()
{
    const auto until = std::chrono::steady_clock::now() + heartbeat_;
    while (!is_over_) {
        if (event_) {
            auto text = describe_event(*std::exchange(event_, std::nullopt));
            if (!text.empty())
                co_return text;
        }
        if (std::chrono::steady_clock::now() >= until)
            co_return ": nothing new\n\n";
        wait_for_event();
        timer_.expires_at(until);
        error_code ignored; // an event and the end are told as a cancellation
        if (!event_ && !is_over_)
            co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        const auto state = co_await asio::this_coro::cancellation_state;
        if (state.cancelled() != asio::cancellation_type::none)
            throw system_error{asio::error::operation_aborted};
    }
    co_return std::string{};
}

/// Goes on while parts are sent: at most one event is taken ahead.
void event_stream::wait_for_event()
{
    if (std::exchange(is_waiting_, true))
        return;
    events_.async_next([weak = weak_from_this()](error_code ec, managed_event what) {
        const auto self = weak.lock();
        if (!self)
            return;
        self->is_waiting_ = false;
        if (ec)
            self->is_over_ = true;
        else
            self->event_ = std::move(what);
        self->timer_.cancel();
    });
}

void event_stream::stop()
{
    is_over_ = true;
    timer_.cancel();
}

std::string describe_event(const managed_event& what)
{
    using kind = managed_event_kind;
    // Of tracked jobs these are published once more, as of any job.
    if (what.of_tracked && (what.kind == kind::put || what.kind == kind::completed ||
                            what.kind == kind::failed || what.kind == kind::canceled))
        return {};
    return "event: " + std::string{to_string(what.kind)} + "\ndata: " + detail::describe(what).str() + "\n\n";
}

asio::awaitable<answer> api::events(const routed& where)
{
    constexpr std::size_t most_kept = 1024 * 1024; // for a client that reads slowly
    if (where.held != nullptr)
        where.held->add(most_kept);
    std::erase_if(streams_, [](const auto& each) { return each.expired(); });
    if (streams_.size() >= options_.event_client_limit) {
        refusal refused{503, "As many clients listen to events as this gateway lets; try again later."};
        refused.fields.emplace_back("Retry-After", "10");
        throw refused;
    }
    const auto stream = std::make_shared<event_stream>(redis_, options_.managed_prefix);
    streams_.emplace_back(stream);
    co_await stream->begin();
    answer result{.body = ": listening\n\n", .content_type = "text/event-stream"};
    // Proxies pass each event on at once, and leave it as it is.
    result.fields.emplace_back("Cache-Control", "no-store, no-transform");
    result.fields.emplace_back("X-Accel-Buffering", "no");
    result.next_part = [stream] { return stream->next(); };
    co_return result;
}

void api::stop()
{
    taker_.stop();
    for (const auto& each : streams_)
        if (const auto stream = each.lock())
            stream->stop();
}

} // namespace coworker::detail
