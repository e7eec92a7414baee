// SPDX-License-Identifier: MIT
#include "redis/connection/connection.hpp"

#include "random_text.hpp"
#include "redis/confirming_connection/confirmation.hpp"
#include "redis/roll_call.hpp"
#include "tell.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <algorithm>
#include <utility>

/// What all connections have in common, whatever is behind them.
namespace coworker::detail {
namespace {

client_identity completed(client_identity who, const asio::any_io_executor& executor,
                          const client_options& options)
{
    if (who.name.empty())
        who.name = options.client_name.str() + ':' + random_digits();
    if (!who.watches)
        who.watches = std::make_shared<key_watches>();
    if (!who.channels)
        who.channels = std::make_shared<channel_watches>();
    if (!who.roll)
        who.roll = std::make_shared<roll_call>(executor);
    return who;
}

} // namespace

connection::connection(asio::any_io_executor executor, client_options options, client_identity identity)
    : options_{std::move(options)}, executor_{std::move(executor)},
      one_thread_{!options_.thread_safe && executor_.target<asio::io_context::executor_type>() != nullptr},
      identity_{completed(std::move(identity), executor_, options_)}
{}

connection::~connection() = default;

std::shared_ptr<connection> connection::for_queue(const std::string&)
{
    return shared_from_this();
}

std::shared_ptr<connection> connection::for_prefix(const std::string&)
{
    return shared_from_this();
}

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

// --- requests --------------------------------------------------------------------------

asio::awaitable<void> connection::exec_confirmed(const boost::redis::request& request, reply& answers,
                                                 std::exception_ptr&)
{
    return exec(request, answers);
}

asio::awaitable<void> connection::exec_unconfirmed(const boost::redis::request& request, reply& answers,
                                                   patience how_long)
{
    return exec(request, answers, how_long);
}

asio::awaitable<void> connection::exec_and_judge(const boost::redis::request& request, reply& answers)
{
    std::exception_ptr unconfirmed;
    co_await exec_confirmed(request, answers, unconfirmed);
    if (unconfirmed && !has_refusal(answers)) // what was refused is not queued
        std::rethrow_exception(unconfirmed);
}

asio::awaitable<bool> connection::exec_aside(const boost::redis::request& request, reply& answers,
                                             patience how_long)
{
    const auto self = shared_from_this();
    co_await exec(request, answers, how_long);
    co_return true;
}

void connection::carry_out(std::shared_ptr<request_call> call)
{
    auto& what = *call;
    asio::co_spawn(executor_, exec_confirmed(what.request, what.answers, what.unconfirmed),
                   asio::bind_cancellation_slot(
                       what.coroutine_.slot(),
                       [call = std::move(call)](std::exception_ptr why) { call->ended(std::move(why)); }));
}

// --- writes that are confirmed -----------------------------------------------------------

std::shared_ptr<connection> connection::confirming(const durability& wanted)
{
    if (wanted == durability::memory())
        return shared_from_this();
    const std::lock_guard lock{confirming_mutex_};
    if (!stopping_) // those that have failed for good while this one has not
        std::erase_if(confirming_, [](const auto& each) { return each.second->stopping_.load(); });
    for (const auto& [how, each] : confirming_)
        if (how == wanted)
            return each;
    auto made = make_confirming(wanted);
    if (stopping_)
        made->abandon();
    return confirming_.emplace_back(wanted, std::move(made)).second;
}

std::vector<std::shared_ptr<connection>> connection::all_confirming()
{
    const std::lock_guard lock{confirming_mutex_};
    std::vector<std::shared_ptr<connection>> all;
    for (const auto& [how, each] : confirming_)
        all.push_back(each);
    return all;
}

bool connection::begin_to_stop()
{
    if (stopping_.exchange(true))
        return false;
    for (const auto& each : all_confirming())
        each->abandon();
    return true;
}

asio::awaitable<void> connection::stop_confirming()
{
    const auto others = all_confirming();
    for (const auto& each : others)
        co_await each->stop();
}

// --- observers ---------------------------------------------------------------------------

void connection::fall_back_to_polling(std::string_view why)
{
    tracking_refused_ = true;
    emit(event_kind::warning, "Redis refuses CLIENT TRACKING, so queues are polled: " + std::string{why});
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
