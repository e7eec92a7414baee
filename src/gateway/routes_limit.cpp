// SPDX-License-Identifier: MIT
#include "gateway/route_rows.hpp"

/// Limits and settings of managed queues.
namespace coworker::detail {
namespace {

constexpr route limit_table[] = {
    on_get("/v1/limits", to<&managed_api::all_limits>,
           {.id = "limits",
            .summary = "All limits that are set, what is in use of them and how many jobs they hold back.",
            .answers = {{"The limits, by name.", "limits"}}}),
    on_get("/v1/limits/{limit}", to<&managed_api::limit>,
           {.id = "limit",
            .summary = "A limit; it need not be set.",
            .name = path_name::limit,
            .answers = {{"The limit.", "limit"}}}),
    on_post("/v1/limits/{limit}", to<&managed_api::set_limit>,
            {.id = "set_limit",
             .summary = "Sets a limit, and replaces what was set; what may run now is taken at once.",
             .name = path_name::limit,
             .body = "new_limit",
             .answers = {{"The limit as it is now.", "limit"}}}),
    on_post("/v1/limits/{limit}/delete", to<&managed_api::remove_limit>,
            {.id = "delete_limit",
             .summary = "Removes a limit: jobs that name it are subject to it no longer.",
             .name = path_name::limit,
             .answers = {{"The limit as it is now.", "limit"}}}),
    on_get("/v1/managed/queues/{queue}/limits", to<&managed_api::queue_limits>,
           {.id = "queue_limits",
            .summary = "The limits that all jobs of a managed queue are subject to.",
            .name = path_name::managed_queue,
            .answers = {{"The limits.", "queue_limits"}}}),
    on_post("/v1/managed/queues/{queue}/limits", to<&managed_api::set_queue_limits>,
            {.id = "set_queue_limits",
             .summary = "Sets the limits that all jobs of a managed queue are subject to, beside their own.",
             .name = path_name::managed_queue,
             .body = "new_queue_limits",
             .answers = {{"The limits.", "queue_limits"}}}),
    on_get("/v1/managed/queues/{queue}/groups", to<&managed_api::group_weights>,
           {.id = "group_weights",
            .summary = "The groups of a managed queue that have more or less than one job in their turn.",
            .name = path_name::managed_queue,
            .answers = {{"The groups with their weights, by name.", "group_weights"}}}),
    on_post("/v1/managed/queues/{queue}/groups", to<&managed_api::set_group_weight>,
            {.id = "set_group_weight",
             .summary = "Sets how many jobs a group of a managed queue has in its turn.",
             .name = path_name::managed_queue,
             .body = "group_weight",
             .answers = {{"The group with its weight.", "group_weight"}}}),
    on_get("/v1/managed/queues/{queue}/settings", to<&managed_api::settings>,
           {.id = "queue_settings",
            .summary = "The settings of a managed queue, which hold for all its workers.",
            .name = path_name::managed_queue,
            .answers = {{"The settings.", "queue_settings"}}}),
    on_post("/v1/managed/queues/{queue}/settings", to<&managed_api::set_settings>,
            {.id = "set_queue_settings",
             .summary = "Changes those settings of a managed queue that are given.",
             .name = path_name::managed_queue,
             .body = "new_queue_settings",
             .answers = {{"The settings as they are now.", "queue_settings"}}}),
};

static_assert(say_what_names_are(limit_table), "a path with braces needs what may stand for them");

} // namespace

std::span<const route> limit_routes() noexcept
{
    return limit_table;
}

} // namespace coworker::detail
