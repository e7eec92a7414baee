// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/completion.hpp"
#include "coworker/detail/compiler.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/append.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>

#include <concepts>
#include <exception>
#include <optional>
#include <type_traits>
#include <utility>

namespace coworker {

namespace detail {

/// Calls a function, and completes a handler where that wants it with what the function returned or threw. Whoever is
/// told that the function has ended finds its captures and its exception gone from this thread.
template<class Function, class Handler>
void call_and_complete(std::optional<Function>& function, Handler handler, const auto& back)
{
    using result_type = std::invoke_result_t<Function>;
    std::exception_ptr error;
    if constexpr (std::is_void_v<result_type>) {
        try {
            (*std::move(function))();
        } catch (...) {
            error = std::current_exception();
        }
        function.reset();
        asio::dispatch(back, asio::append(std::move(handler), std::move(error)));
    } else {
        std::optional<result_type> result;
        try {
            result.emplace((*std::move(function))());
        } catch (...) {
            error = std::current_exception();
            result.emplace();
        }
        function.reset();
        asio::dispatch(back, asio::append(std::move(handler), std::move(error), *std::move(result)));
    }
}

struct initiate_blocking
{
    using executor_type = asio::any_io_executor;

    executor_type pool;

    executor_type get_executor() const noexcept { return pool; }

    template<class Handler, class Function>
    void operator()(Handler&& handler, Function function) const
    {
        // Keeps the handler's executor at work until the result has been delivered.
        auto back = asio::make_work_guard(handler, pool);
        asio::post(pool, [function = std::optional<Function>{std::move(function)},
                          handler = std::forward<Handler>(handler), back = std::move(back)]() mutable {
            call_and_complete(function, std::move(handler), back.get_executor());
        });
    }
};

} // namespace detail

/// Runs a plain function on another executor, such as that of an `asio::thread_pool`, and completes with its result. For
/// blocking calls and heavy computation inside a handler: meanwhile the worker runs other jobs and renews this job's
/// lease.
///
///     auto sum = co_await coworker::async_run_blocking(pool.get_executor(), [&] { return sum_of(path); });
///
/// The function runs on a thread of `pool`: it must not touch the `job_context` or anything else that belongs
/// to the worker's executor. It is destroyed there, with what it captured, before the operation completes.
///
/// Completes with `void(std::exception_ptr, Result)`, or with `void(std::exception_ptr)` if the function returns
/// nothing. What the function throws is the exception.
///
/// @param pool  where the function runs; it must live until the function has ended
/// @param function  copied or moved, and called once without arguments; what it returns can be moved, and has a
///   default constructor
/// @param token  the completion token. A handler without an executor is called on a thread of `pool`.
///
/// @par Cancellation  None: a function cannot be interrupted. A handler that is cancelled meanwhile notices it at its
///   next `co_await`.
/// @note  With g++ 12, a temporary lambda that captures objects by value, such as a string, does not compile. That
///   compiler destroys it twice in a `co_await` expression. Give it a name first.
template<class Function, class Token = asio::deferred_t>
auto async_run_blocking(asio::any_io_executor pool, Function&& function, Token&& token = Token{})
{
    using result_type = std::invoke_result_t<std::decay_t<Function>>;
    static_assert(std::is_void_v<result_type> || std::default_initializable<result_type>,
                  "coworker: a function for async_run_blocking returns nothing, or a type that has a default "
                  "constructor: return a std::optional of it");
    const auto initiate = [&]() -> decltype(auto) {
        return asio::async_initiate<Token, typename detail::completion_of<result_type>::with_exception>(
            detail::initiate_blocking{std::move(pool)}, token,
            std::decay_t<Function>(std::forward<Function>(function)));
    };
    detail::check_argument<Function, decltype(initiate()), result_type>();
    return initiate();
}

} // namespace coworker
