// SPDX-License-Identifier: MIT
#include "gateway/route_rows.hpp"

/// Pushing by type, and the gateway itself.
namespace coworker::detail {
namespace {

constexpr route gateway_table[] = {
    on_post("/jobber/queue", to<&api::push>, {.id = "push", .takes_body = true, .flow = job_flow::push}),

    // the gateway itself
    on_get("/health", to<&api::health>, {.id = "health", .is_open = true, .needs_redis = false}),
    on_get("/ready", to<&api::ready>, {.id = "ready", .is_open = true}),
    on_get("/metrics", to<&api::metrics>, {.id = "metrics", .needs_redis = false}),
    on_get("/openapi.json", to<&api::description>,
           {.id = "description", .is_common = true, .needs_redis = false}),

    on_get("/v1/access", to<&api::access>, {.id = "access", .is_common = true, .needs_redis = false}),
    on_get("/v1/server", to<&api::server>, {.id = "server"}),
    on_get("/v1/workers", to<&api::workers>, {.id = "workers"}),
    on_get("/v1/history", to<&api::total_history>, {.id = "total_history"}),

    on_get("/v1/events", to<&api::events>, {.id = "events"}),
};

static_assert(say_what_names_are(gateway_table), "a path with braces needs what may stand for them");

} // namespace

std::span<const route> gateway_routes() noexcept
{
    return gateway_table;
}

} // namespace coworker::detail
