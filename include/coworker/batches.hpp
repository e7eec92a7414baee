// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/batch_values.hpp"
#include "coworker/client.hpp"

#include <memory>
#include <string>
#include <string_view>

namespace coworker {

/// The batches of all managed queues that share a prefix: groups of jobs whose end you want to know of.
///
///     coworker::batches batches{redis};
///     coworker::batch_options wanted;
///     wanted.on_success = coworker::to_batch_job("mail", "ImportDone", import);
///     const std::string id = co_await batches.async_open(wanted);
///     for (const auto& row : rows)
///         co_await queue.async_push("ImportRow", row, {.batch = id});
///     co_await batches.async_seal(id);
///
/// The scripts that end jobs count them, in the same step, and push the callbacks: so each job counts once, whatever
/// dies. A job of the batch may add more jobs to it; handlers find its id in `managed_details::batch`. Jobs may be in
/// any queues with this prefix.
///
/// Errors, cancellation, lifetime and thread safety are those of `managed_queue`. Ids of batches are UTF-8 text of 1 to
/// 200 bytes; others are refused with `errc::invalid_option`.
class batches
{
public:
    /// The type of executors, as Asio's adapters look for it.
    using executor_type = asio::any_io_executor;

    /// @throws system_error  `errc::invalid_option`.
    explicit batches(const client& redis, managed_options options = {});

    /// The options that the constructor was given.
    const managed_options& options() const noexcept { return options_; }
    /// The client's executor.
    executor_type get_executor() const;

    /// Opens a batch. Completes with `void(error_code, std::string)`: its id. It stays open until it is sealed,
    /// whatever becomes of its jobs. With an id of your own an opening that is in doubt can be repeated.
    ///
    /// @par Errors  `errc::batch_not_found` and `errc::batch_ended`: of the batch that it is to be inside of.
    template<class Token = default_token>
    auto async_open(batch_options wanted = {}, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] { return open(wanted); });
    }
    /// The same with default options.
    template<detail::token_for<void(error_code, std::string)> Token>
    auto async_open(Token&& token) const
    {
        return async_open(batch_options{}, std::forward<Token>(token));
    }

    /// Lets a batch end when nothing of it is pending: now, if nothing is. Until it has ended, jobs may still be added.
    /// Completes with `void(error_code, result<void>)`; the result may be `errc::batch_not_found`. Sealing it again
    /// changes nothing.
    template<class Token = default_token>
    auto async_seal(std::string_view id, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] { return seal(id); });
    }

    /// How far a batch is. Completes with `void(error_code, result<batch_status>)`; the result may be
    /// `errc::batch_not_found`.
    template<class Token = default_token>
    auto async_status(std::string_view id, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [&] { return status(id); });
    }

    /// Waits until a batch has ended. Completes with `void(error_code, batch_status)`. Redis announces each change of
    /// the batch; the wait goes on while there is no connection. With `asio::cancel_after(5s)` it
    /// has a time limit.
    ///
    /// @par Errors  `errc::batch_not_found`: there is no such batch, or it has ended and is not kept any more.
    template<class Token = default_token>
    auto async_wait_for(std::string_view id, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [&] { return wait_for(id); });
    }

    /// Cancels a batch, and those inside of it. Its jobs that wait are cancelled, about a hundred in a step. No
    /// more can be added. It ends when nothing is pending; its callback `on_done` is pushed then. Completes with
    /// `void(error_code, result<batch_cancelled>)`; the result may be `errc::batch_not_found`. One that has ended
    /// stays as it is.
    template<class Token = default_token>
    auto async_cancel(std::string_view id, batch_cancel_options how = {},
                      Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] { return cancel(id, how); });
    }
    /// The same with default options.
    template<detail::token_for<void(error_code, result<batch_cancelled>)> Token>
    auto async_cancel(std::string_view id, Token&& token) const
    {
        return async_cancel(id, batch_cancel_options{}, std::forward<Token>(token));
    }

    /// Lists batches, the newest first. Completes with `void(error_code, batch_page)`.
    ///
    /// @param cursor  empty for the first part, then what was returned; another text is refused
    /// @param count  how many at most, from 1 to 500
    /// @param token  the completion token
    template<class Token = default_token>
    auto async_list(std::string_view cursor = {}, std::size_t count = 100,
                    Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [&] { return list(cursor, count); });
    }

    /// Lists the batches inside of one, the newest first, but not those inside of these. Completes with
    /// `void(error_code, batch_page)`; `batch_page::total` counts all batches. A part may be empty although there is a
    /// next one: it looks at a thousand of the batches that were opened after this one.
    ///
    /// @param id  the batch
    /// @param cursor  empty for the first part, then what was returned; another text is refused
    /// @param count  how many at most, from 1 to 500
    /// @param token  the completion token
    template<class Token = default_token>
    auto async_list_inside(std::string_view id, std::string_view cursor = {}, std::size_t count = 100,
                           Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return list_inside(id, cursor, count); });
    }

    /// Counts batches by what they are at, the 20,000 oldest at most. Completes with `void(error_code, batch_counts)`.
    ///
    /// @par Cost  One script for a thousand batches, each of some milliseconds.
    template<class Token = default_token>
    auto async_count(Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [&] { return count(); });
    }

private:
    asio::awaitable<std::string> open(const batch_options& wanted) const;
    asio::awaitable<result<void>> seal(std::string_view id) const;
    asio::awaitable<result<batch_status>> status(std::string_view id) const;
    asio::awaitable<batch_status> wait_for(std::string_view id) const;
    asio::awaitable<result<batch_cancelled>> cancel(std::string_view id, batch_cancel_options how) const;
    asio::awaitable<batch_page> list(std::string_view cursor, std::size_t count) const;
    asio::awaitable<batch_page> list_inside(std::string_view id, std::string_view cursor,
                                            std::size_t count) const;
    asio::awaitable<batch_counts> count() const;

    std::shared_ptr<detail::connection> redis_;
    managed_options options_;
};

} // namespace coworker
