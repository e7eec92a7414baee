// SPDX-License-Identifier: MIT
#include "gateway/route_rows.hpp"

#include <initializer_list>
#include <vector>

/// Joins the tables of routes.
namespace coworker::detail {
namespace {

constexpr route to_files =
    on_get("", to<&api::file>, {.id = "dashboard", .is_open = true, .needs_redis = false});

std::vector<route> join_tables(std::initializer_list<std::span<const route>> tables)
{
    std::vector<route> all;
    for (const auto table : tables)
        all.insert(all.end(), table.begin(), table.end());
    return all;
}

} // namespace

std::span<const route> routes()
{
    static const auto all = join_tables({gateway_routes(), queue_routes(), job_routes(), remote_routes(),
                                         schedule_routes(), batch_routes(), limit_routes()});
    return all;
}

const route& file_route() noexcept
{
    return to_files;
}

} // namespace coworker::detail
