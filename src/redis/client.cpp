#include "redis/client.hpp"

#include "redis/server_check.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_executor.hpp>
#include <boost/asio/cancel_after.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/asio/ssl/host_name_verification.hpp>
#include <boost/redis/error.hpp>
#include <boost/redis/logger.hpp>
#include <boost/redis/request.hpp>

#include <algorithm>
#include <cstdio>

namespace coworker::detail {
namespace {

namespace redis = boost::redis;
using clock = std::chrono::steady_clock;

asio::ssl::context make_tls(const session_options& options, const address& where)
{
    asio::ssl::context tls{asio::ssl::context::tls_client};
    if (where.kind != transport::tls)
        return tls;
    error_code ec;
    const auto check = [&](const char* what, const std::string& file) {
        if (ec)
            throw system_error{errc::invalid_option, std::string{what} + " '" + file + "': " + ec.message()};
    };
    if (options.ca_file.empty())
        tls.set_default_verify_paths(ec);
    else
        tls.load_verify_file(options.ca_file, ec);
    check("ca_file", options.ca_file);
    if (!options.certificate_file.empty())
        tls.use_certificate_chain_file(options.certificate_file, ec);
    check("certificate_file", options.certificate_file);
    if (!options.key_file.empty())
        tls.use_private_key_file(options.key_file, asio::ssl::context::pem, ec);
    check("key_file", options.key_file);
    if (options.verify_certificate) {
        tls.set_verify_mode(asio::ssl::verify_peer);
        tls.set_verify_callback(asio::ssl::host_name_verification{where.host});
    }
    if (options.configure_tls)
        options.configure_tls(tls);
    return tls;
}

address resolve_options(const session_options& options)
{
    address where = parse_url(options.url);
    if (!options.user.empty())
        where.user = options.user;
    if (!options.password.empty())
        where.password = options.password;
    if (options.client_name.find_first_of(" \t\r\n") != options.client_name.npos)
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

redis::request eval_request(const script& what, const script_arguments& arguments, bool tracked)
{
    redis::request request;
    if (tracked)
        request.push("CLIENT", "CACHING", "YES");
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
    return request;
}

bool is_script_missing(const reply& answers)
{
    const auto answer = answers.back();
    return answer.is_error() && answer.text().starts_with("NOSCRIPT");
}

} // namespace

client::client(asio::any_io_executor executor, session_options options)
    : executor_{std::move(executor)}, options_{std::move(options)}, address_{resolve_options(options_)},
      name_{random_name(options_.client_name, random_)}, control_channel_{"coworker:control:" + name_},
      connection_{
          executor_, make_tls(options_, address_),
          redis::logger{redis::logger::level::err,
                        [this](redis::logger::level, std::string_view line) { last_log_line_ = line; }}},
      backoff_{options_.reconnect_delay_minimum, options_.reconnect_delay_maximum}, backoff_timer_{executor_},
      state_changed_{executor_}
{
    connection_.set_receive_response(pushes_);
}

// --- connecting --------------------------------------------------------------------

void client::start()
{
    if (started_)
        return;
    started_ = true;
    started_at_ = clock::now();
    // The coroutine owns the client: it may outlive the session, never the other way round.
    asio::co_spawn(
        executor_, [self = shared_from_this()] { return self->run(); },
        [self = shared_from_this()](std::exception_ptr) {
            self->ended_ = true;
            self->connected_ = false;
            self->state_changed_.notify();
            self->notify_watches();
        });
}

asio::awaitable<void> client::run()
{
    using namespace asio::experimental::awaitable_operators;
    co_await (connect_loop() || receive_loop() || check_loop());
}

redis::config client::make_config() const
{
    redis::config config;
    config.use_ssl = address_.kind == transport::tls;
    config.addr = {address_.host, address_.port};
    config.unix_socket = address_.path;
    config.health_check_interval = options_.health_check_interval;
    config.reconnect_wait_interval = std::chrono::seconds{0}; // connect_loop waits, with jitter
    config.read_buffer_append_size = 64 * 1024;
    for (const auto& sentinel : options_.sentinels) {
        const auto colon = sentinel.rfind(':');
        config.sentinel.addresses.push_back(
            {sentinel.substr(0, colon), colon == sentinel.npos ? "26379" : sentinel.substr(colon + 1)});
    }
    config.sentinel.master_name = options_.sentinel_primary;

    config.use_setup = true;
    config.setup.clear();
    if (address_.user.empty() && address_.password.empty())
        config.setup.hello_setname(name_);
    else
        config.setup.hello_setname(address_.user.empty() ? "default" : address_.user, address_.password,
                                   name_);
    if (address_.database != 0)
        config.setup.push("SELECT", address_.database);
    if (tracks())
        config.setup.push("CLIENT", "TRACKING", "ON", "OPTIN");
    // Answered with a push on every connect: the sign that waiting has to be armed again. A refusal
    // is an ordinary error reply, so a command that expects one has to follow.
    config.setup.push("SUBSCRIBE", control_channel_);
    for (const auto& script : embedded_scripts())
        config.setup.push("SCRIPT", "LOAD", script.text);
    return config;
}

asio::awaitable<void> client::connect_loop()
{
    while (!stopping_) {
        last_log_line_.clear();
        const auto config = make_config();
        const auto [ec] = co_await connection_.async_run(config, asio::as_tuple(asio::use_awaitable));
        if (stopping_)
            break;
        connection_lost(ec);
        if (stopping_)
            break;
        backoff_timer_.expires_after(backoff_.next(random_));
        error_code ignored;
        co_await backoff_timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    }
    // What still waits to be sent will not be.
    connection_.cancel(redis::operation::exec);
}

void client::connection_lost(error_code why)
{
    const bool was_connected = std::exchange(connected_, false);
    check_due_ = false;
    if (was_connected && fit_)
        backoff_.reset();
    if (why == redis::error::resp3_hello)
        setup_failed();
    emit(event_kind::disconnected, last_log_line_.empty() ? why.message() : last_log_line_);
}

/// Redis refused a command of the set-up: find out from its words what that means.
void client::setup_failed()
{
    const auto says = [&](std::string_view words) { return last_log_line_.find(words) != std::string::npos; };
    if (says("client|tracking") || says("TRACKING") || says("tracking")) {
        tracking_refused_ = true;
        emit(event_kind::warning, "Redis refuses CLIENT TRACKING, so queues are polled: " + last_log_line_);
        return;
    }
    if (fit_ || says("LOADING") || says("max number of clients") || says("MASTERDOWN"))
        return; // passes; the next attempt will tell
    if (says("WRONGPASS") || says("NOAUTH") || says("AUTH"))
        fail(errc::authentication_refused, last_log_line_);
    else if (says("NOPROTO") || says("unknown command") || says("near '#'"))
        fail(errc::server_too_old, last_log_line_);
    else
        fail(errc::setup_refused, last_log_line_);
}

void client::fail(errc code, const std::string& detail)
{
    failure_.emplace(code, address_.display() + ": " + detail);
    emit(event_kind::warning, failure_->what());
    abandon();
}

// --- checking the server -------------------------------------------------------------

asio::awaitable<void> client::check_loop()
{
    for (;;) {
        while (!check_due_)
            co_await state_changed_.wait();
        check_due_ = false;
        try {
            co_await check_server();
        } catch (const system_error&) {
            // The connection went away meanwhile; the next one is checked again.
            if (stopping_)
                throw;
        }
    }
}

asio::awaitable<void> client::check_server()
{
    redis::request request;
    request.push("INFO");
    reply answers;
    const auto [ec, size] =
        co_await connection_.async_exec(request, answers.tree, asio::as_tuple(asio::use_awaitable));
    if (ec)
        co_return;
    server_facts facts;
    if (answers[0].is_error())
        emit(event_kind::warning,
             "Redis refuses INFO, so its settings are not checked: " + std::string{answers[0].text()});
    else
        facts = parse_info(answers[0].text());

    const auto [error, detail] = judge(facts, options_.accept_eviction);
    if (error && !fit_) {
        fail(static_cast<errc>(error.value()), detail);
        co_return;
    }
    if (error)
        emit(event_kind::warning, error.message() + ": " + detail);
    emit(fit_ ? event_kind::reconnected : event_kind::connected, facts.version);
    fit_ = true;
    backoff_.reset();
    state_changed_.notify();
}

asio::awaitable<void> client::ready(patience how_long)
{
    start();
    if (fit_ && !stopping_)
        co_return;
    const auto limit = options_.connect_timeout;
    const auto deadline = how_long == patience::unlimited || limit.count() == 0 ? clock::time_point::max()
                                                                                : clock::now() + limit;
    asio::steady_timer timeout{executor_, deadline};
    if (deadline != clock::time_point::max())
        timeout.async_wait([self = shared_from_this()](error_code ec) {
            if (!ec)
                self->state_changed_.notify();
        });
    while (!fit_ || stopping_) {
        if (failure_)
            throw *failure_;
        if (stopping_)
            throw system_error{errc::stopped};
        if (clock::now() >= deadline)
            throw system_error{errc::unavailable, address_.display() + ": " + last_log_line_};
        co_await state_changed_.wait();
    }
}

// --- pushes --------------------------------------------------------------------------

asio::awaitable<void> client::receive_loop()
{
    for (;;) {
        co_await connection_.async_receive2(asio::use_awaitable);
        handle_pushes();
        pushes_.clear();
    }
}

void client::handle_pushes()
{
    const std::span<const reply_node> nodes{pushes_.begin(), pushes_.end()};
    std::size_t begin = 0;
    while (begin != nodes.size()) {
        std::size_t end = begin + 1;
        while (end != nodes.size() && nodes[end].depth != 0)
            ++end;
        handle_push(nodes.subspan(begin, end - begin));
        begin = end;
    }
}

void client::handle_push(std::span<const reply_node> message)
{
    if (message.size() < 2)
        return;
    const auto kind = message[1].value;
    if (kind == "invalidate") {
        if (message.size() < 4) { // without keys: all of them, after FLUSHALL
            notify_watches();
            return;
        }
        for (const auto& key : message.subspan(3))
            for (auto* watch : watches_)
                if (watch->watches(key.value))
                    watch->notify();
    } else if (kind == "subscribe") {
        connected_ = true;
        check_due_ = true;
        state_changed_.notify();
        notify_watches(); // what had been armed is not armed on this connection
    }
}

void client::notify_watches()
{
    for (auto* watch : watches_)
        watch->notify();
}

key_watch::key_watch(std::shared_ptr<client> owner, std::vector<std::string> keys)
    : owner_{std::move(owner)}, keys_{std::move(keys)}, timer_{owner_->get_executor()}
{
    owner_->watches_.insert(this);
}

key_watch::~key_watch()
{
    owner_->watches_.erase(this);
}

void key_watch::notify()
{
    changed_ = true;
    timer_.cancel();
}

bool key_watch::watches(std::string_view key) const noexcept
{
    return std::find(keys_.begin(), keys_.end(), key) != keys_.end();
}

asio::awaitable<bool> key_watch::wait_until(clock::time_point deadline)
{
    if (changed_)
        co_return true;
    timer_.expires_at(deadline);
    error_code ignored; // an early wake-up is told as operation_aborted
    co_await timer_.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
        throw system_error{asio::error::operation_aborted};
    co_return changed_;
}

// --- requests --------------------------------------------------------------------------

asio::awaitable<void> client::exec(const redis::request& request, reply& answers, patience how_long)
{
    if (!fit_ || stopping_)
        co_await ready(how_long);
    const auto limit = options_.command_timeout;
    error_code ec;
    auto deadline = clock::time_point::max();
    if (how_long == patience::unlimited || limit.count() == 0) {
        std::tie(ec, std::ignore) =
            co_await connection_.async_exec(request, answers.tree, asio::as_tuple(asio::use_awaitable));
    } else {
        deadline = clock::now() + limit;
        std::tie(ec, std::ignore) = co_await connection_.async_exec(
            request, answers.tree, asio::cancel_after(limit, asio::as_tuple(asio::use_awaitable)));
    }
    if (ec == asio::error::operation_aborted) {
        const auto state = co_await asio::this_coro::cancellation_state;
        throw_aborted(state.cancelled() != asio::cancellation_type::none, deadline);
    }
    if (ec)
        throw system_error{ec, address_.display()};
}

void client::throw_aborted(bool cancelled, clock::time_point deadline) const
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
    throw system_error{errc::unanswered, address_.display()};
}

asio::awaitable<reply> client::call(const script& what, const script_arguments& arguments, patience how_long)
{
    const auto request = eval_request(what, arguments, false);
    reply answers;
    co_await exec(request, answers, how_long);
    if (is_script_missing(answers))
        answers = co_await load_and_call(what, request, how_long);
    answers.throw_if_error();
    co_return answers;
}

asio::awaitable<reply> client::call_tracked(const script& what, const script_arguments& arguments)
{
    const bool tracked = tracks();
    const auto request = eval_request(what, arguments, tracked);
    reply answers;
    co_await exec(request, answers, patience::unlimited);
    if (is_script_missing(answers))
        answers = co_await load_and_call(what, request, patience::unlimited);
    answers.throw_if_error();
    co_return answers;
}

asio::awaitable<reply> client::load_and_call(const script& what, const redis::request& request,
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

// --- ending ----------------------------------------------------------------------------

void client::abandon()
{
    stopping_ = true;
    connection_.cancel(redis::operation::exec);
    connection_.cancel(redis::operation::run);
    backoff_timer_.cancel();
    state_changed_.notify();
    notify_watches();
}

asio::awaitable<void> client::stop()
{
    abandon();
    // Until everything has ended, also when the caller is cancelled meanwhile.
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    while (started_ && !ended_)
        co_await state_changed_.wait();
}

void client::emit(event_kind kind, std::string_view message) const
{
    const event what{.kind = kind, .message = message};
    const auto tell = [&](const observer& who) {
        try {
            if (who)
                who(what);
        } catch (...) { // an observer's troubles are its own
        }
    };
    tell(options_.on_event);
    for (const auto* who : observers_)
        tell(*who);
}

} // namespace coworker::detail
