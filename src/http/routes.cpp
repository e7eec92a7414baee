// SPDX-License-Identifier: MIT
#include "http/api.hpp"

#include <algorithm>
#include <type_traits>

/// The table of all routes. A new one is a row here, and the function that it names.
namespace coworker::detail {
namespace {

/// Lets a member function of `api` or `managed_api` answer.
template<auto Member>
boost::asio::awaitable<answer> to(api& all, const routed& where)
{
    if constexpr (std::is_invocable_v<decltype(Member), managed_api&, const routed&>)
        return (all.managed().*Member)(where);
    else
        return (all.*Member)(where);
}

/// Shows the jobs of a list queue in a state.
template<job_state State>
boost::asio::awaitable<answer> show(api& all, const routed& where)
{
    return all.jobs(where, State);
}

/// Acts on jobs of a list queue in a state.
template<job_state State, job_action Action>
boost::asio::awaitable<answer> act(api& all, const routed& where)
{
    return all.act(where, State, Action);
}

template<queue_kind Kind>
boost::asio::awaitable<answer> history(api& all, const routed& where)
{
    return all.history(where, Kind);
}

template<queue_kind Kind>
boost::asio::awaitable<answer> failures(api& all, const routed& where)
{
    return all.failures(where, Kind);
}

template<queue_kind Kind, bool Paused>
boost::asio::awaitable<answer> set_paused(api& all, const routed& where)
{
    return all.set_paused(where, Kind, Paused);
}

template<queue_kind Kind>
boost::asio::awaitable<answer> take(api& all, const routed& where)
{
    return all.take(where, Kind);
}

template<queue_kind Kind>
boost::asio::awaitable<answer> renew(api& all, const routed& where)
{
    return all.renew(where, Kind);
}

template<queue_kind Kind>
boost::asio::awaitable<answer> acknowledge(api& all, const routed& where)
{
    return all.acknowledge(where, Kind);
}

constexpr route get(std::string_view path, route::handler_type by, const route_facts& facts) noexcept
{
    return {"GET", path, by, facts};
}

constexpr route post(std::string_view path, route::handler_type by, const route_facts& facts) noexcept
{
    return {"POST", path, by, facts};
}

constexpr described_answer page_of(std::string_view schema) noexcept
{
    return {"A page.", schema};
}

constexpr described_answer counts_of(std::string_view schema) noexcept
{
    return {"How many jobs were retried or deleted.", schema};
}

constexpr route table[] = {
    post("/jobber/queue", to<&api::push>,
         {.id = "push",
          .summary = "Pushes a job, or many.",
          .body = "job_or_jobs",
          .answers = {{"The id was pushed before, and nothing has been done.", "pushed"},
                      {"Pushed; for an array: all of them, with an answer for each.", "pushed", 201},
                      {"The jobs of an array have different answers.", "items", 207}},
          .problem = 422}),

    // the gateway itself
    get("/health", to<&api::health>,
        {.id = "health",
         .summary = "Whether the gateway runs.",
         .answers = {{"Yes.", "status"}},
         .is_open = true,
         .needs_redis = false}),
    get("/ready", to<&api::ready>,
        {.id = "ready",
         .summary = "Whether Redis answers.",
         .answers = {{"Yes.", "status"}},
         .is_open = true}),
    get("/metrics", to<&api::metrics>,
        {.id = "metrics",
         .summary = "Metrics for Prometheus.",
         .answers = {{"The text format, version 0.0.4.", "text", 200, "text/plain"}},
         .needs_redis = false}),
    get("/openapi.json", to<&api::description>,
        {.id = "description",
         .summary = "This description.",
         .answers = {{"OpenAPI 3.1.", "description"}},
         .needs_redis = false}),

    get("/v1/access", to<&api::access>,
        {.id = "access",
         .summary = "Whether the token may change something, or only read.",
         .answers = {{"What it may do.", "access"}},
         .needs_redis = false}),
    get("/v1/workers", to<&api::workers>,
        {.id = "workers",
         .summary =
             "Workers of queues of both kinds that are connected, have been seen lately or have jobs, by "
             "name.",
         .query = "cursor count",
         .answers = {page_of("workers_page")}}),

    get("/v1/events", to<&api::events>,
        {.id = "events",
         .summary = "What happens to the jobs of managed queues from now on, as server-sent events, until "
                    "the client "
                    "goes.",
         .answers = {{"The stream. Each event has its name in `event`, and JSON in `data`.", "text", 200,
                      "text/event-stream"}}}),

    // list queues
    get("/v1/queues", to<&api::queues>,
        {.id = "queues",
         .summary =
             "Queues with their sizes and latency: the types that the gateway takes, or all list queues "
             "if it takes any type.",
         .query = "cursor count",
         .answers = {page_of("queues_page")}}),
    get("/v1/queues/{queue}", to<&api::queue>,
        {.id = "queue",
         .summary = "A queue's sizes and latency.",
         .name = path_name::queue,
         .answers = {{"The queue.", "queue"}}}),
    get("/v1/queues/{queue}/history", history<queue_kind::list>,
        {.id = "history",
         .summary = "How many jobs succeeded, failed and were retried in each minute of the last day.",
         .name = path_name::queue,
         .query = "minutes",
         .answers = {{"The history.", "history"}}}),
    post("/v1/queues/{queue}/pause", set_paused<queue_kind::list, true>,
         {.id = "pause",
          .summary = "Pauses a queue: coworker's workers fetch no jobs from it.",
          .name = path_name::queue,
          .answers = {{"The new state.", "paused"}}}),
    post("/v1/queues/{queue}/resume", set_paused<queue_kind::list, false>,
         {.id = "resume",
          .summary = "Resumes a queue: workers fetch jobs from it again.",
          .name = path_name::queue,
          .answers = {{"The new state.", "paused"}}}),
    get("/v1/queues/{queue}/waiting", show<job_state::waiting>,
        {.id = "waiting",
         .summary = "Waiting jobs, next to run first.",
         .name = path_name::queue,
         .query = "text since until cursor count",
         .answers = {page_of("waiting_page")}}),
    get("/v1/queues/{queue}/jobs/{id}", to<&api::job>,
        {.id = "job",
         .summary =
             "The job with an id, in whatever state it is. Takes time in proportion to the queue's length.",
         .name = path_name::queue,
         .inner = path_name::id,
         .answers = {{"The job.", "list_job"}},
         .problem = 404,
         .waits = true}),
    post("/v1/queues/{queue}/waiting/delete", act<job_state::waiting, job_action::remove>,
         {.id = "delete_waiting",
          .summary = "Deletes waiting jobs. Takes time in proportion to the queue's length.",
          .name = path_name::queue,
          .body = "keys",
          .answers = {counts_of("done")}}),
    get("/v1/queues/{queue}/scheduled", show<job_state::scheduled>,
        {.id = "scheduled",
         .summary = "Scheduled jobs: delayed ones and retries, the next due first.",
         .name = path_name::queue,
         .query = "text since until cursor count",
         .answers = {page_of("scheduled_page")}}),
    post("/v1/queues/{queue}/scheduled/run", act<job_state::scheduled, job_action::run_now>,
         {.id = "run_scheduled",
          .summary = "Queues scheduled jobs now, behind all waiting jobs.",
          .name = path_name::queue,
          .body = "keys",
          .answers = {counts_of("done")}}),
    post("/v1/queues/{queue}/scheduled/delete", act<job_state::scheduled, job_action::remove>,
         {.id = "delete_scheduled",
          .summary = "Deletes scheduled jobs.",
          .name = path_name::queue,
          .body = "keys",
          .answers = {counts_of("done")}}),
    get("/v1/queues/{queue}/in_progress", show<job_state::running>,
        {.id = "in_progress",
         .summary = "Jobs in progress, in no order.",
         .name = path_name::queue,
         .query = "text since until cursor count",
         .answers = {page_of("in_progress_page")}}),
    post("/v1/queues/{queue}/in_progress/cancel", act<job_state::running, job_action::cancel>,
         {.id = "cancel_in_progress",
          .summary = "Cancels running jobs: their workers cancel the handlers, and the jobs are failed ones.",
          .name = path_name::queue,
          .body = "keys",
          .answers = {counts_of("done")}}),
    get("/v1/queues/{queue}/failed", show<job_state::failed>,
        {.id = "failed",
         .summary = "Failed jobs, newest first.",
         .name = path_name::queue,
         .query = "text since until cursor count",
         .answers = {page_of("failed_page")}}),
    get("/v1/queues/{queue}/failures", failures<queue_kind::list>,
        {.id = "failures",
         .summary = "Failed jobs counted by their message, the largest group first.",
         .name = path_name::queue,
         .query = "cursor",
         .answers = {page_of("failures_page")}}),
    post("/v1/queues/{queue}/failed/retry", act<job_state::failed, job_action::retry>,
         {.id = "retry_failed",
          .summary = "Queues failed jobs again, behind all waiting jobs.",
          .name = path_name::queue,
          .body = "selection",
          .answers = {counts_of("done")}}),
    post("/v1/queues/{queue}/failed/delete", act<job_state::failed, job_action::remove>,
         {.id = "delete_failed",
          .summary = "Deletes failed jobs.",
          .name = path_name::queue,
          .body = "selection",
          .answers = {counts_of("done")}}),
    get("/v1/queues/{queue}/broken", show<job_state::broken>,
        {.id = "broken",
         .summary = "Broken jobs: payloads that do not decode, or are too large to deliver. In no order.",
         .name = path_name::queue,
         .query = "text since until cursor count",
         .answers = {page_of("broken_page")}}),
    post("/v1/queues/{queue}/broken/retry", act<job_state::broken, job_action::retry>,
         {.id = "retry_broken",
          .summary = "Queues broken jobs again.",
          .name = path_name::queue,
          .body = "selection",
          .answers = {counts_of("done")}}),
    post("/v1/queues/{queue}/broken/delete", act<job_state::broken, job_action::remove>,
         {.id = "delete_broken",
          .summary = "Deletes broken jobs.",
          .name = path_name::queue,
          .body = "selection",
          .answers = {counts_of("done")}}),

    // workers of list queues, over HTTP
    post("/v1/queues/{queue}/take", take<queue_kind::list>,
         {.id = "take",
          .summary = "Takes jobs of a list queue for a worker, and waits for them if told to.",
          .name = path_name::queue,
          .body = "take",
          .answers = {{"The jobs; none if none came in time.", "taken"}},
          .waits = true}),
    post("/v1/queues/{queue}/renew", renew<queue_kind::list>,
         {.id = "renew",
          .summary = "Renews the leases of jobs that were taken.",
          .name = path_name::queue,
          .body = "tokens",
          .answers = {{"Renewed; for an array: all of them, with an answer for each.", "renewed"},
                      {"The jobs of an array have different answers.", "items", 207}},
          .problem = 409,
          .has_tokens = true}),
    post("/v1/queues/{queue}/acknowledge", acknowledge<queue_kind::list>,
         {.id = "acknowledge",
          .summary = "Says how the run of a job ended that was taken, or of many.",
          .name = path_name::queue,
          .body = "acknowledgements",
          .answers = {{"Stored; for an array: all of them, with an answer for each.", "acknowledged"},
                      {"The jobs of an array have different answers.", "items", 207}},
          .problem = 409,
          .has_tokens = true}),

    // managed queues
    get("/v1/managed/queues", to<&managed_api::queues>,
        {.id = "managed_queues",
         .summary = "Managed queues with their sizes and latency.",
         .query = "cursor count",
         .answers = {page_of("managed_queues_page")}}),
    get("/v1/managed/queues/{queue}", to<&managed_api::queue>,
        {.id = "managed_queue",
         .summary = "A managed queue's sizes and latency.",
         .name = path_name::managed_queue,
         .answers = {{"The queue.", "managed_queue"}},
         .problem = 404}),
    get("/v1/managed/queues/{queue}/history", history<queue_kind::managed>,
        {.id = "managed_history",
         .summary = "How many jobs succeeded, failed and were retried in each minute of the last day.",
         .name = path_name::managed_queue,
         .query = "minutes",
         .answers = {{"The history.", "history"}}}),
    get("/v1/managed/queues/{queue}/statistics", to<&managed_api::statistics>,
        {.id = "managed_statistics",
         .summary = "What happened in a managed queue on one day (UTC).",
         .name = path_name::managed_queue,
         .query = "day",
         .answers = {{"The day.", "managed_statistics"}}}),
    post("/v1/managed/queues/{queue}/pause", set_paused<queue_kind::managed, true>,
         {.id = "managed_pause",
          .summary = "Pauses a managed queue: no worker of any library fetches jobs from it.",
          .name = path_name::managed_queue,
          .answers = {{"The new state.", "paused"}}}),
    post("/v1/managed/queues/{queue}/resume", set_paused<queue_kind::managed, false>,
         {.id = "managed_resume",
          .summary = "Resumes a managed queue: workers fetch jobs from it again.",
          .name = path_name::managed_queue,
          .answers = {{"The new state.", "paused"}}}),
    get("/v1/managed/queues/{queue}/jobs", to<&managed_api::jobs>,
        {.id = "managed_jobs",
         .summary = "Jobs of a managed queue in one state; waiting ones next to run first.",
         .name = path_name::managed_queue,
         .query = "state text tag klass since until cursor count",
         .answers = {page_of("managed_jobs_page")}}),
    post("/v1/managed/queues/{queue}/jobs", to<&managed_api::push>,
         {.id = "managed_push",
          .summary = "Pushes a job, or many, to a managed queue.",
          .name = path_name::managed_queue,
          .body = "managed_job_or_jobs",
          .answers = {{"Another job has the unique key; it was kept, or changed.", "managed_pushed"},
                      {"Pushed; for an array: all of them, with an answer for each.", "managed_pushed", 201},
                      {"The jobs of an array have different answers.", "items", 207}},
          .problem = 409}),
    post("/v1/managed/queues/{queue}/take", take<queue_kind::managed>,
         {.id = "managed_take",
          .summary = "Takes jobs of a managed queue for a worker, and waits for them if told to.",
          .name = path_name::managed_queue,
          .body = "managed_take",
          .answers = {{"The jobs; none if none came in time.", "taken"}},
          .waits = true}),
    post("/v1/managed/queues/{queue}/renew", renew<queue_kind::managed>,
         {.id = "managed_renew",
          .summary = "Renews the leases of jobs that were taken.",
          .name = path_name::managed_queue,
          .body = "tokens",
          .answers = {{"Renewed; for an array: all of them, with an answer for each.", "renewed"},
                      {"The jobs of an array have different answers.", "items", 207}},
          .problem = 409,
          .has_tokens = true}),
    post("/v1/managed/queues/{queue}/progress", to<&api::tell_progress>,
         {.id = "managed_progress",
          .summary = "Tells how far jobs are that were taken.",
          .name = path_name::managed_queue,
          .body = "progress_of_jobs",
          .answers = {{"Stored; for an array: all of them, with an answer for each.", "told"},
                      {"The jobs of an array have different answers.", "items", 207}},
          .problem = 409,
          .has_tokens = true}),
    post(
        "/v1/managed/queues/{queue}/checkpoint", to<&api::save_checkpoints>,
        {.id = "managed_checkpoint",
         .summary =
             "Stores where a later attempt of a job may go on that was taken with `checkpoints`, or of many.",
         .name = path_name::managed_queue,
         .body = "checkpoints",
         .answers = {{"Stored; for an array: all of them, with an answer for each.", "saved"},
                     {"The jobs of an array have different answers.", "items", 207}},
         .problem = 409,
         .has_tokens = true}),
    post("/v1/managed/queues/{queue}/acknowledge", acknowledge<queue_kind::managed>,
         {.id = "managed_acknowledge",
          .summary = "Says how the run of a job ended that was taken, or of many.",
          .name = path_name::managed_queue,
          .body = "managed_acknowledgements",
          .answers = {{"Stored; for an array: all of them, with an answer for each.", "acknowledged"},
                      {"The jobs of an array have different answers.", "items", 207}},
          .problem = 409,
          .has_tokens = true}),
    get("/v1/managed/failures", failures<queue_kind::managed>,
        {.id = "managed_failures",
         .summary = "Failed jobs counted by group and message, the largest group first.",
         .query = "cursor",
         .answers = {page_of("failures_page")}}),
    get("/v1/managed/failed", to<&managed_api::groups>,
        {.id = "managed_groups",
         .summary = "Groups of failed jobs.",
         .query = "cursor count",
         .answers = {page_of("groups_page")}}),
    get("/v1/managed/failed/{group}", to<&managed_api::failed>,
        {.id = "managed_failed",
         .summary = "Failed jobs of a group, newest first.",
         .name = path_name::group,
         .query = "cursor count",
         .answers = {page_of("managed_jobs_page")}}),
    post("/v1/managed/jobs/retry", to<&managed_api::retry>,
         {.id = "managed_retry",
          .summary = "Puts failed jobs back into their queues.",
          .body = "managed_selection",
          .answers = {counts_of("managed_done")}}),
    post(
        "/v1/managed/jobs/delete", to<&managed_api::remove>,
        {.id = "managed_delete",
         .summary = "Deletes (qless: cancels) jobs, except complete ones and those that other jobs wait for.",
         .body = "managed_selection",
         .answers = {counts_of("managed_done")}}),
    post("/v1/managed/jobs/run", to<&managed_api::run>,
         {.id = "managed_run",
          .summary = "Lets scheduled jobs run without further delay.",
          .body = "managed_selection",
          .answers = {counts_of("managed_done")}}),
    post(
        "/v1/managed/jobs/release", to<&managed_api::release>,
        {.id = "managed_release",
         .summary = "Takes running jobs from their workers, which cancel them; they run again, first of all.",
         .body = "managed_selection",
         .answers = {counts_of("managed_done")}}),
    get("/v1/managed/jobs/{jid}", to<&managed_api::job>,
        {.id = "managed_job",
         .summary = "A job with its history and its result, or a recurring job.",
         .name = path_name::jid,
         .query = "wait",
         .answers = {{"The job.", "managed_job"}},
         .problem = 404}),

    // schedules
    get("/v1/schedules", to<&managed_api::all_schedules>,
        {.id = "schedules",
         .summary = "All schedules with their next ten runs, the next due first.",
         .answers = {{"The schedules.", "schedules"}}}),
    get("/v1/schedules/{schedule}", to<&managed_api::schedule>,
        {.id = "schedule",
         .summary = "A schedule with its next ten runs.",
         .name = path_name::schedule,
         .answers = {{"The schedule.", "schedule"}},
         .problem = 404}),
    post("/v1/schedules/{schedule}", to<&managed_api::set_schedule>,
         {.id = "set_schedule",
          .summary = "Makes a schedule, or replaces the one of this name.",
          .name = path_name::schedule,
          .body = "new_schedule",
          .answers = {{"Whether anything is different from before.", "schedule_set"}}}),
    post("/v1/schedules/{schedule}/run", to<&managed_api::run_schedule>,
         {.id = "run_schedule",
          .summary = "Pushes a schedule's job now, beside its times.",
          .name = path_name::schedule,
          .answers = {{"The job.", "schedule_run"}},
          .problem = 404}),
    post("/v1/schedules/{schedule}/pause", to<&managed_api::pause_schedule>,
         {.id = "pause_schedule",
          .summary = "Pauses a schedule: runs until it is resumed are left out.",
          .name = path_name::schedule,
          .answers = {{"It is paused.", "schedule_done"}},
          .problem = 404}),
    post("/v1/schedules/{schedule}/resume", to<&managed_api::resume_schedule>,
         {.id = "resume_schedule",
          .summary = "Resumes a schedule, from its next time on.",
          .name = path_name::schedule,
          .answers = {{"It runs again.", "schedule_done"}},
          .problem = 404}),
    post("/v1/schedules/{schedule}/delete", to<&managed_api::remove_schedule>,
         {.id = "delete_schedule",
          .summary = "Deletes a schedule. The jobs that it has pushed stay.",
          .name = path_name::schedule,
          .answers = {{"It is deleted.", "schedule_done"}},
          .problem = 404}),

    // batches
    get("/v1/batches", to<&managed_api::all_batches>,
        {.id = "batches",
         .summary = "Batches of jobs in managed queues, the newest first.",
         .query = "parent count cursor",
         .answers = {{"A page of batches.", "batches"}}}),
    post("/v1/batches", to<&managed_api::open_batch>,
         {.id = "open_batch",
          .summary = "Opens a batch. One that exists under the id stays as it is.",
          .body = "new_batch",
          .answers = {{"Its id.", "batch_opened", 201}}}),
    get("/v1/batches/{batch}", to<&managed_api::batch>,
        {.id = "batch",
         .summary = "How far a batch is.",
         .name = path_name::batch,
         .answers = {{"The batch.", "batch"}},
         .problem = 404}),
    get("/v1/batches/{batch}/jobs", to<&managed_api::batch_jobs>,
        {.id = "batch_jobs",
         .summary = "The jobs of a batch that have not ended, or those that have failed.",
         .name = path_name::batch,
         .query = "batch_jobs cursor count",
         .answers = {page_of("managed_jobs_page")}}),
    post("/v1/batches/{batch}/seal", to<&managed_api::seal_batch>,
         {.id = "seal_batch",
          .summary = "Lets a batch end when nothing of it is pending.",
          .name = path_name::batch,
          .answers = {{"It is sealed.", "batch_sealed"}},
          .problem = 404}),
    post("/v1/batches/{batch}/cancel", to<&managed_api::cancel_batch>,
         {.id = "cancel_batch",
          .summary = "Cancels the jobs of a batch that wait, and with `running` those that run.",
          .name = path_name::batch,
          .body = "batch_cancel",
          .answers = {{"What became of its jobs.", "batch_cancelled"}},
          .problem = 404}),

    // limits of managed queues
    get("/v1/limits", to<&managed_api::all_limits>,
        {.id = "limits",
         .summary = "All limits that are set, what is in use of them and how many jobs they hold back.",
         .answers = {{"The limits, by name.", "limits"}}}),
    get("/v1/limits/{limit}", to<&managed_api::limit>,
        {.id = "limit",
         .summary = "A limit; it need not be set.",
         .name = path_name::limit,
         .answers = {{"The limit.", "limit"}}}),
    post("/v1/limits/{limit}", to<&managed_api::set_limit>,
         {.id = "set_limit",
          .summary = "Sets a limit, or changes it; what may run now is taken at once.",
          .name = path_name::limit,
          .body = "new_limit",
          .answers = {{"The limit as it is now.", "limit"}}}),
    post("/v1/limits/{limit}/delete", to<&managed_api::remove_limit>,
         {.id = "delete_limit",
          .summary = "Removes a limit: jobs that name it are subject to it no longer.",
          .name = path_name::limit,
          .answers = {{"The limit as it is now.", "limit"}}}),
    get("/v1/managed/queues/{queue}/limits", to<&managed_api::queue_limits>,
        {.id = "queue_limits",
         .summary = "The limits that all jobs of a managed queue are subject to.",
         .name = path_name::managed_queue,
         .answers = {{"The limits.", "queue_limits"}}}),
    post("/v1/managed/queues/{queue}/limits", to<&managed_api::set_queue_limits>,
         {.id = "set_queue_limits",
          .summary = "Sets the limits that all jobs of a managed queue are subject to, beside their own.",
          .name = path_name::managed_queue,
          .body = "new_queue_limits",
          .answers = {{"The limits.", "queue_limits"}}}),
    post("/v1/managed/queues/{queue}/groups", to<&managed_api::set_group_weight>,
         {.id = "set_group_weight",
          .summary = "Sets how many jobs a group of a managed queue has in its turn.",
          .name = path_name::managed_queue,
          .body = "group_weight",
          .answers = {{"The group with its weight.", "group_weight"}}}),
};

constexpr route to_files = get(
    "", to<&api::file>,
    {.id = "dashboard", .summary = "The dashboard.", .answers = {}, .is_open = true, .needs_redis = false});

static_assert(
    std::ranges::all_of(table,
                        [](const route& row) {
                            const auto names = std::ranges::count(row.path, '{');
                            return (names > 0) == (row.facts.name != path_name::none) &&
                                   (names > 1) == (row.facts.inner != path_name::none);
                        }),
    "a path with braces needs the `name` that says what may stand for them, and with two the `inner`");

} // namespace

std::span<const route> routes() noexcept
{
    return table;
}

const route& file_route() noexcept
{
    return to_files;
}

} // namespace coworker::detail
