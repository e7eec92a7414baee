// SPDX-License-Identifier: MIT
#include "gateway/route_rows.hpp"

/// Limits of managed queues.
namespace coworker::detail {
namespace {

constexpr route limit_table[] = {
    on_get("/v1/limits", to<&api::all_limits>, {.id = "limits"}),
    on_get("/v1/limits/{limit}", to<&api::limit>, {.id = "limit", .name = path_name::limit}),
    on_post("/v1/limits/{limit}", to<&api::set_limit>,
            {.id = "set_limit", .name = path_name::limit, .takes_body = true}),
    on_post("/v1/limits/{limit}/delete", to<&api::remove_limit>,
            {.id = "delete_limit", .name = path_name::limit}),
    on_post("/v1/holds", to<&api::hold>, {.id = "hold", .takes_body = true}),
};

static_assert(say_what_names_are(limit_table), "a path with braces needs what may stand for them");

} // namespace

std::span<const route> limit_routes() noexcept
{
    return limit_table;
}

} // namespace coworker::detail
