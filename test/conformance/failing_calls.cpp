// SPDX-License-Identifier: MIT
#include "conformance/worker_test.hpp"
#include "support/failing_source.hpp"

#include <algorithm>
#include <list>
#include <span>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Calls of a source that throw, whether or not they were carried out: no job is lost, and none runs twice. What a worker
/// does at each error code is in integration.source_failures.
BOOST_AUTO_TEST_SUITE(failing_calls)

namespace {

/// A worker with one place, on a source one call of which fails.
struct failing_worker
{
    std::shared_ptr<failing_call> plan;
    event_log events;
    worker subject;
    std::optional<background> running{};
    bool makes_the_call = true;

    failing_worker(source_kind& kind, failing_call which, handle_options how)
        : plan{std::make_shared<failing_call>(std::move(which))}, events{kind.io.get_executor()},
          subject{kind.io, options()}
    {
        auto source = std::make_unique<failing_source>(kind.make_source(), plan);
        makes_the_call = (plan->name != "store_notes" || source->can().keeps_notes) &&
                         (plan->name != "run_schedules" || !source->schedules().empty());
        // For so long that the others have jobs, too.
        subject.handle_source<std::string>(
            std::move(source), run_until_called_again(plan, makes_the_call && plan->is_made_in_runs()),
            std::move(how));
        running.emplace(kind.io.get_executor(), subject.async_run(asio::use_awaitable));
    }

    bool is_idle() const { return plan->calls.contains("wait_for_jobs"); }
    bool has_had_a_job() const { return events.count(event_kind::started) != 0; }
    /// What is called at the end cannot have failed yet.
    bool has_failed() const { return !makes_the_call || plan->name == "close" || plan->was_called_again(); }

    /// And to nobody else.
    bool is_told_to_its_handler() const
    {
        return plan->told_to_handler == plan->code && events.count(event_kind::warning) == 0;
    }

    std::string describe() const
    {
        return plan->name + (plan->is_carried_out ? " is carried out and throws " : " throws ") +
               plan->code.message() + ": " + events.tell();
    }

private:
    worker_options options() const
    {
        worker_options result;
        result.concurrency = 1;
        result.observers = {events.observe()};
        return result;
    }
};

/// Every call, with each meaning that a code can have but that of an end.
std::vector<failing_call> all_failures()
{
    const error_code in_doubt = errc::in_doubt, unexpected = errc::unexpected_answer,
                     given_up = asio::error::operation_aborted, refused = errc::command_refused;
    std::vector<failing_call> all;
    for (const char* name : {"open", "fetch", "acknowledge", "renew", "reconcile", "recover", "store_notes",
                             "wait_for_jobs", "wait_for_leases", "wait_for_losses", "wait_for_parts",
                             "run_schedules", "read_checkpoint", "read_result"})
        for (const auto& code : {in_doubt, unexpected, given_up, refused})
            if (name != std::string{"open"} || code != refused) // which ends the worker
                all.push_back({name, code, false, {}});
    // A wait for leases, for one, need not have an end here, and there is no result to be read.
    for (const char* name : {"open", "fetch", "acknowledge", "renew", "reconcile", "recover", "store_notes",
                             "wait_for_jobs", "read_checkpoint", "close"})
        for (const auto& code : {in_doubt, given_up})
            all.push_back({name, code, true, {}});
    return all;
}

/// A worker for each of these failures, side by side. Returns how many jobs they have run.
asio::awaitable<std::int64_t> check(source_kind& kind, std::span<const failing_call> failures,
                                    std::int64_t jobs_before)
{
    const auto how = kind.leased_for(15s);
    std::list<failing_worker> workers;
    for (const auto& each : failures)
        workers.emplace_back(kind, each, how);
    const auto all_of_them = [&](bool (failing_worker::*are)() const) {
        return std::all_of(workers.begin(), workers.end(), [&](const auto& one) { return (one.*are)(); });
    };
    co_await eventually("all are idle", [&] { return all_of_them(&failing_worker::is_idle); });
    std::int64_t jobs = 0;
    do { // until each has had one
        for (const auto& each : numbered(workers.size()))
            kind.push(each + '-' + std::to_string(jobs_before + jobs));
        jobs += static_cast<std::int64_t>(workers.size());
        co_await eventually("all jobs have run", [&] { return kind.succeeded() == jobs_before + jobs; });
    } while (!all_of_them(&failing_worker::has_had_a_job));
    for (const auto& one : workers)
        co_await eventually("the call is made again: " + one.describe(), [&] { return one.has_failed(); });
    std::size_t started = 0;
    for (auto& one : workers) {
        one.subject.stop();
        BOOST_TEST(co_await one.running->join_and_tell() == "", one.describe());
        BOOST_TEST(one.events.count(event_kind::lease_lost) == 0u, one.describe());
        if (one.plan->is_made_by_handlers())
            BOOST_TEST(one.is_told_to_its_handler(), one.describe());
        started += one.events.count(event_kind::started);
    }
    BOOST_TEST(started == static_cast<std::size_t>(jobs));
    BOOST_TEST(kind.given_up() == 0);
    BOOST_TEST(kind.scheduled() == 0);
    BOOST_TEST(kind.left_of_workers() == "");
    co_return jobs;
}

} // namespace

BOOST_AUTO_TEST_CASE(a_call_that_throws_loses_no_job_and_runs_none_twice)
{
    static constexpr std::size_t together = 17; // a busy machine does not keep more of them going
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        const auto all = all_failures();
        std::int64_t jobs = 0;
        for (std::span<const failing_call> rest{all}; !rest.empty();) {
            const auto some = rest.first(std::min(together, rest.size()));
            jobs += co_await check(kind, some, jobs);
            rest = rest.subspan(some.size());
        }
    });
}

/// `errc::stopped`, too: only where the worker itself makes a call, that ends it.
BOOST_AUTO_TEST_CASE(a_job_whose_handler_lets_the_error_of_a_read_pass_runs_again)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        const error_code in_doubt = errc::in_doubt, stopped = errc::stopped,
                         given_up = asio::error::operation_aborted, refused = errc::wrong_key_type;
        auto how = kind.leased_for(15s);
        how.backoff = [](unsigned) { return std::chrono::milliseconds{0}; };
        std::int64_t jobs = 0;
        for (const auto& code : {in_doubt, stopped, given_up, refused}) {
            const auto plan = std::make_shared<failing_call>();
            plan->name = "read_checkpoint";
            plan->code = code;
            test_worker worker{kind};
            worker.subject.handle_source<std::string>(
                std::make_unique<failing_source>(kind.make_source(), plan),
                [](std::string, job_context& context) -> asio::awaitable<void> {
                    (void)co_await context.async_checkpoint<std::string>();
                },
                how);
            background running{kind.io.get_executor(), worker.subject.async_run()};
            kind.push("job" + std::to_string(jobs++));
            co_await eventually("it has succeeded", [&] { return kind.succeeded() == jobs; });
            worker.subject.stop();
            BOOST_TEST(co_await running.join_and_tell() == "", code.message());
            const auto attempts = worker.attempts();
            BOOST_TEST((attempts == std::vector<unsigned>{1, 2}), code.message());
            const auto retried = worker.events.of(event_kind::retried);
            BOOST_TEST_REQUIRE(retried.size() == 1u);
            BOOST_TEST(retried[0].message.find(code.message()) != std::string::npos, retried[0].message);
        }
        BOOST_TEST(kind.given_up() == 0);
        BOOST_TEST(kind.left_of_workers() == "");
    });
}

BOOST_AUTO_TEST_SUITE_END()
