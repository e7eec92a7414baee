// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <type_traits>

/// @file
/// What a compiler gets wrong, and calls that it must not compile.

#if defined(__GNUC__) && !defined(__clang__) && __GNUC__ < 13
/// A temporary aggregate, or a temporary lambda with captures, is copied byte by byte in a `co_await` expression, and
/// destroyed twice.
#define COWORKER_COMPILER_DESTROYS_AGGREGATES_TWICE
#endif

/// What such a compiler says instead.
#define COWORKER_NAME_TEMPORARY_FIRST                                                                        \
    "coworker: g++ 12 would destroy this temporary twice in a co_await expression: give it a name, and "     \
    "pass that"

namespace coworker::detail {

/// A class that such a compiler gets wrong.
template<class T>
concept destroyed_twice = std::is_aggregate_v<T> && !std::is_trivially_destructible_v<T>;

/// The type of a lambda, by what such a compiler calls it: "… [with T = f()::<lambda(int)>]". One in the arguments of a
/// template is between angle brackets.
template<class T>
consteval bool is_lambda()
{
    std::string_view name = __PRETTY_FUNCTION__;
    name.remove_prefix(name.find("T = "));
    const auto begin = name.find("<lambda");
    int depth = 0;
    for (const char c : name.substr(0, begin))
        depth += c == '<' ? 1 : c == '>' ? -1 : 0;
    return begin != name.npos && depth == 0;
}

/// With such a compiler: an argument `T&&` that would be destroyed twice if it is a temporary. That is an aggregate, or a
/// lambda whose captures have to be destroyed. A moved variable looks the same here.
template<class T>
concept crashes_as_temporary =
#ifdef COWORKER_COMPILER_DESTROYS_AGGREGATES_TWICE
    !std::is_reference_v<T> && !std::is_trivially_destructible_v<T> &&
    (std::is_aggregate_v<std::remove_cv_t<T>> || is_lambda<std::remove_cv_t<T>>());
#else
    false;
#endif

} // namespace coworker::detail
