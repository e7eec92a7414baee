#pragma once

#include "coworker/codec.hpp"
#include "coworker/job_context.hpp"
#include "coworker/outcome.hpp"

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string_view>
#include <type_traits>
#include <variant>

namespace coworker::detail {

/// What a handler answers: at once, or as a coroutine that the worker has to run.
using handler_answer = std::variant<outcome, asio::awaitable<outcome>>;

/// A handler without its types: decodes the job and calls the user's function.
using job_handler = std::function<handler_answer(std::string_view text, job_context&)>;

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

template<class Job, class Handler>
job_handler make_handler(Handler handler)
{
    static_assert(std::is_invocable_v<Handler&, Job, job_context&> || std::is_invocable_v<Handler&, Job>,
                  "a handler takes the queue's Job, and a job_context& if it likes");
    using answer =
        decltype(invoke_handler(std::declval<Handler&>(), std::declval<Job>(), std::declval<job_context&>()));
    static_assert(std::is_same_v<answer, void> || std::is_same_v<answer, outcome> ||
                      std::is_same_v<answer, asio::awaitable<void>> ||
                      std::is_same_v<answer, asio::awaitable<outcome>>,
                  "a handler returns void, outcome, awaitable<void> or awaitable<outcome>");

    // Shared, since std::function copies and handlers need not be copyable.
    auto shared = std::make_shared<Handler>(std::move(handler));
    return [shared](std::string_view text, job_context& context) -> handler_answer {
        auto job = decode<Job>(text);
        if (!job)
            return outcome{outcome::kind::broken, why_not_decodable<Job>(text)};
        if constexpr (std::is_same_v<answer, void>) {
            invoke_handler(*shared, std::move(*job), context);
            return success();
        } else if constexpr (std::is_same_v<answer, outcome> ||
                             (std::is_same_v<answer, asio::awaitable<outcome>> && holds_job<Handler, Job>)) {
            return invoke_handler(*shared, std::move(*job), context);
        } else {
            return run_with_job<answer, Job>(*shared, std::move(*job), context);
        }
    };
}

} // namespace coworker::detail
