// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/detail/compiler.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/async_result.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

namespace coworker {

namespace asio = boost::asio;

namespace detail {

template<class T>
struct blocking_result
{
    std::optional<T> value;
    std::exception_ptr error;

    void set(auto& function) { value.emplace(function()); }
    T get() { return std::move(*value); }
};

template<>
struct blocking_result<void>
{
    std::exception_ptr error;

    void set(auto& function) { function(); }
    void get() {}
};

template<class Function>
asio::awaitable<std::invoke_result_t<Function&>> run_elsewhere(asio::any_io_executor pool, Function function)
{
    auto result = std::make_shared<blocking_result<std::invoke_result_t<Function&>>>();
    auto start = [pool, result, function = std::move(function)](auto handler) mutable {
        auto back = asio::get_associated_executor(handler, pool);
        // Keeps both executors at work until the result has been delivered.
        auto work = asio::make_work_guard(back);
        asio::post(pool, [result, function = std::move(function), handler = std::move(handler),
                          work = std::move(work)]() mutable {
            try {
                result->set(function);
            } catch (...) {
                result->error = std::current_exception();
            }
            auto executor = work.get_executor();
            asio::dispatch(executor, [handler = std::move(handler)]() mutable { std::move(handler)(); });
        });
    };
    co_await asio::async_initiate<const asio::use_awaitable_t<>, void()>(std::move(start),
                                                                         asio::use_awaitable);
    if (result->error)
        std::rethrow_exception(result->error);
    co_return result->get();
}

} // namespace detail

/// Runs a plain function on another executor, such as that of an `asio::thread_pool`, and returns its result. For
/// blocking calls and heavy computation inside a handler: meanwhile the worker runs other jobs and renews this job's
/// lease.
///
///     auto sum = co_await coworker::run_blocking(pool.get_executor(), hash_file, path);
///
/// The function runs on a thread of `pool`: it must not touch the `job_context` or anything else that belongs
/// to the worker's executor. What it throws is thrown here.
///
/// The function and its arguments are copied or moved, and the function receives the arguments as rvalues; pass a
/// pointer or `std::ref` for what it is to refer to.
///
/// @par Cancellation  None: a function cannot be interrupted. A handler that is cancelled meanwhile notices it at its
///   next `co_await`.
/// @par Lifetime  The pool must live until the function has ended.
/// @note  With g++ 12, a temporary aggregate and a temporary lambda that captures objects by value, such as a string, do
///   not compile as arguments: that compiler destroys them twice in a `co_await` expression. Give them a name first.
template<class Function, class... Arguments>
auto run_blocking(asio::any_io_executor pool, Function&& function, Arguments&&... arguments)
{
    static_assert(
        !detail::crashes_as_temporary<Function>,
        "coworker: g++ 12 would destroy this lambda twice: give it a name, and pass that; or pass what it "
        "captures as arguments of run_blocking");
    static_assert(
        (!detail::crashes_as_temporary<Arguments> && ...),
        "coworker: g++ 12 would destroy this temporary argument twice: give it a name, and pass that");
    auto call = [function = std::decay_t<Function>(std::forward<Function>(function)),
                 ... arguments = std::decay_t<Arguments>(std::forward<Arguments>(arguments))]() mutable
        -> decltype(auto) { return std::invoke(std::move(function), std::move(arguments)...); };
    return detail::run_elsewhere(std::move(pool), std::move(call));
}

} // namespace coworker
