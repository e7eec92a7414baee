// SPDX-License-Identifier: MIT
#include "redis/connection/connection.hpp"

#include "random_text.hpp"
#include "redis/cluster/cluster.hpp"
#include "redis/confirmed_writes.hpp"
#include "redis/counted_call.hpp"
#include "redis/roll_call.hpp"
#include "redis/sentinels.hpp"
#include "redis/tls.hpp"
#include "tell.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/redis/connection.hpp>

#include <utility>

namespace coworker::detail {
namespace {

namespace redis = boost::redis;

address resolve_options(const client_options& options)
{
    address where = parse_url(options.url);
    if (!options.user.empty())
        where.user = options.user;
    if (!options.password.empty())
        where.password = options.password;
    if (options.client_name.str().find_first_of(" \t\r\n") != std::string::npos)
        throw explained_error{errc::invalid_option, "client_name contains blanks"};
    for (const auto& [name, time] : {std::pair{"connect_timeout", options.connect_timeout},
                                     {"command_timeout", options.command_timeout},
                                     {"health_check_interval", options.health_check_interval}})
        if (time.count() < 0)
            throw explained_error{errc::invalid_option, std::string{name} + " is negative"};
    if (!options.sentinels.empty() && !where.nodes.empty())
        throw explained_error{errc::invalid_option, "sentinels cannot be used with redis+cluster://"};
    if (!options.sentinels.empty() && where.kind == transport::unix_socket)
        throw explained_error{errc::invalid_option, "sentinels cannot be used with a unix socket"};
    for (const auto& sentinel : options.sentinels)
        (void)parse_sentinel(sentinel);
    return where;
}

/// A cluster whose connections have the name of this one, and tell its watches.
std::shared_ptr<cluster> make_cluster(const connection& redis, const address& where)
{
    std::vector<node_address> seeds;
    for (const auto& [host, port] : where.nodes)
        seeds.push_back({host, port});
    cluster_identity identity{redis.name(), redis.watches(), redis.channels(), {}};
    return std::make_shared<cluster>(redis.get_executor(), redis.options(), where, std::move(seeds),
                                     std::move(identity));
}

/// Where a client runs that was given `executor`.
asio::any_io_executor executor_for(asio::any_io_executor executor, bool thread_safe)
{
    if (thread_safe) {
        // A strand of the context itself costs half of what one of a type-erased executor does.
        if (const auto* context = executor.target<asio::io_context::executor_type>())
            return asio::make_strand(*context);
        return asio::make_strand(std::move(executor));
    }
    if (executor.target<asio::thread_pool::executor_type>() != nullptr)
        throw explained_error{
            errc::invalid_option,
            "a thread_pool runs several handlers at a time: set thread_safe, or give the client a strand"};
    return executor;
}

} // namespace

connection::connection(asio::any_io_executor executor, client_options options)
    : options_{std::move(options)}, executor_{executor_for(std::move(executor), options_.thread_safe)},
      one_thread_{!options_.thread_safe && executor_.target<asio::io_context::executor_type>() != nullptr},
      address_{resolve_options(options_)}, sentinels_{options_.sentinels.begin(), options_.sentinels.end()},
      name_{options_.client_name.str() + ':' + random_digits()}, control_channel_{"coworker:control:" +
                                                                                  name_},
      backoff_{options_.reconnect_delay_minimum, options_.reconnect_delay_maximum}, backoff_timer_{executor_},
      state_changed_{executor_}, gate_{executor_}, limits_{std::make_shared<time_limits>(executor_)},
      tls_trouble_{std::make_shared<tls_trouble>()}, roll_{std::make_shared<roll_call>(executor_)}
{
    if (!address_.nodes.empty())
        cluster_ = make_cluster(*this, address_);
    else
        make_connection();
}

connection::connection(asio::any_io_executor executor, client_options options, cluster_identity identity)
    : connection{std::move(executor), std::move(options)}
{
    if (!identity.name.empty()) {
        name_ = std::move(identity.name);
        control_channel_ = "coworker:control:" + name_;
    }
    if (identity.watches)
        watches_ = std::move(identity.watches);
    if (identity.channels)
        channels_ = std::move(identity.channels);
    hears_ = std::move(identity.hears);
    former_ = std::move(identity.former);
}

void connection::make_connection()
{
    connection_ = std::make_unique<redis::connection>(
        executor_, make_tls(options_, address_, tls_trouble_),
        redis::logger{redis::logger::level::err,
                      [this](redis::logger::level, std::string_view line) { last_log_line_ = line; }});
    connection_->set_receive_response(pushes_);
}

connection::~connection() = default;

bool connection::is_right_thread()
{
    const auto here = std::this_thread::get_id();
    if (!one_thread_ || thread_.load(std::memory_order_relaxed) == here)
        return true;
    std::thread::id nobody;
    return thread_.compare_exchange_strong(nobody, here);
}

void connection::check_thread()
{
    if (!is_right_thread())
        throw system_error{errc::wrong_thread};
}

// --- listening -------------------------------------------------------------------------

asio::awaitable<void> connection::listen(channel_watch& watch, patience how_long)
{
    return cluster_ ? cluster_->listen(watch, how_long) : listen_here(watch, how_long);
}

asio::awaitable<void> connection::listen_here(channel_watch& watch, patience how_long)
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
        throw system_error{errc::command_refused,
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

asio::awaitable<void> connection::unlisten(channel_watch& watch)
{
    const auto self = shared_from_this();
    if (cluster_) {
        co_await cluster_->unlisten(watch);
        co_return;
    }
    watch.withdraw();
    const auto rest = channels_->unwatched(watch.channels());
    if (rest.empty())
        co_return;
    redis::request unsubscribe;
    unsubscribe.push_range("UNSUBSCRIBE", rest);
    unsubscribe.push("PING");
    reply answers;
    co_await exec(unsubscribe, answers);
}

void connection::drop(channel_watch& watch)
{
    if (cluster_) {
        cluster_->drop(watch);
        return;
    }
    watch.withdraw();
    const auto rest = channels_->unwatched(watch.channels());
    if (rest.empty() || !connected_ || stopping_)
        return;
    redis::request unsubscribe;
    unsubscribe.push_range("UNSUBSCRIBE", rest);
    unsubscribe.push("PING");
    send_aside(std::move(unsubscribe));
}

void connection::resubscribe()
{
    auto all = channels_->channels();
    std::erase(all, control_channel_);           // it tells that a connection is up
    if (all.empty() || !connected_ || stopping_) // or the set-up of the next connection does it
        return;
    redis::request subscribe;
    subscribe.push_range("SUBSCRIBE", all);
    subscribe.push("PING");
    send_aside(std::move(subscribe));
    channels_->notify_new_connection();
}

/// Nobody waits for the answers.
void connection::send_aside(redis::request request)
{
    struct request_aside
    {
        request_aside(connection& on) : under_way{on.requests_under_way_, on.state_changed_} {}
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

void connection::abandon()
{
    if (stopping_.exchange(true))
        return;
    for (const auto& each : all_confirming())
        each->abandon();
    if (cluster_)
        cluster_->abandon();
    if (!started_)
        return;
    // Not from here: a client may be destroyed together with its context, whose operations must not be
    // cancelled any more. Then this is never called.
    asio::post(executor_, [self = shared_from_this()] {
        if (self->connection_) {
            self->connection_->cancel(redis::operation::exec);
            self->connection_->cancel(redis::operation::run);
        }
        self->backoff_timer_.cancel();
        self->limits_->stop();
        self->state_changed_.notify();
        self->gate_.wake_all();
        self->watches_->notify_all();
    });
}

asio::awaitable<void> connection::stop()
{
    const auto self = shared_from_this();
    abandon();
    const auto others = all_confirming();
    for (const auto& each : others)
        co_await each->stop();
    if (cluster_)
        co_await cluster_->stop();
    // Until everything has ended, also when the caller is cancelled meanwhile.
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    while ((started_ && !ended_) || requests_under_way_ != 0)
        co_await state_changed_.wait();
    connection_.reset(); // nothing else closes its socket
}

void connection::warn_once(const std::string& message)
{
    if (warned_of_.emplace(message, clock::now()).second)
        warn(message);
}

void connection::warn_seldom(const std::string& message)
{
    const auto now = clock::now();
    const auto [last, is_new] = warned_of_.emplace(message, now);
    if (!is_new && now - last->second < std::chrono::minutes{1})
        return;
    last->second = now;
    warn(message);
}

void connection::emit(event_kind kind, std::string_view message) const
{
    const event what{.kind = kind, .message = message};
    tell(options_.on_event, what);
    for (auto* who : listeners_)
        who->connection_event(what);
}

} // namespace coworker::detail
