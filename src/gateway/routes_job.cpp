// SPDX-License-Identifier: MIT
#include "gateway/route_rows.hpp"

/// Jobs: of a queue, and those of managed queues whose queue is not known.
namespace coworker::detail {
namespace {

/// Acting on jobs of a queue.
constexpr route act_in_queue(std::string_view path, route::handler_type by, std::string_view id,
                             std::string_view lists_lack = {}) noexcept
{
    return on_post(path, by,
                   {.id = id,
                    .name = path_name::queue,
                    .takes_body = true,
                    .lists_lack = lists_lack,
                    .needs_queue = true});
}

/// Acting on jobs of managed queues, wherever they are.
constexpr route act_anywhere(std::string_view path, route::handler_type by, std::string_view id) noexcept
{
    return on_post(path, by, {.id = id, .takes_body = true});
}

constexpr route job_table[] = {
    on_get("/v1/queues/{queue}/jobs", to<&api::jobs>,
           {.id = "jobs", .name = path_name::queue, .needs_queue = true}),
    on_post("/v1/queues/{queue}/jobs", to<&api::push_to_queue>,
            {.id = "push_to_queue", .name = path_name::queue, .takes_body = true, .flow = job_flow::push}),
    on_get("/v1/queues/{queue}/jobs/{id}", to<&api::job>,
           {.id = "job", .name = path_name::queue, .inner = path_name::id, .waits = true}),
    act_in_queue("/v1/queues/{queue}/jobs/retry", to<&api::act, job_action::retry>, "retry_jobs"),
    act_in_queue("/v1/queues/{queue}/jobs/delete", to<&api::act, job_action::remove>, "delete_jobs"),
    act_in_queue("/v1/queues/{queue}/jobs/run", to<&api::act, job_action::run_now>, "run_jobs"),
    act_in_queue("/v1/queues/{queue}/jobs/cancel", to<&api::act, job_action::cancel>, "cancel_jobs"),
    act_in_queue("/v1/queues/{queue}/jobs/release", to<&api::act, job_action::release>, "release_jobs",
                 "takes no running job from its worker; cancel it, and retry it"),

    // of managed queues, whatever queue it is
    on_get("/v1/jobs/{id}", to<&api::job_anywhere>,
           {.id = "job_anywhere", .name = path_name::id, .waits = true}),
    on_post("/v1/jobs/{id}/signals/{signal}", to<&api::send_signal>,
            {.id = "send_signal", .name = path_name::id, .inner = path_name::signal, .takes_body = true}),
    act_anywhere("/v1/jobs/retry", to<&api::act_anywhere, job_action::retry>, "retry_jobs_anywhere"),
    act_anywhere("/v1/jobs/delete", to<&api::act_anywhere, job_action::remove>, "delete_jobs_anywhere"),
    act_anywhere("/v1/jobs/run", to<&api::act_anywhere, job_action::run_now>, "run_jobs_anywhere"),
    act_anywhere("/v1/jobs/release", to<&api::act_anywhere, job_action::release>, "release_jobs_anywhere"),
    on_get("/v1/failures", to<&api::failures_anywhere>, {.id = "failures_anywhere"}),
    on_get("/v1/failed", to<&api::failure_groups>, {.id = "failure_groups"}),
    on_get("/v1/failed/{group}", to<&api::failed_of_group>,
           {.id = "failed_of_group", .name = path_name::group}),
};

static_assert(say_what_names_are(job_table), "a path with braces needs what may stand for them");

} // namespace

std::span<const route> job_routes() noexcept
{
    return job_table;
}

} // namespace coworker::detail
