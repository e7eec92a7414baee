// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>

#include <memory>
#include <optional>
#include <string>
#include <type_traits>

/// @file
/// Steps of a job: `job_context::step`.
namespace coworker::detail {

/// A step that begins.
struct begun_step
{
    std::optional<std::string> value{}; ///< what it had when an earlier attempt did it, as JSON
    std::shared_ptr<const void> turn{}; ///< while it lives, no other step of this run may have the name
};

template<class T>
struct step_function_result
{
    using type = T;
    static constexpr bool is_awaited = false;
};
template<class T, class Executor>
struct step_function_result<boost::asio::awaitable<T, Executor>>
{
    using type = T;
    static constexpr bool is_awaited = true;
};

/// What the function of a step returns, whether it is a coroutine or not.
template<class Function>
using step_result = step_function_result<std::remove_cvref_t<std::invoke_result_t<std::decay_t<Function>&>>>;

template<class Function>
boost::asio::awaitable<typename step_result<Function>::type> call_step(Function& function)
{
    if constexpr (step_result<Function>::is_awaited)
        co_return co_await function();
    else
        co_return function();
}

} // namespace coworker::detail
