// SPDX-License-Identifier: MIT
#pragma once

#include "gateway/api.hpp"

#include <algorithm>
#include <span>
#include <string_view>

/// What the tables of routes are written with. A new route is a row in one of them, and the function that it names.
namespace coworker::detail {

/// Lets a member function of `api` answer; what else it needs to know is in the row.
template<auto Member, auto... More>
boost::asio::awaitable<answer> to(api& all, const routed& where)
{
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
std::span<const route> queue_routes() noexcept;
std::span<const route> job_routes() noexcept;
std::span<const route> remote_routes() noexcept;
std::span<const route> schedule_routes() noexcept;
std::span<const route> batch_routes() noexcept;
std::span<const route> limit_routes() noexcept;

} // namespace coworker::detail
