// SPDX-License-Identifier: MIT
#include "gateway/route_rows.hpp"

/// Pushing by type, and the gateway itself.
namespace coworker::detail {
namespace {

constexpr route gateway_table[] = {
    on_post("/jobber/queue", to<&api::push>,
            {.id = "push",
             .summary = "Pushes a job, or many.",
             .body = "job_or_jobs",
             .answers = {{"The id was pushed before, and nothing has been done.", "pushed"},
                         {"Pushed; for an array: all of them, with an answer for each.", "pushed", 201},
                         {"The jobs of an array have different answers.", "items", 207}},
             .problems = {422},
             .flow = job_flow::push}),

    // the gateway itself
    on_get("/health", to<&api::health>,
           {.id = "health",
            .summary = "Whether the gateway runs.",
            .answers = {{"Yes.", "status"}},
            .is_open = true,
            .needs_redis = false}),
    on_get("/ready", to<&api::ready>,
           {.id = "ready",
            .summary = "Whether Redis answers.",
            .answers = {{"Yes.", "status"}},
            .is_open = true}),
    on_get("/metrics", to<&api::metrics>,
           {.id = "metrics",
            .summary = "Metrics for Prometheus.",
            .answers = {{"The text format, version 0.0.4.", "text", 200, "text/plain"}},
            .needs_redis = false}),
    on_get("/openapi.json", to<&api::description>,
           {.id = "description",
            .summary = "This description.",
            .answers = {{"OpenAPI 3.1.", "description"}},
            .needs_redis = false}),

    on_get("/v1/access", to<&api::access>,
           {.id = "access",
            .summary = "Whether the token may change something, or only read.",
            .answers = {{"What it may do.", "access"}},
            .needs_redis = false}),
    on_get("/v1/workers", to<&api::workers>,
           {.id = "workers",
            .summary =
                "Workers of queues of both kinds that are connected, have been seen lately or have jobs, by "
                "name.",
            .query = "cursor count",
            .answers = {page_of("workers_page")}}),

    on_get("/v1/events", to<&api::events>,
           {.id = "events",
            .summary = "What happens to the jobs of managed queues from now on, as server-sent events, until "
                       "the client "
                       "goes.",
            .answers = {{"The stream. Each event has its name in `event`, and JSON in `data`.", "text", 200,
                         "text/event-stream"}}}),
};

static_assert(say_what_names_are(gateway_table), "a path with braces needs what may stand for them");

} // namespace

std::span<const route> gateway_routes() noexcept
{
    return gateway_table;
}

} // namespace coworker::detail
