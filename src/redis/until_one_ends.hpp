// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>

#include <exception>
#include <utility>

namespace coworker::detail {

namespace asio = boost::asio;

/// The end of the first of some loops.
struct first_end
{
    bool has_come = false;
    std::exception_ptr error;
};

inline asio::awaitable<void> note_end(asio::awaitable<void> loop, first_end& first)
{
    std::exception_ptr error;
    try {
        co_await std::move(loop);
    } catch (...) {
        error = std::current_exception();
    }
    if (!std::exchange(first.has_come, true))
        first.error = error;
}

/// Runs loops beside each other until one of them ends, in whatever way, and cancels the others. Throws what that
/// one threw. (`||` alone goes on with the others when one throws.)
template<class... Loops>
asio::awaitable<void> until_one_ends(Loops... loops)
{
    using namespace asio::experimental::awaitable_operators;
    first_end first;
    co_await (... || note_end(std::move(loops), first));
    if (first.error)
        std::rethrow_exception(first.error);
}

} // namespace coworker::detail
