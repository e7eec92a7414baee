// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/codec.hpp"
#include "coworker/job_context.hpp"
#include "coworker/job_type.hpp"
#include "coworker/outcome.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <variant>

namespace coworker {

/// What a handler returns: the outcome, or a coroutine that the worker runs to get it.
using handler_answer = std::variant<outcome, asio::awaitable<outcome>>;

/// A type-erased handler. It is called with the job's JSON text, which lives until the handler has ended.
/// `make_handler` makes one from any handler that `worker::handle` takes.
using job_handler = std::function<handler_answer(std::string_view text, job_context&)>;

namespace detail {

template<class Handler, class Job>
decltype(auto) invoke_handler(Handler& handler, Job&& job, job_context& context)
{
    if constexpr (std::is_invocable_v<Handler&, Job, job_context&>)
        return handler(std::move(job), context);
    else
        return handler(std::move(job));
}

/// Runs a handler that is a coroutine, and holds the job for as long as it may use it: such a handler only begins
/// when its caller has long returned.
template<class Answer, class Job, class Handler>
asio::awaitable<outcome> run_with_job(Handler& handler, Job job, job_context& context)
{
    Answer running = invoke_handler(handler, std::move(job), context);
    if constexpr (std::is_same_v<Answer, asio::awaitable<void>>) {
        co_await std::move(running);
        co_return success();
    } else {
        co_return co_await std::move(running);
    }
}

// The first parameter, as it is declared. There is none for overloads and templates.
template<class Result, class First, class... Rest>
std::type_identity<First> first_parameter(Result (*)(First, Rest...));
template<class Result, class Class, class First, class... Rest>
std::type_identity<First> first_parameter(Result (Class::*)(First, Rest...));
template<class Result, class Class, class First, class... Rest>
std::type_identity<First> first_parameter(Result (Class::*)(First, Rest...) const);

/// A coroutine handler that holds the job itself, as its parameter.
template<class Handler, class Job>
concept holds_job =
    std::is_same_v<decltype(first_parameter(&Handler::operator())), std::type_identity<Job>> ||
    std::is_same_v<decltype(first_parameter(std::declval<Handler>())), std::type_identity<Job>>;

/// What a handler returns; `not_a_handler` if it cannot be called.
struct not_a_handler;
template<class Job, class Handler>
auto answer_of()
{
    if constexpr (std::is_invocable_v<Handler&, Job, job_context&> || std::is_invocable_v<Handler&, Job>)
        return std::type_identity<decltype(invoke_handler(std::declval<Handler&>(), std::declval<Job>(),
                                                          std::declval<job_context&>()))>{};
    else
        return std::type_identity<not_a_handler>{};
}

template<class Answer>
concept handler_result = std::is_same_v<Answer, void> || std::is_same_v<Answer, outcome> ||
    std::is_same_v<Answer, asio::awaitable<void>> || std::is_same_v<Answer, asio::awaitable<outcome>>;

} // namespace detail

/// Makes a type-erased handler, which decodes the job as a `Job` and calls `handler`. See `worker::handle`.
template<class Job, class Handler>
job_handler make_handler(Handler handler)
{
    using answer = typename decltype(detail::answer_of<Job, Handler>())::type;
    constexpr bool has_json = json_readable<Job>;
    constexpr bool is_callable = !std::is_same_v<answer, detail::not_a_handler>;
    constexpr bool is_handler = is_callable && detail::handler_result<answer>;
    static_assert(has_json, COWORKER_JOB_IS_NOT_DESCRIBED);
    static_assert(is_callable,
                  "coworker: a handler is called as handler(job) or handler(job, context): write "
                  "[](Job job) or [](Job job, coworker::job_context& context), with the queue's job type");
    static_assert(!is_callable || is_handler, "coworker: a handler returns void, coworker::outcome, "
                                              "asio::awaitable<void> or asio::awaitable<coworker::outcome>");
    if constexpr (has_json && is_handler) {
        // Shared, since std::function copies and handlers need not be copyable.
        auto shared = std::make_shared<Handler>(std::move(handler));
        return [shared](std::string_view text, job_context& context) -> handler_answer {
            auto job = decode<Job>(text);
            if (!job)
                return outcome{outcome::kind::broken, why_not_decodable<Job>(text)};
            if constexpr (std::is_same_v<answer, void>) {
                detail::invoke_handler(*shared, std::move(*job), context);
                return success();
            } else if constexpr (std::is_same_v<answer, outcome> ||
                                 (std::is_same_v<answer, asio::awaitable<outcome>> &&
                                  detail::holds_job<Handler, Job>)) {
                return detail::invoke_handler(*shared, std::move(*job), context);
            } else {
                return detail::run_with_job<answer, Job>(*shared, std::move(*job), context);
            }
        };
    } else {
        return {};
    }
}

} // namespace coworker
