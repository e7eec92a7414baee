// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/list_queue.hpp"
#include "coworker/schedules.hpp"

namespace coworker {

/// The schedules of one list queue: each pushes a job at the times of a cron line or at fixed intervals.
///
///     coworker::list_schedules schedules{emails};
///     co_await schedules.async_set("digest", {.cron = "0 7 * * mon-fri", .zone = "Europe/Berlin"}, digest);
///
/// Every worker of the queue carries them out (`handle_options::monitor`), and so does every monitor that watches it.
/// The job of a run has the id `<name>@<time>`, with the time in seconds since 1970; `schedule_time` reads it. hworker
/// runs these jobs like any other.
///
/// Jobs of schedules are pushed into a full queue (`list_queue_options::max_waiting`), too, and into one that is paused.
/// Of a queue with partitions, one of them gets all jobs of its schedules.
///
/// Names, errors, cancellation, lifetime and thread safety are those of `schedules`.
class list_schedules : public schedule_book
{
public:
    /// Jobs are stored as the handle stores them that it is made of, with its codecs.
    explicit list_schedules(const raw_list_queue& queue);

    /// Makes a schedule, or changes the one of this name. Completes with `void(error_code, bool)`: whether anything is
    /// different from before, as `schedules::async_set` does.
    ///
    /// @param name  the schedule's name
    /// @param when  when it runs
    /// @param job  the job that it pushes each time: anything that `encode` takes; at most 256 KB of JSON
    /// @param token  the completion token
    template<class Job, class Token = default_token>
    auto async_set(std::string_view name, schedule when, Job&& job, Token&& token = default_token{}) const
    {
        return detail::start_change<Job>(*this, std::forward<Token>(token),
                                         [&] { return set_encoded(name, when, encode(job).value()); });
    }

private:
    asio::awaitable<bool> set_encoded(std::string_view name, const schedule& when, std::string job) const;

    raw_list_queue queue_;
};

} // namespace coworker
