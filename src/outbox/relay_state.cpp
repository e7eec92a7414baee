// SPDX-License-Identifier: MIT
#include "outbox/relay_state.hpp"

#include "tell.hpp"

#include <boost/asio/cancel_after.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <optional>
#include <utility>

namespace coworker::detail {
namespace {

using namespace std::chrono_literals;

/// The pauses get no longer after so many failures.
constexpr int most_doublings = 5;
/// For how many first pauses a queue is left alone whose jobs Redis refuses.
constexpr int pauses_of_queue = 10;

void check(const outbox_options& options)
{
    const auto need = [](bool holds, const char* what) {
        if (!holds)
            throw explained_error{errc::invalid_option, what};
    };
    need(options.batch_size >= 1 && options.batch_size <= 10'000, "batch_size is from 1 to 10000");
    need(options.batch_bytes >= 1, "batch_bytes is at least 1");
    need(options.max_job_size >= 1, "max_job_size is at least 1");
    need(options.remember >= 1min, "remember is at least a minute");
    need(options.poll == 0ms || options.poll >= 10ms, "poll is 0, or at least 10 ms");
    need(options.retry_after >= 1ms, "retry_after is at least 1 ms");
    need(options.database_timeout >= 10ms, "database_timeout is at least 10 ms");
}

/// Throws if this coroutine was cancelled, and not only a step of it whose time was over.
asio::awaitable<void> throw_if_cancelled()
{
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
        throw system_error{asio::error::operation_aborted};
}

bool is_cancellation(const system_error& error)
{
    return error.code() == asio::error::operation_aborted;
}

} // namespace

relay_state::relay_state(const client& redis, std::unique_ptr<outbox_store> database, outbox_options options)
    : executor_{redis.get_executor()}, redis_{share(redis)}, database_{std::move(database)},
      options_{std::move(options)}, pusher_{redis, options_}, changed_{executor_}
{
    check(options_);
    if (!database_)
        throw explained_error{errc::invalid_option, "the relay has no database"};
    if (options_.poll == 0ms)
        options_.poll = database_->announces() ? 5s : 1s;
}

template<class T>
asio::awaitable<T> relay_state::within_limit(asio::awaitable<T> step)
{
    const std::chrono::milliseconds limit = options_.database_timeout;
    try {
        co_return co_await asio::co_spawn(executor_, std::move(step),
                                          asio::cancel_after(limit, asio::use_awaitable));
    } catch (const system_error& error) {
        if (!is_cancellation(error))
            throw;
    }
    co_await throw_if_cancelled();
    throw outbox_database_error{"it did not answer within " + std::to_string(limit.count()) + " ms"};
}

asio::awaitable<void> relay_state::relay()
{
    for (;;) {
        trouble found;
        try {
            co_await relay_until_trouble(found);
        } catch (const outbox_database_error& error) {
            found = {error.what(), true};
        } catch (const system_error& error) {
            if (is_cancellation(error) || error.code() == errc::stopped)
                throw;
            found.why = error.what();
        }
        note(found);
        asio::steady_timer pause{executor_, next_pause()};
        co_await pause.async_wait(asio::use_awaitable);
    }
}

asio::awaitable<void> relay_state::relay_until_trouble(trouble& found)
{
    if (!is_redis_up_) { // no row is locked while Redis is away
        co_await redis_.async_connect(with_diagnostics(asio::use_awaitable));
        is_redis_up_ = true;
    }
    if (!counts_.is_database_up) {
        co_await within_limit(database_->connect());
        counts_.is_database_up = true;
    }
    for (;;) {
        bool may_be_more = true;
        while (may_be_more) {
            may_be_more = co_await push_batch(found);
            if (!found.why.empty())
                co_return;
            if (clock::now() - looked_ >= options_.poll)
                co_await look();
        }
        co_await look();
        co_await wait_for_rows();
    }
}

asio::awaitable<bool> relay_state::push_batch(trouble& found)
{
    outbox_wish wish;
    wish.rows = options_.batch_size;
    wish.bytes = options_.batch_bytes;
    wish.row_bytes = options_.max_job_size;
    wish.queues_beside = held_queues();
    auto rows = co_await within_limit(database_->take(std::move(wish)));
    if (rows.empty())
        co_return false;
    auto done = co_await pusher_.push(std::move(rows));
    auto outcome = done.outcome; // also if there is none: the rows are free again
    co_await within_limit(database_->finish(std::move(outcome)));
    note(done);
    if (!done.failed.empty() && done.failed_queue.empty())
        found.why = done.failed;
    co_return found.why.empty();
}

asio::awaitable<void> relay_state::look()
{
    counts_.backlog = co_await within_limit(database_->look());
    looked_ = clock::now();
}

// Not for long: the database may not have told.
asio::awaitable<void> relay_state::wait_for_rows()
{
    std::chrono::milliseconds limit = options_.poll;
    for (const auto& [queue, until] : held_) {
        const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - clock::now());
        limit = std::clamp(left, std::chrono::milliseconds{1}, limit);
    }
    try {
        co_await asio::co_spawn(executor_, database_->wait(), asio::cancel_after(limit, asio::use_awaitable));
    } catch (const system_error& error) {
        if (!is_cancellation(error))
            throw;
    }
    co_await throw_if_cancelled();
}

void relay_state::note(const trouble& what)
{
    ++failures_;
    if (what.is_of_database) {
        ++counts_.database_errors;
        database_->close();
        counts_.is_database_up = false;
    } else {
        ++counts_.redis_errors;
        is_redis_up_ = false;
    }
    auto text = (what.is_of_database ? "outbox: the database: " : "outbox: Redis: ") + what.why;
    if (text != told_) // once, and not after each attempt
        warn({}, text);
    told_ = std::move(text);
}

void relay_state::note(const pushed_rows& done)
{
    counts_.pushed += done.outcome.pushed.size();
    counts_.repeated += done.repeated;
    counts_.rejected += done.outcome.rejected.size();
    if (const auto& aside = done.outcome.rejected; !aside.empty())
        warn({}, "outbox: " + std::to_string(aside.size()) + (aside.size() == 1 ? " row was" : " rows were") +
                     " rejected; row " + aside.front().id + ": " + aside.front().why);
    if (!done.failed_queue.empty()) {
        ++counts_.redis_errors;
        held_[done.failed_queue] = clock::now() + pauses_of_queue * options_.retry_after;
        warn(done.failed_queue, "outbox: Redis refuses jobs: " + done.failed);
    }
    if (done.failed.empty()) {
        failures_ = 0;
        told_.clear();
    }
}

void relay_state::warn(std::string_view queue, const std::string& text) const
{
    event what{event_kind::warning};
    what.queue = queue;
    what.message = text;
    for (const auto& who : options_.observers)
        tell(who, what);
}

std::vector<std::string> relay_state::held_queues()
{
    const auto now = clock::now();
    std::erase_if(held_, [now](const auto& each) { return each.second <= now; });
    std::vector<std::string> names;
    for (const auto& [queue, until] : held_)
        names.push_back(queue);
    return names;
}

std::chrono::milliseconds relay_state::next_pause() const
{
    return options_.retry_after * (1 << std::min(failures_ - 1, most_doublings));
}

} // namespace coworker::detail
