// SPDX-License-Identifier: MIT
#pragma once

#include "support/print.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <concepts>
#include <optional>
#include <string>

namespace coworker::test {

namespace asio = boost::asio;

/// What an operation threw.
struct thrown
{
    std::optional<error_code> code; ///< empty: nothing
    std::string message;

    friend std::ostream& operator<<(std::ostream& out, const thrown& what)
    {
        return what.code ? out << what.message : out << "nothing";
    }
    friend bool operator==(const thrown& what, errc wanted) { return what.code && *what.code == wanted; }
    bool says(std::string_view words) const { return message.find(words) != message.npos; }
};

/// Calls a function that returns an awaitable, awaits that, and expects a `system_error` from either.
template<class Function>
requires std::invocable<Function&> asio::awaitable<thrown> error_of(Function function)
{
    thrown result;
    try {
        (void)co_await function();
    } catch (const system_error& error) {
        result = {error.code(), error.what()};
    }
    co_return result;
}

/// Awaits an operation that is expected to throw a `system_error`.
template<class Operation>
requires(!std::invocable<Operation&>) asio::awaitable<thrown> error_of(Operation operation)
{
    co_return co_await error_of([&] { return std::move(operation); });
}

/// The same for a plain function.
template<class Function>
thrown error_in(Function function)
{
    try {
        function();
    } catch (const system_error& error) {
        return {error.code(), error.what()};
    }
    return {};
}

} // namespace coworker::test
