// SPDX-License-Identifier: MIT
#include "redis/server_connection/server_connection.hpp"

#include "redis/client_address.hpp"
#include "redis/counted_call.hpp"
#include "redis/sentinels.hpp"
#include "redis/tls.hpp"

#include <boost/asio/post.hpp>
#include <boost/redis/connection.hpp>

#include <utility>

namespace coworker::detail {

namespace redis = boost::redis;

server_connection::server_connection(asio::any_io_executor executor, client_options how, cluster_identity who)
    : connection{std::move(executor), std::move(how), who}, state_changed_{get_executor()},
      address_{client_address(options())}, sentinels_{options().sentinels.begin(), options().sentinels.end()},
      control_channel_{"coworker:control:" + name()}, backoff_{options().reconnect_delay_minimum,
                                                               options().reconnect_delay_maximum},
      backoff_timer_{get_executor()}, gate_{get_executor()},
      limits_{std::make_shared<time_limits>(get_executor())}, former_{std::move(who.former)},
      tls_trouble_{std::make_shared<tls_trouble>()}, hears_{std::move(who.hears)}
{
    make_link();
}

void server_connection::make_link()
{
    connection_ = std::make_unique<redis::connection>(
        get_executor(), make_tls(options(), address_, tls_trouble_),
        redis::logger{redis::logger::level::err, [this](redis::logger::level, std::string_view line) {
                          last_log_line_ = on_one_line(line);
                      }});
    connection_->set_receive_response(pushes_);
}

server_connection::~server_connection() = default;

// --- listening -------------------------------------------------------------------------

asio::awaitable<void> server_connection::listen(channel_watch& watch, patience how_long)
{
    const auto self = shared_from_this();
    script_arguments channels;
    redis::request subscribe;
    subscribe.push_range("SUBSCRIBE", watch.channels());
    subscribe.push("PING"); // the pushes that answer SUBSCRIBE are not answers to the request
    for (const auto& channel : watch.channels())
        channels.add(channel);
    const reply permitted = co_await call(find_script("redis/may_subscribe"), channels, how_long);
    if (permitted.back().integer() == 0)
        throw explained_error{errc::command_refused,
                              "this user may not SUBSCRIBE to " + watch.channels().front() + " and others"};
    watch.enlist(); // first, so that a connection that is made meanwhile has the channels too
    reply answers;
    std::exception_ptr error;
    try {
        co_await exec(subscribe, answers, how_long);
    } catch (...) {
        error = std::current_exception();
    }
    if (error) {
        drop(watch); // Redis may have carried it out
        std::rethrow_exception(error);
    }
}

asio::awaitable<void> server_connection::unlisten(channel_watch& watch)
{
    const auto self = shared_from_this();
    watch.withdraw();
    const auto rest = channels()->unwatched(watch.channels());
    if (rest.empty())
        co_return;
    redis::request unsubscribe;
    unsubscribe.push_range("UNSUBSCRIBE", rest);
    unsubscribe.push("PING");
    reply answers;
    co_await exec(unsubscribe, answers);
}

void server_connection::drop(channel_watch& watch)
{
    watch.withdraw();
    const auto rest = channels()->unwatched(watch.channels());
    if (rest.empty() || !connected_ || is_stopping())
        return;
    redis::request unsubscribe;
    unsubscribe.push_range("UNSUBSCRIBE", rest);
    unsubscribe.push("PING");
    send_aside(std::move(unsubscribe));
}

void server_connection::resubscribe()
{
    auto all = channels()->channels();
    std::erase(all, control_channel_);               // it tells that a connection is up
    if (all.empty() || !connected_ || is_stopping()) // or the set-up of the next connection does it
        return;
    redis::request subscribe;
    subscribe.push_range("SUBSCRIBE", all);
    subscribe.push("PING");
    send_aside(std::move(subscribe));
    channels()->notify_new_connection();
}

/// Nobody waits for the answers.
void server_connection::send_aside(redis::request request)
{
    struct request_aside
    {
        request_aside(server_connection& on) : under_way{on.requests_under_way_, on.state_changed_} {}
        redis::request request;
        reply answers;
        counted_call under_way; // stop() waits for it
    };
    const auto sent = std::make_shared<request_aside>(*this);
    sent->request = std::move(request);
    sent->request.get_config().cancel_on_connection_lost = true;
    connection_->async_exec(sent->request, sent->answers.tree,
                            [self = shared_from_this(), sent](error_code, std::size_t) {});
}

// --- ending ----------------------------------------------------------------------------

void server_connection::abandon()
{
    if (!begin_to_stop() || !started_)
        return;
    // Not from here: a client may be destroyed together with its context, whose operations must not be
    // cancelled any more. Then this is never called.
    asio::post(get_executor(), [this, self = shared_from_this()] {
        if (connection_) {
            connection_->cancel(redis::operation::exec);
            connection_->cancel(redis::operation::run);
        }
        backoff_timer_.cancel();
        limits_->stop();
        state_changed_.notify();
        gate_.wake_all();
        watches()->notify_all();
    });
}

asio::awaitable<void> server_connection::stop()
{
    const auto self = shared_from_this();
    abandon();
    co_await stop_confirming();
    // Until everything has ended, also when the caller is cancelled meanwhile.
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    while ((started_ && !ended_) || requests_under_way_ != 0)
        co_await state_changed_.wait();
    connection_.reset(); // nothing else closes its socket
}

} // namespace coworker::detail
