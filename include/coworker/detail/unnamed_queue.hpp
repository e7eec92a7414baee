// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/completion.hpp"
#include "coworker/managed_options.hpp"

#include <string_view>
#include <utility>

#ifdef COWORKER_COMPILER_DESTROYS_AGGREGATES_TWICE
namespace coworker::detail {

template<class>
concept anything = true;

/// A handle that was made with a temporary lambda, which this compiler would destroy twice in a `co_await` expression. It
/// is used like any other when it has a name: then that expression has ended.
template<class Queue>
class unnamed_queue : public Queue
{
public:
    explicit unnamed_queue(Queue queue) : Queue{std::move(queue)} {}

    using Queue::async_push;
    using Queue::async_push_many;

    template<class Data, class Token = default_token>
    requires anything<Token>
    auto async_push(std::string_view kind, Data&& data, managed_push_options options = {},
                    Token&& = Token{}) &&
    {
        static_assert(!anything<Data>, COWORKER_NAME_TEMPORARY_FIRST);
        return static_cast<Queue&>(*this).async_push(kind, std::forward<Data>(data), std::move(options));
    }
    template<class Data, token_for<void(error_code, std::string)> Token>
    requires anything<Token>
    auto async_push(std::string_view kind, Data&& data, Token&&) &&
    {
        return std::move(*this).async_push(kind, std::forward<Data>(data));
    }
    template<class... Arguments>
    requires anything<Queue>
    auto async_push_many(Arguments&&... arguments) &&
    {
        static_assert(!anything<Queue>, COWORKER_NAME_TEMPORARY_FIRST);
        return static_cast<Queue&>(*this).async_push_many(std::forward<Arguments>(arguments)...);
    }
    template<class... Arguments>
    auto async_push_each(Arguments&&... arguments) &&
    {
        static_assert(!anything<Queue>, COWORKER_NAME_TEMPORARY_FIRST);
        return static_cast<Queue&>(*this).async_push_each(std::forward<Arguments>(arguments)...);
    }
};

} // namespace coworker::detail
#endif
