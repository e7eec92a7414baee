// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "coworker/codec.hpp"
#include "coworker/managed_options.hpp"
#include "coworker/run_times.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coworker {

/// A schedule as it is kept in Redis.
struct schedule_status
{
    std::string name; ///< its name
    schedule when;    ///< when it runs

    std::string queue;          ///< the queue that its jobs are pushed to
    bool in_list_queue = false; ///< that is a list queue: jobs have no kind and no options
    std::string kind;           ///< the kind of its jobs
    std::string data;           ///< the data of its jobs, JSON text, as it is stored
    /// The options of its jobs, as `schedules::async_set` takes them. A unique key that is a hash is `unique.key`, since
    /// it does not tell of what it was made.
    managed_push_options options{};

    bool paused = false;         ///< it does not run until it is resumed
    std::vector<timestamp> next; ///< the next ten runs; empty if it is paused, or never runs again
    std::uint64_t runs = 0;      ///< how many jobs it has pushed, also those of `async_run_now`

    std::optional<timestamp> last; ///< the time of the last run that took place; empty: there was none
    std::string last_jid;          ///< the job of that run, or the one that had its unique key

    /// What is wrong: why the last run pushed no job, or why `next` cannot be told here. Empty: nothing.
    std::string problem;
};

namespace detail {
struct schedule_place;
}

/// What can be done with schedules that are there: `schedules` of managed queues and `list_schedules` have these calls.
class schedule_book
{
public:
    /// The type of executors, as Asio's adapters look for it.
    using executor_type = asio::any_io_executor;

    /// The client's executor.
    executor_type get_executor() const;

    /// Shows a schedule. Completes with `void(error_code, result<schedule_status>)`; the result may be
    /// `errc::schedule_not_found`.
    template<class Token = default_token>
    auto async_get(std::string_view name, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [&] { return get(name); });
    }

    /// Shows all schedules, the next due first; those that do not run come last. Completes with
    /// `void(error_code, std::vector<schedule_status>)`.
    template<class Token = default_token>
    auto async_list(Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [&] { return list(); });
    }

    /// Lets a schedule rest: the runs until it is resumed are left out. Completes with
    /// `void(error_code, result<void>)`; the result may be `errc::schedule_not_found`.
    template<class Token = default_token>
    auto async_pause(std::string_view name, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] { return act("pause", name); });
    }

    /// Lets a schedule that was paused run again, from its next time on. Completes as `async_pause`.
    template<class Token = default_token>
    auto async_resume(std::string_view name, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] { return resume(name); });
    }

    /// Pushes a schedule's job now, beside its times; also if it is paused. Completes with
    /// `void(error_code, result<std::string>)`: the job's id, or that of the job that has its unique key; or
    /// `errc::schedule_not_found`.
    template<class Token = default_token>
    auto async_run_now(std::string_view name, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] { return run_now(name); });
    }

    /// Removes a schedule. The jobs that it has pushed stay. Completes as `async_pause`.
    template<class Token = default_token>
    auto async_remove(std::string_view name, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] { return act("remove", name); });
    }

protected:
    /// @param place  the schedules of a prefix, or of a list queue
    explicit schedule_book(std::shared_ptr<const detail::schedule_place> place) : place_{std::move(place)} {}

    /// Makes a schedule, or changes it.
    /// @param job  the four words that a layout stores of its jobs
    asio::awaitable<bool> set(std::string_view name, const schedule& when,
                              std::vector<std::string> job) const;

private:
    asio::awaitable<result<schedule_status>> get(std::string_view name) const;
    asio::awaitable<std::vector<schedule_status>> list() const;
    asio::awaitable<result<void>> act(std::string_view action, std::string_view name) const;
    asio::awaitable<result<void>> resume(std::string_view name) const;
    asio::awaitable<result<std::string>> run_now(std::string_view name) const;

    std::shared_ptr<const detail::schedule_place> place_;
};

/// The schedules of all managed queues that share a prefix: each pushes a job at the times of a cron line or at fixed
/// intervals.
///
///     coworker::schedules schedules{redis};
///     co_await schedules.async_set("nightly", {.cron = "30 2 * * *", .zone = "Europe/Berlin"}, "reports", "Report", sales);
///
/// Schedules are kept in Redis. Every worker with a managed queue carries out all schedules with its queue's
/// prefix, whatever queue they push to (`handle_options::monitor`). So does every monitor of a managed queue. Each run takes
/// place exactly once, however many processes there are. The script that pushes its job also sets the next time,
/// and does so only for the first caller. Redis' clock decides what is due. A program that sets a schedule need not
/// run.
///
/// The job of a run has the id `<name>@<time>`, with the time in seconds since 1970. Handlers see the name of the
/// schedule in `managed_details::spawned_from`. `schedule_time` reads the time.
///
/// Errors, cancellation, lifetime and thread safety are those of `managed_queue`. The name of a schedule is UTF-8 text
/// of 1 to 200 bytes; another one is refused with `errc::invalid_option`.
class schedules : public schedule_book
{
public:
    /// @throws system_error  `errc::invalid_option`.
    explicit schedules(const client& redis, managed_options options = {});

    /// The options that the constructor was given.
    const managed_options& options() const noexcept { return options_; }

    /// Makes a schedule, or changes the one of this name. Completes with `void(error_code, bool)`: whether anything is
    /// different from before. So a program may set its schedules at each start: where the times are the same as before,
    /// runs that are due stay due. A schedule that is paused stays paused.
    ///
    /// @param name  the schedule's name
    /// @param when  when it runs
    /// @param queue  the queue that its jobs are pushed to
    /// @param kind  the kind of its jobs
    /// @param data  the data of its jobs: anything that `encode` takes; at most 256 KB of JSON
    /// @param options  how to push them, with limits, a unique rule and all else; `jid`, `delay` and `depends` are
    ///   refused with `errc::invalid_option`
    /// @param token  the completion token
    template<class Data, class Token = default_token>
    auto async_set(std::string_view name, schedule when, std::string_view queue, std::string_view kind,
                   Data&& data, managed_push_options options = {}, Token&& token = default_token{}) const
    {
        return detail::start_change<Data>(*this, std::forward<Token>(token), [&] {
            return set_encoded(name, when, queue, kind, encode(data).value(), options);
        });
    }
    /// The same with default options.
    template<class Data, detail::token_for<void(error_code, bool)> Token>
    auto async_set(std::string_view name, schedule when, std::string_view queue, std::string_view kind,
                   Data&& data, Token&& token) const
    {
        return async_set(name, std::move(when), queue, kind, std::forward<Data>(data), managed_push_options{},
                         std::forward<Token>(token));
    }

private:
    asio::awaitable<bool> set_encoded(std::string_view name, const schedule& when, std::string_view queue,
                                      std::string_view kind, const std::string& data,
                                      const managed_push_options& options) const;
    managed_options options_;
};

/// The time of the run that a schedule's job belongs to, read from its id. Empty: the id is not that of such a job.
std::optional<timestamp> schedule_time(std::string_view jid);

} // namespace coworker
