// SPDX-License-Identifier: MIT
#include "gateway/route_rows.hpp"

/// Schedules.
namespace coworker::detail {
namespace {

/// What is done with the schedules of a list queue.
constexpr route_facts of_list(std::string_view id) noexcept
{
    return {.id = id,
            .name = path_name::queue,
            .inner = path_name::schedule,
            .managed_lack = "keeps its schedules with those of all managed queues: /v1/schedules"};
}

constexpr route_facts with_body(route_facts facts) noexcept
{
    facts.takes_body = true;
    return facts;
}

constexpr route_facts without_inner(route_facts facts) noexcept
{
    facts.inner = path_name::none;
    return facts;
}

constexpr route schedule_table[] = {
    on_get("/v1/schedules", to<&api::all_schedules>, {.id = "schedules"}),
    on_get("/v1/schedules/{schedule}", to<&api::schedule>, {.id = "schedule", .name = path_name::schedule}),
    on_post("/v1/schedules/{schedule}", to<&api::set_schedule>,
            {.id = "set_schedule", .name = path_name::schedule, .takes_body = true}),
    on_post("/v1/schedules/{schedule}/run", to<&api::run_schedule>,
            {.id = "run_schedule", .name = path_name::schedule}),
    on_post("/v1/schedules/{schedule}/pause", to<&api::pause_schedule>,
            {.id = "pause_schedule", .name = path_name::schedule}),
    on_post("/v1/schedules/{schedule}/resume", to<&api::resume_schedule>,
            {.id = "resume_schedule", .name = path_name::schedule}),
    on_post("/v1/schedules/{schedule}/delete", to<&api::remove_schedule>,
            {.id = "delete_schedule", .name = path_name::schedule}),

    on_get("/v1/queues/{queue}/schedules", to<&api::schedules_of_queue>,
           without_inner(of_list("list_schedules"))),
    on_get("/v1/queues/{queue}/schedules/{schedule}", to<&api::schedule>, of_list("list_schedule")),
    on_post("/v1/queues/{queue}/schedules/{schedule}", to<&api::set_list_schedule>,
            with_body(of_list("set_list_schedule"))),
    on_post("/v1/queues/{queue}/schedules/{schedule}/run", to<&api::run_schedule>,
            of_list("run_list_schedule")),
    on_post("/v1/queues/{queue}/schedules/{schedule}/pause", to<&api::pause_schedule>,
            of_list("pause_list_schedule")),
    on_post("/v1/queues/{queue}/schedules/{schedule}/resume", to<&api::resume_schedule>,
            of_list("resume_list_schedule")),
    on_post("/v1/queues/{queue}/schedules/{schedule}/delete", to<&api::remove_schedule>,
            of_list("delete_list_schedule")),
};

static_assert(say_what_names_are(schedule_table), "a path with braces needs what may stand for them");

} // namespace

std::span<const route> schedule_routes() noexcept
{
    return schedule_table;
}

} // namespace coworker::detail
