// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/handler.hpp"
#include "coworker/handlers_by_kind.hpp"
#include "coworker/many_handler.hpp"
#include "coworker/testing/memory_managed_queue.hpp"
#include "coworker/testing/memory_queue.hpp"
#include "coworker/worker.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>

#include <algorithm>
#include <chrono>
#include <concepts>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace coworker {
namespace detail {

/// What `testing::drain` does, inside a coroutine.
asio::awaitable<std::vector<testing::ended_run>> drain_here(testing::raw_memory_queue queue,
                                                            job_handler handler, handle_options options);

/// Runs these jobs once, all at the same time. Returns the runs in the order of the jobs.
std::vector<testing::ended_run> run_together(job_handler handler, const std::vector<raw_json>& jobs,
                                             handle_options options);

/// A handler as `worker::handle` takes it, or handlers by kind, for jobs as text.
template<class Job, class Handler>
job_handler handler_of_text(Handler handler)
{
    if constexpr (std::same_as<Handler, handlers_by_kind>)
        return std::move(handler).as_handler();
    else
        return make_handler<Job>(std::move(handler));
}

} // namespace detail

namespace testing {

/// Runs all jobs that are due, including those that the handlers push, until no job is due. Returns the runs in the
/// order in which they ended.
///
/// Retries and delayed jobs that are not due stay: move the clock, and drain again. A handler
/// that always returns `retry` with a delay of zero runs until its attempts are used up.
///
/// The handlers run in an `io_context` of this call. If they need objects of another executor, use `async_drain` there.
///
/// @throws system_error  What the worker throws, such as `errc::invalid_option`. Exceptions of handlers are outcomes.
std::vector<ended_run> drain(raw_memory_queue queue, job_handler handler, handle_options options = {});

/// The same for a `memory_queue` or a `memory_managed_queue`, with any handler that `worker::handle` takes, or with a
/// handler for each kind of job.
template<std::derived_from<queue_in_memory> Queue, class Handler>
std::vector<ended_run> drain(Queue& queue, Handler handler, handle_options options = {})
{
    return drain(queue.raw(), detail::handler_of_text<typename Queue::job_type>(std::move(handler)),
                 std::move(options));
}

/// Does what `drain` does on an executor of the program's own, which runs one handler at a time.
///
/// Completes with `void(error_code, std::vector<ended_run>)`. When it is cancelled, no further handler begins. It
/// completes when those that run have ended. The jobs that are left stay in the queue.
///
/// @param executor  where the handlers run
/// @param queue  the queue
/// @param handler  a handler for jobs as text
/// @param options  how the jobs are handled
/// @param token  the completion token
///
/// @note  With g++ 12, a temporary lambda that captures objects by value, such as a string, does not compile. That
///   compiler destroys it twice in a `co_await` expression. Give it a name first.
template<std::convertible_to<job_handler> Handler, class Token = default_token>
auto async_drain(asio::any_io_executor executor, raw_memory_queue queue, Handler&& handler,
                 handle_options options = {}, Token&& token = Token{})
{
    return detail::start<Handler>(
        std::move(executor), detail::leaves_in_doubt,
        [&] {
            return detail::drain_here(std::move(queue), std::forward<Handler>(handler), std::move(options));
        },
        std::forward<Token>(token));
}
/// The same with default options.
template<std::convertible_to<job_handler> Handler,
         detail::token_for<void(error_code, std::vector<ended_run>)> Token>
auto async_drain(asio::any_io_executor executor, raw_memory_queue queue, Handler&& handler, Token&& token)
{
    return async_drain(std::move(executor), std::move(queue), std::forward<Handler>(handler),
                       handle_options{}, std::forward<Token>(token));
}

/// The same for a `memory_queue` or a `memory_managed_queue`, with any handler that `worker::handle` takes, or with a
/// handler for each kind of job.
template<std::derived_from<queue_in_memory> Queue, class Handler, class Token = default_token>
auto async_drain(asio::any_io_executor executor, Queue& queue, Handler&& handler, handle_options options = {},
                 Token&& token = Token{})
{
    return detail::start<Handler>(
        std::move(executor), detail::leaves_in_doubt,
        [&] {
            return detail::drain_here(queue.raw(),
                                      detail::handler_of_text<typename Queue::job_type>(
                                          std::decay_t<Handler>(std::forward<Handler>(handler))),
                                      std::move(options));
        },
        std::forward<Token>(token));
}
/// The same with default options.
template<std::derived_from<queue_in_memory> Queue, class Handler,
         detail::token_for<void(error_code, std::vector<ended_run>)> Token>
auto async_drain(asio::any_io_executor executor, Queue& queue, Handler&& handler, Token&& token)
{
    return async_drain(std::move(executor), queue, std::forward<Handler>(handler), handle_options{},
                       std::forward<Token>(token));
}

/// Runs a handler on one job, once, and returns how the run ended.
///
///     auto run = run_handler<email>(send, email{"ada@example.com", "Welcome"});
///     BOOST_TEST((run.result.what() == coworker::outcome::kind::success));
///
/// @param handler  a handler as `worker::handle` takes it
/// @param job  the job
/// @param conditions  what the handler finds in its context
/// @param options  how the worker handles the job, such as its timeout
ended_run run_handler(job_handler handler, const raw_json& job, const job_conditions& conditions = {},
                      handle_options options = {});

/// The same with any handler that `worker::handle` takes, and a job of its type. Of handlers by kind, the one for the
/// kind of job that `conditions` name is called.
template<class Job, class Handler>
ended_run run_handler(Handler handler, const std::type_identity_t<Job>& job,
                      const job_conditions& conditions = {}, handle_options options = {})
{
    return run_handler(detail::handler_of_text<Job>(std::move(handler)), raw_json{encode(job).value()},
                       conditions, std::move(options));
}

/// Runs a handler of many jobs (`worker::handle_many`) on these jobs, once, and returns how the run of each ended, in
/// their order. The jobs come together, 100 at a time.
template<class Job, class Handler>
std::vector<ended_run> run_many_handler(Handler handler, const std::vector<Job>& jobs,
                                        handle_options options = {})
{
    constexpr std::size_t most = 100; // so many jobs a worker runs at the same time
    constexpr std::chrono::milliseconds for_the_last{100};
    std::vector<raw_json> texts;
    for (const Job& job : jobs)
        texts.push_back(raw_json{encode(job).value()});
    auto many = make_many_handler<Job>(
        std::move(handler), {.up_to = std::clamp<std::size_t>(jobs.size(), 1, most), .wait = for_the_last});
    return detail::run_together(std::move(many), texts, std::move(options));
}

} // namespace testing
} // namespace coworker
