// SPDX-License-Identifier: MIT
#include "fuzz/fuzz.hpp"
#include "support/scripted_connection.hpp"

#include "coworker/batches.hpp"
#include "coworker/inspector.hpp"
#include "coworker/job_taker.hpp"
#include "coworker/list_queue.hpp"
#include "coworker/managed_client.hpp"
#include "coworker/managed_queue.hpp"
#include "coworker/schedules.hpp"
#include "list/list_source/list_source.hpp"
#include "managed/managed_source/managed_source.hpp"
#include "text/json_spans.hpp"
#include "json/batch_text.hpp"
#include "json/job_text.hpp"
#include "json/limit_text.hpp"
#include "json/queue_text.hpp"
#include "json/schedule_text.hpp"

#include <array>

namespace coworker::fuzz {

using namespace detail;
using namespace test;
using namespace std::chrono_literals;

namespace {

using task = asio::awaitable<void>;

/// Does something, and goes on if it fails.
template<class Result>
asio::awaitable<std::optional<Result>> try_it(asio::awaitable<Result> what)
{
    try {
        co_return co_await std::move(what);
    } catch (const system_error&) {
        co_return std::nullopt;
    }
}

task try_it(task what)
{
    try {
        co_await std::move(what);
    } catch (const system_error&) {
    }
}

/// The same for an operation of the library.
template<class Operation>
auto try_it(Operation what)
{
    return try_it(std::move(what)(asio::use_awaitable));
}

template<class Things>
void claim_described(const Things& things)
{
    for (const auto& each : things)
        for (const auto reader : {json_for::programs, json_for::terminals})
            claim(is_json(describe(each, reader).str()));
}

// --- what workers and monitors do -------------------------------------------------------

task acknowledge(job_source& source, const std::vector<fetched_job>& jobs)
{
    const std::array results{success(), retry("later", 1s), failure("never")};
    std::vector<acknowledgement> acks;
    for (std::size_t i = 0; i != jobs.size(); ++i)
        acks.push_back({.job = &jobs[i], .result = &results[i % results.size()], .repeated = i % 4 == 3});
    const auto done = co_await try_it(source.ack_and_fetch(acks, 4));
    for (const auto index : done ? done->lost : std::vector<std::size_t>{})
        claim(index < acks.size());
    for (const auto& each : done ? done->failed : std::vector<job_source::fetch_result::failed_effects>{})
        claim(each.index < acks.size());
}

task work(std::unique_ptr<job_source> source)
{
    (void)source->lease_time(60s);
    co_await try_it(source->open());
    auto fetched = co_await try_it(source->ack_and_fetch({}, 8));
    auto jobs = fetched ? std::move(fetched->fetched) : std::vector<fetched_job>{};
    std::vector<fetched_job*> held;
    std::vector<const fetched_job*> known;
    std::vector<job_note> notes;
    for (auto& job : jobs) {
        claim(job.lease && is_within(job.text(), job.body));
        claim(!job.long_id.empty() || is_within(job.id(), job.body));
        held.push_back(&job);
        known.push_back(&job);
        notes.push_back({.job = &job, .checkpoint = "1"});
    }
    for (const auto index : (co_await try_it(source->renew(held))).value_or(std::vector<std::size_t>{}))
        claim(index < held.size());
    co_await try_it(source->reconcile(known));
    if (source->can().keeps_notes) {
        for (const auto index :
             (co_await try_it(source->store_notes(notes))).value_or(std::vector<std::size_t>{}))
            claim(index < notes.size());
        std::vector<job_step> steps;
        for (const auto& job : jobs) {
            (void)co_await try_it(source->read_checkpoint(job));
            (void)co_await try_it(source->read_steps(job));
            (void)co_await try_it(source->read_signals(job));
            const job_wait yes{.name = "a", .what = wait_kind::signal, .length = 1h, .turn = 1};
            const auto state = co_await try_it(source->begin_wait(job, yes));
            claim(!state || state->left >= 0ms);
            auto& step = steps.emplace_back();
            step.job = &job;
            step.name = "s";
            step.value = "1";
        }
        if (const auto stored = co_await try_it(source->store_steps(steps)))
            claim(stored->size() == steps.size());
        (void)co_await try_it(source->read_result("1", true));
    }
    co_await acknowledge(*source, jobs);
    co_await try_it(source->close());
}

task watch_over(std::unique_ptr<job_source> source)
{
    for (int i = 0; i != 3; ++i)
        (void)co_await try_it(source->recover(60s, 1s));
    co_await try_it(source->close());
}

task wait(std::unique_ptr<job_source> source)
{
    co_await try_it(source->open());
    (void)co_await try_it(source->wait_for_jobs());
    (void)co_await try_it(source->wait_for_parts());
}

std::unique_ptr<job_source> make_list_source(const client& redis)
{
    return std::make_unique<list_source>(connection_of(redis).shared_from_this(), "mail",
                                         list_queue_options{});
}

std::unique_ptr<job_source> make_managed_source(const client& redis)
{
    return std::make_unique<managed_source>(connection_of(redis).shared_from_this(), "mail",
                                            managed_options{});
}

/// What is done with a source, with one of each kind.
template<auto Make, auto Use>
task with(client& redis)
{
    co_await Use(Make(redis));
}

task run_schedules(client& redis)
{
    co_await make_managed_source(redis)->run_schedules();
}

task take_jobs(client& redis)
{
    const job_taker taker{redis};
    for (const auto& queue : {queue_ref::list("mail"), queue_ref::managed("mail")}) {
        take_options how;
        how.count = 3;
        how.checkpoints = how.steps = queue.is_managed();
        const auto taken = co_await try_it(taker.async_take(queue, how));
        for (const auto& job : taken.value_or(std::vector<taken_job>{})) {
            text_list tokens{job.token};
            (void)co_await try_it(taker.async_renew(queue, tokens));
        }
    }
}

// --- what looks ---------------------------------------------------------------------------

task look_at_queues(client& redis)
{
    const inspector look{redis};
    for (const auto kind : {queue_kind::list, queue_kind::managed})
        if (const auto page = co_await try_it(look.async_queues(kind, std::string{}, std::size_t{10})))
            claim_described(page->queues);
    (void)co_await try_it(look.async_discover());
}

task look_at_a_queue(client& redis)
{
    const inspector look{redis};
    for (const auto& queue : {queue_ref::list("mail"), queue_ref::managed("mail")}) {
        if (const auto found = co_await try_it(look.async_queue(queue)); found && *found)
            claim_described(std::array{**found});
        if (const auto history = co_await try_it(look.async_history(queue)))
            claim_described(std::array{*history});
        if (const auto failures = co_await try_it(look.async_failures(queue)))
            claim_described(failures->groups);
        if (const auto found = co_await try_it(look.async_check(queue)))
            claim(found->findings.size() < 10'000);
    }
}

task look_at_list_jobs(client& redis)
{
    const inspector look{redis};
    const auto queue = queue_ref::list("mail");
    for (const auto state :
         {job_state::waiting, job_state::scheduled, job_state::running, job_state::failed, job_state::broken})
        if (const auto page = co_await try_it(look.async_jobs(queue, state, std::string{}, std::size_t{10})))
            claim_described(page->jobs);
    if (const auto job = co_await try_it(look.async_job(queue, "1")); job && *job)
        claim_described(std::array{**job});
    const job_filter which{.state = job_state::failed};
    if (const auto page = co_await try_it(look.async_find(queue, which)))
        claim_described(page->jobs);
}

task look_at_managed_jobs(client& redis)
{
    const inspector look{redis};
    const auto queue = queue_ref::managed("mail");
    for (const auto state : {job_state::waiting, job_state::scheduled, job_state::running, job_state::failed,
                             job_state::stalled, job_state::depends, job_state::complete})
        if (const auto page = co_await try_it(look.async_jobs(queue, state, std::string{}, std::size_t{10})))
            claim_described(page->jobs);
    if (const auto job = co_await try_it(look.async_job(queue, "1")); job && *job)
        claim_described(std::array{**job});
    const job_filter which{.state = job_state::failed};
    if (const auto page = co_await try_it(look.async_find(queue, which)))
        claim_described(page->jobs);
}

task look_around(client& redis)
{
    const inspector look{redis};
    if (const auto workers = co_await try_it(look.async_workers()))
        claim_described(workers->workers);
    if (const auto page = co_await try_it(look.async_failure_groups()))
        claim_described(page->groups);
    if (const auto page = co_await try_it(look.async_batch_jobs("1")))
        claim_described(page->jobs);
    if (const auto page = co_await try_it(look.async_schedules(queue_ref::managed("mail"))))
        claim_described(page->schedules);
    if (const auto found = co_await try_it(look.async_schedule("1")); found && *found)
        claim_described(std::array{**found});
    (void)co_await try_it(look.async_tags());
    if (const auto numbers = co_await try_it(look.async_statistics(queue_ref::managed("mail"))))
        claim(is_json(describe(*numbers, "2026-11-21").str()));
    (void)co_await try_it(look.async_server_time());
}

// --- what acts ----------------------------------------------------------------------------

task act(client& redis)
{
    const inspector look{redis};
    for (const auto& queue : {queue_ref::list("mail"), queue_ref::managed("mail")}) {
        text_list keys{queue.is_managed() ? "1" : R"(f["1",2])"};
        if (const auto done = co_await try_it(look.async_act(job_action::retry, queue, keys)))
            claim(done->size() == 1);
        const job_filter which{.state = job_state::failed};
        (void)co_await try_it(look.async_act_on_some(job_action::remove, queue, which));
        co_await try_it(look.async_pause(queue));
        (void)co_await try_it(look.async_delete_queue(queue));
    }
}

task push(client& redis)
{
    const raw_list_queue list{redis, "mail"};
    const raw_json job{"1"};
    (void)co_await try_it(list.async_push_json(job));
    push_options late;
    late.delay = 1s;
    (void)co_await try_it(list.async_push_json(job, late));
    (void)co_await try_it(list.async_sizes());
    const managed_queue managed{redis, "mail"};
    (void)co_await try_it(managed.async_push("kind", 1));
    (void)co_await try_it(managed.async_counts());
    (void)co_await try_it(managed.async_peek());
    (void)co_await try_it(managed.async_settings());
    (void)co_await try_it(managed.async_group_weights());
    (void)co_await try_it(managed.async_wait_for<int>("1"));
}

task ask_qless(client& redis)
{
    const managed_client qless{redis};
    (void)co_await try_it(qless.async_status("1"));
    (void)co_await try_it(qless.async_get("1"));
    text_list ids{"1", "2"};
    (void)co_await try_it(qless.async_multiget(ids));
    (void)co_await try_it(qless.async_cancel(ids));
    (void)co_await try_it(qless.async_tag("1", ids));
    (void)co_await try_it(qless.async_tagged("a"));
    (void)co_await try_it(qless.async_tracked());
    (void)co_await try_it(qless.async_workers());
    (void)co_await try_it(qless.async_config());
    (void)co_await try_it(qless.async_recurring("1"));
    if (const auto limits = co_await try_it(qless.async_limits()))
        claim_described(*limits);
    text_list words{"0", "1"};
    (void)co_await try_it(qless.async_call("get", words));
}

task ask_for_schedules(client& redis)
{
    const schedules planned{redis};
    if (const auto all = co_await try_it(planned.async_list()))
        claim_described(*all);
    if (const auto one = co_await try_it(planned.async_get("daily")); one && *one)
        claim_described(std::array{**one});
    (void)co_await try_it(planned.async_resume("daily"));
    (void)co_await try_it(planned.async_run_now("daily"));
}

task ask_for_batches(client& redis)
{
    const batches all{redis};
    if (const auto page = co_await try_it(all.async_list()))
        claim_described(page->batches);
    if (const auto one = co_await try_it(all.async_status("1")); one && *one)
        claim_described(std::array{**one});
    (void)co_await try_it(all.async_count());
    (void)co_await try_it(all.async_cancel("1"));
    (void)co_await try_it(all.async_wait_for("1"));
}

constexpr std::array<task (*)(client&), 18> tasks{with<make_list_source, work>,
                                                  with<make_managed_source, work>,
                                                  with<make_list_source, watch_over>,
                                                  with<make_managed_source, watch_over>,
                                                  with<make_list_source, wait>,
                                                  with<make_managed_source, wait>,
                                                  run_schedules,
                                                  take_jobs,
                                                  look_at_queues,
                                                  look_at_a_queue,
                                                  look_at_list_jobs,
                                                  look_at_managed_jobs,
                                                  look_around,
                                                  act,
                                                  push,
                                                  ask_qless,
                                                  ask_for_schedules,
                                                  ask_for_batches};

} // namespace

/// Answers of Redis, or of whatever says that it is Redis, to workers, monitors, queues and the inspector. The first byte, a
/// letter from A, chooses who asks.
FUZZ_TARGET(answers)
{
    if (bytes.empty())
        return;
    const auto which = (static_cast<unsigned char>(bytes[0]) - 'A') % tasks.size();
    brief_context context;
    auto redis = scripted_client(context.get_executor(), bytes.substr(1));
    context.run(tasks[which](redis));
}

} // namespace coworker::fuzz
