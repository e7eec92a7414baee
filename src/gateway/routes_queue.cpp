// SPDX-License-Identifier: MIT
#include "gateway/route_rows.hpp"

/// Queues of both kinds.
namespace coworker::detail {
namespace {

constexpr std::string_view only_managed = "has no such settings: these are of managed queues";

constexpr route queue_table[] = {
    on_get("/v1/queues", to<&api::queues>, {.id = "queues"}),
    on_get("/v1/queues/{queue}", to<&api::queue>,
           {.id = "queue", .name = path_name::queue, .needs_queue = true}),
    on_get("/v1/queues/{queue}/partitions", to<&api::partitions>,
           {.id = "partitions",
            .name = path_name::queue,
            .managed_lack = "has no partitions",
            .needs_queue = true}),
    on_get("/v1/queues/{queue}/history", to<&api::history>,
           {.id = "history", .name = path_name::queue, .needs_queue = true}),
    on_get("/v1/queues/{queue}/statistics", to<&api::statistics>,
           {.id = "statistics",
            .name = path_name::queue,
            .lists_lack = "keeps no statistics by day; it has totals and a history",
            .needs_queue = true}),
    on_get("/v1/queues/{queue}/failures", to<&api::failures>,
           {.id = "failures", .name = path_name::queue, .needs_queue = true}),
    on_post("/v1/queues/{queue}/pause", to<&api::set_paused, true>,
            {.id = "pause", .name = path_name::queue, .needs_queue = true}),
    on_post("/v1/queues/{queue}/resume", to<&api::set_paused, false>,
            {.id = "resume", .name = path_name::queue, .needs_queue = true}),
    on_post("/v1/queues/{queue}/notices", to<&api::set_notices>,
            {.id = "set_notices", .name = path_name::queue, .takes_body = true, .needs_queue = true}),
    on_post("/v1/queues/{queue}/delete", to<&api::delete_queue>,
            {.id = "delete_queue", .name = path_name::queue, .takes_body = true, .needs_queue = true}),

    // what is set for a managed queue, and holds for all its workers
    on_get("/v1/queues/{queue}/settings", to<&api::settings>,
           {.id = "queue_settings", .name = path_name::queue, .lists_lack = only_managed}),
    on_post("/v1/queues/{queue}/settings", to<&api::set_settings>,
            {.id = "set_queue_settings",
             .name = path_name::queue,
             .takes_body = true,
             .lists_lack = only_managed}),
    on_get("/v1/queues/{queue}/limits", to<&api::queue_limits>,
           {.id = "queue_limits", .name = path_name::queue, .lists_lack = only_managed}),
    on_post(
        "/v1/queues/{queue}/limits", to<&api::set_queue_limits>,
        {.id = "set_queue_limits", .name = path_name::queue, .takes_body = true, .lists_lack = only_managed}),
    on_get("/v1/queues/{queue}/groups", to<&api::group_weights>,
           {.id = "group_weights", .name = path_name::queue, .lists_lack = only_managed}),
    on_post(
        "/v1/queues/{queue}/groups", to<&api::set_group_weight>,
        {.id = "set_group_weight", .name = path_name::queue, .takes_body = true, .lists_lack = only_managed}),
};

static_assert(say_what_names_are(queue_table), "a path with braces needs what may stand for them");

} // namespace

std::span<const route> queue_routes() noexcept
{
    return queue_table;
}

} // namespace coworker::detail
