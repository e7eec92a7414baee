// SPDX-License-Identifier: MIT
#include "gateway/route_rows.hpp"

/// Schedules.
namespace coworker::detail {
namespace {

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
};

static_assert(say_what_names_are(schedule_table), "a path with braces needs what may stand for them");

} // namespace

std::span<const route> schedule_routes() noexcept
{
    return schedule_table;
}

} // namespace coworker::detail
