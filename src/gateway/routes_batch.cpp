// SPDX-License-Identifier: MIT
#include "gateway/route_rows.hpp"

/// Batches.
namespace coworker::detail {
namespace {

constexpr route batch_table[] = {
    on_get("/v1/batches", to<&managed_api::all_batches>,
           {.id = "batches",
            .summary = "Batches of jobs in managed queues, the newest first.",
            .query = "parent count cursor",
            .answers = {{"A page of batches.", "batches"}}}),
    on_post("/v1/batches", to<&managed_api::open_batch>,
            {.id = "open_batch",
             .summary = "Opens a batch. One that exists under the id stays as it is.",
             .body = "new_batch",
             .answers = {{"Its id.", "batch_opened", 201}},
             .problems = {409}}),
    on_get("/v1/batches/{batch}", to<&managed_api::batch>,
           {.id = "batch",
            .summary = "How far a batch is.",
            .name = path_name::batch,
            .answers = {{"The batch.", "batch"}},
            .problems = {404}}),
    on_get("/v1/batches/{batch}/jobs", to<&managed_api::batch_jobs>,
           {.id = "batch_jobs",
            .summary = "The jobs of a batch that have not ended, or those that have failed.",
            .name = path_name::batch,
            .query = "batch_jobs cursor count",
            .answers = {page_of("managed_jobs_page")}}),
    on_post("/v1/batches/{batch}/seal", to<&managed_api::seal_batch>,
            {.id = "seal_batch",
             .summary = "Lets a batch end when nothing of it is pending.",
             .name = path_name::batch,
             .answers = {{"It is sealed.", "batch_sealed"}},
             .problems = {404}}),
    on_post("/v1/batches/{batch}/cancel", to<&managed_api::cancel_batch>,
            {.id = "cancel_batch",
             .summary = "Cancels the jobs of a batch that wait, and with `running` those that run.",
             .name = path_name::batch,
             .body = "batch_cancel",
             .answers = {{"What became of its jobs.", "batch_cancelled"}},
             .problems = {404}}),
};

static_assert(say_what_names_are(batch_table), "a path with braces needs what may stand for them");

} // namespace

std::span<const route> batch_routes() noexcept
{
    return batch_table;
}

} // namespace coworker::detail
