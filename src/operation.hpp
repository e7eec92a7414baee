// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/completion.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/this_coro.hpp>

/// The inside of `detail::operation`. Include it where `template struct operation<T>;` is written: once for each `T`
/// that an operation yields.
namespace coworker::detail {

/// Lets a coroutine obey some types of cancellation; by itself it would obey the terminal one only.
template<class T>
asio::awaitable<T> obey(asio::cancellation_type types, asio::awaitable<T> work)
{
    co_await asio::this_coro::reset_cancellation_state([types](asio::cancellation_type type) {
        return (type & types) == asio::cancellation_type::none ? asio::cancellation_type::none
                                                               : asio::cancellation_type::terminal;
    });
    co_return co_await std::move(work);
}

template<class T>
void operation<T>::launch(asio::any_io_executor executor, asio::awaitable<T> work,
                          asio::cancellation_type obeyed, handler handler)
{
    if (obeyed != asio::cancellation_type::none)
        work = obey(obeyed, std::move(work));
    asio::co_spawn(std::move(executor), std::move(work), std::move(handler));
}

template<class T>
asio::awaitable<T> operation<T>::fail(std::exception_ptr why)
{
    std::rethrow_exception(why);
    if constexpr (std::is_void_v<T>) // makes this a coroutine
        co_return;
    else
        co_return T();
}

} // namespace coworker::detail
