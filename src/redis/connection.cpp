// SPDX-License-Identifier: MIT
#include "redis/connection.hpp"

#include "redis/tls.hpp"
#include "tell.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/redis/connection.hpp>

#include <algorithm>
#include <cstdio>
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
        throw system_error{errc::invalid_option, "client_name contains blanks"};
    if (!options.sentinels.empty() && where.kind == transport::unix_socket)
        throw system_error{errc::invalid_option, "sentinels cannot be used with a unix socket"};
    return where;
}

std::string random_name(const std::string& prefix, std::mt19937_64& random)
{
    char suffix[24];
    std::snprintf(suffix, sizeof suffix, ":%016llx", static_cast<unsigned long long>(random()));
    return prefix + suffix;
}

void push_call(redis::request& request, const script& what, const script_arguments& arguments)
{
    const auto words = arguments.words();
    std::size_t bytes = 128;
    for (const auto& word : words)
        bytes += word.size() + 16;
    request.reserve(bytes);
    const std::string key_count = std::to_string(arguments.key_count());
    std::vector<std::string_view> all;
    all.reserve(words.size() + 2);
    all.push_back(what.sha);
    all.push_back(key_count);
    all.insert(all.end(), words.begin(), words.end());
    request.push_range("EVALSHA", all);
}

redis::request eval_request(const script& what, const script_arguments& arguments, bool tracked)
{
    redis::request request;
    if (tracked)
        request.push("CLIENT", "CACHING", "YES");
    push_call(request, what, arguments);
    return request;
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
        throw system_error{
            errc::invalid_option,
            "a thread_pool runs several handlers at a time: set thread_safe, or give the client a strand"};
    return executor;
}

/// Counts an operation while it is under way, and tells of its end.
class counted_call
{
public:
    counted_call(std::size_t& count, signal& ended) : count_{count}, ended_{ended} { ++count_; }
    ~counted_call()
    {
        if (--count_ == 0)
            ended_.notify();
    }
    counted_call(const counted_call&) = delete;
    counted_call& operator=(const counted_call&) = delete;

private:
    std::size_t& count_;
    signal& ended_;
};

bool is_script_missing(const reply& answers)
{
    const auto answer = answers.back();
    return answer.is_error() && answer.text().starts_with("NOSCRIPT");
}

} // namespace

connection::connection(asio::any_io_executor executor, client_options options)
    : options_{std::move(options)}, executor_{executor_for(std::move(executor), options_.thread_safe)},
      one_thread_{!options_.thread_safe && executor_.target<asio::io_context::executor_type>() != nullptr},
      address_{resolve_options(options_)}, name_{random_name(options_.client_name, random_)},
      control_channel_{"coworker:control:" + name_},
      connection_{std::make_unique<redis::connection>(
          executor_, make_tls(options_, address_),
          redis::logger{redis::logger::level::err,
                        [this](redis::logger::level, std::string_view line) { last_log_line_ = line; }})},
      backoff_{options_.reconnect_delay_minimum, options_.reconnect_delay_maximum}, backoff_timer_{executor_},
      state_changed_{executor_}, limits_{std::make_shared<time_limits>(executor_)}
{
    connection_->set_receive_response(pushes_);
}

connection::~connection() = default;

/// Others would be found out by whatever breaks.
void connection::check_thread()
{
    const auto here = std::this_thread::get_id();
    if (!one_thread_ || thread_.load(std::memory_order_relaxed) == here)
        return;
    std::thread::id nobody;
    if (!thread_.compare_exchange_strong(nobody, here))
        throw system_error{errc::wrong_thread};
}

// --- requests --------------------------------------------------------------------------

asio::awaitable<void> connection::exec(const redis::request& request, reply& answers, patience how_long)
{
    const auto self = shared_from_this(); // the client may be destroyed meanwhile
    check_thread();
    if (!fit_ || stopping_)
        co_await ready(how_long);
    const counted_call under_way{requests_under_way_, state_changed_};
    const auto limit = options_.command_timeout;
    const bool patient = how_long == patience::unlimited || limit.count() == 0;
    const auto deadline = patient ? clock::time_point::max() : clock::now() + limit;
    for (;;) {
        if (barred_)
            co_await ready_until(deadline);
        const auto ec = co_await send(request, answers, deadline);
        if (ec == asio::error::operation_aborted) {
            const auto state = co_await asio::this_coro::cancellation_state;
            throw_aborted(state.cancelled() != asio::cancellation_type::none, deadline);
        }
        if (ec)
            throw system_error{ec, address_.display()};
        const auto refusal = answers.read_only_refusal();
        if (refusal.empty())
            co_return;
        leave_read_only_server(refusal);
        // What was refused was not carried out, so it can be sent again to a server that is found to be fit.
        if (!answers.is_refused_as_read_only() || stopping_ || clock::now() >= deadline)
            co_return;
        answers.tree.clear();
    }
}

asio::awaitable<error_code> connection::send(const redis::request& request, reply& answers,
                                             clock::time_point deadline)
{
    time_limits::limited call{*limits_, deadline};
    auto cancelled = (co_await asio::this_coro::cancellation_state).slot();
    if (cancelled.is_connected())
        cancelled.assign([&call](asio::cancellation_type) { call.cancel(); });
    ++requests_sent_;
    const auto [ec, size] = co_await connection_->async_exec(
        request, answers.tree, asio::bind_cancellation_slot(call.slot(), asio::as_tuple(asio::deferred)));
    --requests_sent_;
    if (cancelled.is_connected())
        cancelled.clear();
    leave_if_idle();
    co_return ec;
}

void connection::leave_read_only_server(std::string_view why)
{
    if (!std::exchange(barred_, true))
        emit(event_kind::warning,
             "the server accepts no writes, so another connection is made: " + std::string{why});
    barred_because_ = why;
    leave();
}

void connection::leave()
{
    leaving_ = connected_;
    leave_if_idle();
}

void connection::leave_if_idle()
{
    if (leaving_ && requests_sent_ == 0 && connection_)
        connection_->cancel(redis::operation::run); // connect_loop goes on
}

void connection::throw_aborted(bool cancelled, clock::time_point deadline) const
{
    if (cancelled)
        throw system_error{asio::error::operation_aborted};
    if (failure_)
        throw *failure_;
    if (stopping_)
        throw system_error{errc::stopped};
    if (clock::now() >= deadline)
        throw system_error{connected_ ? errc::timed_out : errc::unavailable,
                           address_.display() + ": " + last_log_line_};
    throw system_error{errc::in_doubt, address_.display()};
}

asio::awaitable<reply> connection::call(const script& what, const script_arguments& arguments,
                                        patience how_long)
{
    auto answers = co_await try_call(what, arguments, how_long);
    answers.throw_if_error();
    co_return answers;
}

asio::awaitable<reply> connection::try_call(const script& what, const script_arguments& arguments,
                                            patience how_long)
{
    const auto self = shared_from_this();
    const auto request = eval_request(what, arguments, false);
    reply answers;
    co_await exec(request, answers, how_long);
    if (is_script_missing(answers))
        answers = co_await load_and_call(what, request, how_long);
    co_return answers;
}

asio::awaitable<reply> connection::call_each(const script& what, std::span<const script_arguments> calls)
{
    const auto self = shared_from_this();
    redis::request request;
    for (const auto& arguments : calls)
        push_call(request, what, arguments);
    reply answers;
    co_await exec(request, answers);
    if (is_script_missing(answers))
        answers = co_await load_and_call(what, request, patience::command_timeout);
    answers.throw_if_error();
    co_return answers;
}

asio::awaitable<reply> connection::call_tracked(const script& what, const script_arguments& arguments)
{
    const auto self = shared_from_this();
    const bool tracked = tracks();
    const auto request = eval_request(what, arguments, tracked);
    reply answers;
    co_await exec(request, answers, patience::unlimited);
    if (tracked && answers[0].is_error()) {
        fall_back_to_polling(answers[0].text());
        co_return co_await call(what, arguments, patience::unlimited);
    }
    if (is_script_missing(answers))
        answers = co_await load_and_call(what, request, patience::unlimited);
    answers.throw_if_error();
    co_return answers;
}

asio::awaitable<reply> connection::load_and_call(const script& what, const redis::request& request,
                                                 patience how_long)
{
    redis::request load;
    load.push("SCRIPT", "LOAD", what.text);
    reply loaded;
    co_await exec(load, loaded, how_long);
    loaded.throw_if_error();
    reply answers;
    co_await exec(request, answers, how_long);
    co_return answers;
}

// --- listening -------------------------------------------------------------------------

asio::awaitable<void> connection::listen(channel_watch& watch)
{
    const auto self = shared_from_this();
    script_arguments channels;
    redis::request subscribe;
    subscribe.push_range("SUBSCRIBE", watch.channels());
    subscribe.push("PING"); // the pushes that answer SUBSCRIBE are not answers to the request
    for (const auto& channel : watch.channels())
        channels.add(channel);
    const reply permitted = co_await call(find_script("redis/may_subscribe"), channels);
    if (permitted.back().integer() == 0)
        throw system_error{errc::command_refused,
                           "this user may not SUBSCRIBE to " + watch.channels().front() + " and others"};
    watch.enlist(); // first, so that a connection that is made meanwhile has the channels too
    reply answers;
    std::exception_ptr error;
    try {
        co_await exec(subscribe, answers);
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
    watch.withdraw();
    const auto rest = channels_->unwatched(watch.channels());
    if (rest.empty() || !connected_ || stopping_)
        return;
    struct unsubscription
    {
        unsubscription(connection& on) : under_way{on.requests_under_way_, on.state_changed_} {}
        redis::request request;
        reply answers;
        counted_call under_way; // stop() waits for it
    };
    const auto sent = std::make_shared<unsubscription>(*this);
    sent->request.get_config().cancel_on_connection_lost = true;
    sent->request.push_range("UNSUBSCRIBE", rest);
    sent->request.push("PING");
    connection_->async_exec(sent->request, sent->answers.tree,
                            [self = shared_from_this(), sent](error_code, std::size_t) {});
}

// --- ending ----------------------------------------------------------------------------

void connection::abandon()
{
    if (stopping_.exchange(true) || !started_)
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
        self->watches_->notify_all();
    });
}

asio::awaitable<void> connection::stop()
{
    const auto self = shared_from_this();
    abandon();
    // Until everything has ended, also when the caller is cancelled meanwhile.
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    while ((started_ && !ended_) || requests_under_way_ != 0)
        co_await state_changed_.wait();
    connection_.reset(); // nothing else closes its socket
}

void connection::warn_once(const std::string& message)
{
    if (warned_of_.insert(message).second)
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
