// SPDX-License-Identifier: MIT
#include "gateway/route_rows.hpp"

/// Schedules.
namespace coworker::detail {
namespace {

constexpr route schedule_table[] = {
    on_get("/v1/schedules", to<&managed_api::all_schedules>,
           {.id = "schedules",
            .summary = "All schedules with their next ten runs, the next due first.",
            .answers = {{"The schedules.", "schedules"}}}),
    on_get("/v1/schedules/{schedule}", to<&managed_api::schedule>,
           {.id = "schedule",
            .summary = "A schedule with its next ten runs.",
            .name = path_name::schedule,
            .answers = {{"The schedule.", "schedule"}},
            .problems = {404}}),
    on_post("/v1/schedules/{schedule}", to<&managed_api::set_schedule>,
            {.id = "set_schedule",
             .summary = "Makes a schedule, or replaces the one of this name.",
             .name = path_name::schedule,
             .body = "new_schedule",
             .answers = {{"Whether anything is different from before.", "schedule_set"}},
             .problems = {409}}),
    on_post("/v1/schedules/{schedule}/run", to<&managed_api::run_schedule>,
            {.id = "run_schedule",
             .summary = "Pushes a schedule's job now, beside its times.",
             .name = path_name::schedule,
             .answers = {{"The job.", "schedule_run"}},
             .problems = {404, 409}}),
    on_post("/v1/schedules/{schedule}/pause", to<&managed_api::pause_schedule>,
            {.id = "pause_schedule",
             .summary = "Pauses a schedule: runs until it is resumed are left out.",
             .name = path_name::schedule,
             .answers = {{"It is paused.", "schedule_done"}},
             .problems = {404}}),
    on_post("/v1/schedules/{schedule}/resume", to<&managed_api::resume_schedule>,
            {.id = "resume_schedule",
             .summary = "Resumes a schedule, from its next time on.",
             .name = path_name::schedule,
             .answers = {{"It runs again.", "schedule_done"}},
             .problems = {404}}),
    on_post("/v1/schedules/{schedule}/delete", to<&managed_api::remove_schedule>,
            {.id = "delete_schedule",
             .summary = "Deletes a schedule. The jobs that it has pushed stay.",
             .name = path_name::schedule,
             .answers = {{"It is deleted.", "schedule_done"}},
             .problems = {404}}),
};

static_assert(say_what_names_are(schedule_table), "a path with braces needs what may stand for them");

} // namespace

std::span<const route> schedule_routes() noexcept
{
    return schedule_table;
}

} // namespace coworker::detail
