// SPDX-License-Identifier: MIT
#include "gateway/route_rows.hpp"

/// Workers over HTTP.
namespace coworker::detail {
namespace {

constexpr route remote_table[] = {
    on_post(
        "/v1/queues/{queue}/take", to<&api::take>,
        {.id = "take", .name = path_name::queue, .takes_body = true, .flow = job_flow::take, .waits = true}),
    on_post("/v1/queues/{queue}/renew", to<&api::renew>,
            {.id = "renew",
             .name = path_name::queue,
             .takes_body = true,
             .flow = job_flow::held,
             .has_tokens = true}),
    on_post("/v1/queues/{queue}/progress", to<&api::tell_progress>,
            {.id = "progress",
             .name = path_name::queue,
             .takes_body = true,
             .flow = job_flow::held,
             .lists_lack = "keeps no progress",
             .has_tokens = true}),
    on_post("/v1/queues/{queue}/log", to<&api::tell_log>,
            {.id = "log",
             .name = path_name::queue,
             .takes_body = true,
             .flow = job_flow::held,
             .lists_lack = "keeps no log",
             .has_tokens = true}),
    on_post("/v1/queues/{queue}/checkpoint", to<&api::save_checkpoints>,
            {.id = "checkpoint",
             .name = path_name::queue,
             .takes_body = true,
             .flow = job_flow::held,
             .lists_lack = "keeps no checkpoints",
             .has_tokens = true}),
    on_post("/v1/queues/{queue}/step", to<&api::store_steps>,
            {.id = "step",
             .name = path_name::queue,
             .takes_body = true,
             .flow = job_flow::held,
             .lists_lack = "keeps no steps",
             .has_tokens = true}),
    on_post("/v1/queues/{queue}/acknowledge", to<&api::acknowledge>,
            {.id = "acknowledge",
             .name = path_name::queue,
             .takes_body = true,
             .flow = job_flow::held,
             .has_tokens = true}),
};

static_assert(say_what_names_are(remote_table), "a path with braces needs what may stand for them");

} // namespace

std::span<const route> remote_routes() noexcept
{
    return remote_table;
}

} // namespace coworker::detail
