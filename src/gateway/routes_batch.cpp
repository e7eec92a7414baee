// SPDX-License-Identifier: MIT
#include "gateway/route_rows.hpp"

/// Batches.
namespace coworker::detail {
namespace {

constexpr route batch_table[] = {
    on_get("/v1/batches", to<&api::all_batches>, {.id = "batches"}),
    on_post("/v1/batches", to<&api::open_batch>, {.id = "open_batch", .takes_body = true}),
    on_get("/v1/batches/{batch}", to<&api::batch>, {.id = "batch", .name = path_name::batch}),
    on_get("/v1/batches/{batch}/jobs", to<&api::batch_jobs>, {.id = "batch_jobs", .name = path_name::batch}),
    on_post("/v1/batches/{batch}/seal", to<&api::seal_batch>, {.id = "seal_batch", .name = path_name::batch}),
    on_post("/v1/batches/{batch}/cancel", to<&api::cancel_batch>,
            {.id = "cancel_batch", .name = path_name::batch, .takes_body = true}),
};

static_assert(say_what_names_are(batch_table), "a path with braces needs what may stand for them");

} // namespace

std::span<const route> batch_routes() noexcept
{
    return batch_table;
}

} // namespace coworker::detail
