// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/codec.hpp"
#include "coworker/job_context.hpp"
#include "coworker/job_type.hpp"
#include "coworker/outcome.hpp"

#include <boost/asio/awaitable.hpp>

#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>

namespace coworker {

/// What a handler returns: the outcome, or a coroutine that the worker runs to get it.
using handler_answer = std::variant<outcome, asio::awaitable<outcome>>;

/// A type-erased handler. It is called with the job's JSON text, which lives until the handler has ended.
/// `make_handler` makes one from any handler that `worker::handle` takes.
using job_handler = std::function<handler_answer(std::string_view text, job_context&)>;

/// The job is done, and this is its result: whoever waits for the job gets it (`managed_queue::async_wait_for`). A
/// handler may as well return the value itself; this is for handlers that return an `outcome`. Managed queues keep it,
/// list queues do not.
///
/// @param value  anything that `encode` takes. What has no JSON form fails the job, in the group `:result`.
/// @param retention  how long the result is kept. Default: as `handle_options::result_retention` says
template<class T>
outcome success_with(const T& value, std::optional<option_duration> retention = std::nullopt)
{
    auto text = encode(value);
    if (!text)
        return failure("the result of the handler has no JSON form", ":result");
    outcome::managed_part more;
    more.value = raw_json{std::move(*text)};
    more.value_retention = retention;
    return outcome{outcome::kind::success, {}, std::nullopt, std::move(more)};
}

namespace detail {

template<class T>
inline constexpr bool is_result = false;
template<class T>
inline constexpr bool is_result<result<T>> = true;

/// What a coroutine yields; of anything else, the type itself.
template<class T>
struct yielded
{
    using type = T;
};
template<class T>
struct yielded<asio::awaitable<T>>
{
    using type = T;
};

/// Whether a handler may return, or yield, this.
template<class T>
struct answers : std::bool_constant<json_writable<T>>
{};
template<>
struct answers<void> : std::true_type
{};
template<>
struct answers<outcome> : std::true_type
{};
template<class T>
struct answers<result<T>> : answers<T>
{};

/// Makes an outcome of what a handler returned. An error in a `result` counts as if it had been thrown.
template<class T>
outcome to_outcome(T&& answer)
{
    using type = std::remove_cvref_t<T>;
    if constexpr (std::is_same_v<type, outcome>) {
        return std::forward<T>(answer);
    } else if constexpr (is_result<type>) {
        if (!answer)
            throw system_error{answer.error()};
        if constexpr (std::is_void_v<typename type::value_type>)
            return success();
        else
            return to_outcome(*std::forward<T>(answer));
    } else {
        return success_with(answer);
    }
}

template<class Handler, class Job>
decltype(auto) invoke_handler(Handler& handler, Job&& job, job_context& context)
{
    if constexpr (std::is_invocable_v<Handler&, Job, job_context&>)
        return handler(std::move(job), context);
    else
        return handler(std::move(job));
}

/// Runs a handler that is a coroutine, and holds the job for as long as it may use it. Such a handler begins only
/// when its caller has returned.
template<class Answer, class Job, class Handler>
asio::awaitable<outcome> run_with_job(Handler& handler, Job job, job_context& context)
{
    Answer running = invoke_handler(handler, std::move(job), context);
    if constexpr (std::is_same_v<Answer, asio::awaitable<void>>) {
        co_await std::move(running);
        co_return success();
    } else if constexpr (std::is_same_v<Answer, asio::awaitable<outcome>>) {
        co_return co_await std::move(running);
    } else {
        auto answer = co_await std::move(running);
        co_return to_outcome(std::move(answer));
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
concept handler_result = answers<std::remove_cvref_t<typename yielded<Answer>::type>>::value;

template<class Answer>
inline constexpr bool is_coroutine = !std::is_same_v<typename yielded<Answer>::type, Answer>;

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
    static_assert(!is_callable || is_handler,
                  "coworker: a handler returns void, coworker::outcome, a result that has a JSON form "
                  "(described with BOOST_DESCRIBE_STRUCT), or asio::awaitable of one of these");
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
            } else if constexpr (!detail::is_coroutine<answer>) {
                return detail::to_outcome(detail::invoke_handler(*shared, std::move(*job), context));
            } else {
                return detail::run_with_job<answer, Job>(*shared, std::move(*job), context);
            }
        };
    } else {
        return {};
    }
}

} // namespace coworker
