// SPDX-License-Identifier: MIT
#pragma once

#include "gateway/api.hpp"

#include <algorithm>
#include <span>
#include <string_view>
#include <type_traits>

/// What the tables of routes are written with. A new route is a row in one of them, and the function that it names.
namespace coworker::detail {

/// Lets a member function of `api` or `managed_api` answer; what else it needs to know is in the row.
template<auto Member, auto... More>
boost::asio::awaitable<answer> to(api& all, const routed& where)
{
    if constexpr (std::is_invocable_v<decltype(Member), managed_api&, const routed&, decltype(More)...>)
        return (all.managed().*Member)(where, More...);
    else
        return (all.*Member)(where, More...);
}

constexpr route on_get(std::string_view path, route::handler_type by, const route_facts& facts) noexcept
{
    return {"GET", path, by, facts};
}

constexpr route on_post(std::string_view path, route::handler_type by, const route_facts& facts) noexcept
{
    return {"POST", path, by, facts};
}

constexpr described_answer page_of(std::string_view schema) noexcept
{
    return {"A page.", schema};
}

constexpr described_answer counts_of(std::string_view schema) noexcept
{
    return {"How many jobs were retried or deleted.", schema};
}

/// Whether each row with braces in its path has the `name` that says what may stand for them, and with two the `inner`.
constexpr bool say_what_names_are(std::span<const route> table)
{
    return std::ranges::all_of(table, [](const route& row) {
        const auto names = std::ranges::count(row.path, '{');
        return (names > 0) == (row.facts.name != path_name::none) &&
               (names > 1) == (row.facts.inner != path_name::none);
    });
}

// The tables.
std::span<const route> gateway_routes() noexcept;
std::span<const route> list_routes() noexcept;
std::span<const route> managed_routes() noexcept;
std::span<const route> schedule_routes() noexcept;
std::span<const route> batch_routes() noexcept;
std::span<const route> limit_routes() noexcept;

} // namespace coworker::detail
