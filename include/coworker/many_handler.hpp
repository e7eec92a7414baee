// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/handler.hpp"
#include "coworker/option_duration.hpp"

#include <boost/asio/awaitable.hpp>

#include <cstddef>
#include <functional>
#include <memory>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace coworker {

/// How jobs gather for a handler of many.
struct many_options
{
    /// A run begins when so many jobs have gathered. At least 1. No more gather than the worker runs at the same time.
    std::size_t up_to = 100;

    /// A run begins at the latest so long after the first of its jobs came. Zero: with the jobs that come together.
    option_duration wait{200};
};

/// One of the jobs that a handler of many gets.
template<class Job>
class held_job
{
public:
    /// A job that is decoded, and its context.
    held_job(Job what, job_context& context) : job{std::move(what)}, context_{&context} {}

    /// The job, for the handler to use or to move from.
    Job job;

    /// The context of this job: its id, its attempt, its effects, whether it was told to end. Valid until the handler has
    /// ended.
    job_context& context() const noexcept { return *context_; }

private:
    job_context* context_;
};

namespace detail {

/// Calls a handler with the jobs to which these point, of which each is a `held_job`.
using many_function = std::function<asio::awaitable<std::vector<outcome>>(std::span<void* const> jobs)>;

/// Gathers the jobs of one handler.
class job_gatherer;
std::shared_ptr<job_gatherer> make_gatherer(many_function call, const many_options& how);
/// Waits for the end of the run to which the job comes, and returns its outcome.
asio::awaitable<outcome> join_run(std::shared_ptr<job_gatherer> gatherer, void* job, job_context& context);

template<class Job>
asio::awaitable<outcome> join_run_with(std::shared_ptr<job_gatherer> gatherer, held_job<Job> job)
{
    co_return co_await join_run(std::move(gatherer), &job, job.context());
}

/// What a handler of many returns; `not_a_handler` if it cannot be called.
template<class Job, class Handler>
auto answer_of_many()
{
    if constexpr (std::is_invocable_v<Handler&, std::span<held_job<Job>>>)
        return std::type_identity<std::invoke_result_t<Handler&, std::span<held_job<Job>>>>{};
    else
        return std::type_identity<not_a_handler>{};
}

template<class Answer>
inline constexpr bool is_answer_for_many =
    std::is_void_v<typename yielded<Answer>::type> ||
    std::is_same_v<typename yielded<Answer>::type, std::vector<outcome>>;

/// Moves the jobs to where they stand in a row, and calls the handler.
template<class Job, class Answer, class Handler>
asio::awaitable<std::vector<outcome>> call_with_many(std::shared_ptr<Handler> handler,
                                                     std::span<void* const> jobs)
{
    std::vector<held_job<Job>> row;
    row.reserve(jobs.size());
    for (void* const each : jobs)
        row.push_back(std::move(*static_cast<held_job<Job>*>(each)));
    if constexpr (std::is_void_v<Answer>) {
        (*handler)(std::span{row});
        co_return std::vector<outcome>(row.size());
    } else if constexpr (!is_coroutine<Answer>) {
        co_return (*handler)(std::span{row});
    } else if constexpr (std::is_void_v<typename yielded<Answer>::type>) {
        co_await (*handler)(std::span{row});
        co_return std::vector<outcome>(row.size());
    } else {
        co_return co_await (*handler)(std::span{row});
    }
}

} // namespace detail

/// Makes a type-erased handler of a handler of many. Each job waits in it until they have gathered and their run has
/// ended. `worker::handle_many` and `handlers_by_kind::on_many` call this.
template<class Job, class Handler>
job_handler make_many_handler(Handler handler, many_options how = {})
{
    using answer = typename decltype(detail::answer_of_many<Job, Handler>())::type;
    constexpr bool has_json = json_readable<Job>;
    constexpr bool is_callable = !std::is_same_v<answer, detail::not_a_handler>;
    static_assert(has_json, COWORKER_JOB_IS_NOT_DESCRIBED);
    static_assert(is_callable, "coworker: a handler of many jobs is called as handler(jobs): write "
                               "[](std::span<coworker::held_job<Job>> jobs), with the queue's job type");
    static_assert(
        !is_callable || detail::is_answer_for_many<answer>,
        "coworker: a handler of many jobs returns std::vector<coworker::outcome>, with one for each job, or "
        "void, or asio::awaitable of one of these");
    if constexpr (has_json && is_callable && detail::is_answer_for_many<answer>) {
        const auto call = [shared =
                               std::make_shared<Handler>(std::move(handler))](std::span<void* const> jobs) {
            return detail::call_with_many<Job, answer>(shared, jobs);
        };
        return [gatherer = detail::make_gatherer(call, how)](std::string_view text,
                                                             job_context& context) -> handler_answer {
            auto job = decode<Job>(text);
            if (!job)
                return outcome{outcome::kind::broken, why_not_decodable<Job>(text)};
            return detail::join_run_with<Job>(gatherer, held_job<Job>{std::move(*job), context});
        };
    } else {
        return {};
    }
}

} // namespace coworker
