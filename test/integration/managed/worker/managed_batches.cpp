// SPDX-License-Identifier: MIT
#include "support/expect.hpp"
#include "support/held_jobs.hpp"
#include "support/managed_worker_test.hpp"

#include "coworker/batches.hpp"
#include "coworker/managed_client.hpp"
#include "coworker/managed_details.hpp"

#include <boost/asio/cancel_after.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>
#include <vector>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Batches as programs see them. In which ways jobs count: test/scripts/managed/batch_jobs.test.
BOOST_AUTO_TEST_SUITE(managed_batches)

namespace {

const raw_json no_data{"{}"};

struct batches_test : managed_worker_test
{
    batches all{redis};
    managed_client jobs{redis};
    std::vector<std::string> ran; ///< the kinds of callbacks that ran

    batch_options with_callbacks()
    {
        batch_options wanted;
        wanted.on_success = to_batch_job("mail", "Success", no_data);
        wanted.on_done = to_batch_job("mail", "Done", no_data);
        wanted.on_failure = to_batch_job("mail", "Failure", no_data);
        return wanted;
    }

    asio::awaitable<std::string> push(std::string kind, std::string batch)
    {
        managed_push_options how;
        how.batch = batch;
        how.retries = 0;
        co_return co_await mail.async_push(kind, no_data, how);
    }

    /// Runs a worker beside the test. A job "Step" succeeds, "Fail" fails, "More" adds a step to its batch.
    template<class Test>
    void run_beside(Test test)
    {
        run([&]() -> asio::awaitable<void> {
            worker subject{redis, observed()};
            handlers_by_kind handlers;
            handlers.on<raw_json>("Step", [](const raw_json&) {});
            handlers.on<raw_json>("Fail", [](const raw_json&) { throw std::runtime_error{"no"}; });
            handlers.on<raw_json>("More", [this](raw_json, job_context& context) -> asio::awaitable<void> {
                (void)co_await push("Step", context.details<managed_details>()->batch);
            });
            for (const char* kind : {"Success", "Done", "Failure"})
                handlers.on<raw_json>(kind, [this, kind](const raw_json&) { ran.emplace_back(kind); });
            subject.handle(mail, std::move(handlers), {});
            auto running = start(subject);
            co_await test();
            co_await stop(subject, running);
        });
        BOOST_TEST(broken() == "");
    }

    bool has_run(const std::string& kind) const { return std::ranges::count(ran, kind) == 1; }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(callbacks_run_when_all_jobs_have_succeeded, batches_test)
{
    run_beside([this]() -> asio::awaitable<void> {
        const auto wanted = with_callbacks();
        const auto id = co_await all.async_open(wanted);
        (void)co_await push("Step", id);
        (void)co_await push("More", id);
        const auto sealed = co_await all.async_seal(id);
        BOOST_TEST(sealed.has_value());
        const auto status = co_await all.async_wait_for(id);
        BOOST_TEST(to_string(status.state) == "succeeded");
        BOOST_TEST(status.total == 3u);
        BOOST_TEST(status.succeeded == 3u);
        BOOST_TEST(status.pending == 0u);
        BOOST_TEST(status.fraction() == 1.0);
        BOOST_TEST((status.ended.value() >= status.opened));
        co_await jobs.async_wait_for(id + "@success");
        co_await jobs.async_wait_for(id + "@done");
        BOOST_TEST(has_run("Success"));
        BOOST_TEST(has_run("Done"));
        BOOST_TEST(ran.size() == 2u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_failed_job_can_be_retried_by_hand, batches_test)
{
    run_beside([this]() -> asio::awaitable<void> {
        const auto wanted = with_callbacks();
        const auto id = co_await all.async_open(wanted);
        const auto bad = co_await push("Fail", id);
        (void)co_await all.async_seal(id);
        const auto failed = co_await all.async_wait_for(id);
        BOOST_TEST(to_string(failed.state) == "failed");
        BOOST_TEST(failed.failed == 1u);
        co_await jobs.async_wait_for(id + "@failure");
        co_await jobs.async_wait_for(id + "@done");
        managed_push_options how;
        how.jid = bad;
        (void)co_await mail.async_push("Step", no_data, how);
        co_await jobs.async_wait_for(bad);
        const auto status = co_await all.async_wait_for(id);
        BOOST_TEST(to_string(status.state) == "succeeded");
        co_await jobs.async_wait_for(id + "@success");
        BOOST_TEST(ran.size() == 3u);
    });
}

BOOST_FIXTURE_TEST_CASE(batches_inside_count_as_jobs_and_are_cancelled_as_well, batches_test)
{
    run([this]() -> asio::awaitable<void> {
        const auto outer = co_await all.async_open();
        batch_options wanted;
        wanted.parent = outer;
        wanted.description = "inner";
        const auto inner = co_await all.async_open(wanted);
        (void)co_await push("Step", outer);
        (void)co_await push("Step", inner);
        const auto before = co_await all.async_status(outer);
        BOOST_TEST(before.value().pending == 2u);
        const auto cancelled = co_await all.async_cancel(outer);
        BOOST_TEST(cancelled.value().cancelled == 2u);
        BOOST_TEST(cancelled.value().left == 0u);
        const auto ended = co_await all.async_wait_for(outer);
        BOOST_TEST(to_string(ended.state) == "cancelled");
        BOOST_TEST(ended.cancelled == 2u);
        const auto page = co_await all.async_list({}, 1);
        BOOST_TEST(page.total == 2u);
        BOOST_TEST(page.batches.at(0).id == inner);
        BOOST_TEST(page.batches.at(0).parent == outer);
        BOOST_TEST(page.batches.at(0).description == "inner");
        const auto rest = co_await all.async_list(page.next, 5);
        BOOST_TEST(rest.batches.at(0).id == outer);
        BOOST_TEST(rest.next == "");
        BOOST_TEST((co_await error_of(all.async_list("x"))) == errc::invalid_option);
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_that_run_may_end_or_are_cancelled, batches_test)
{
    run([this]() -> asio::awaitable<void> {
        const auto id = co_await all.async_open();
        (void)co_await push("Step", id);
        (void)co_await pop_jobs(jobs, "mail", "somebody");
        (void)co_await push("Step", id);
        const auto waiting = co_await all.async_cancel(id);
        BOOST_TEST(waiting.value().cancelled == 1u);
        BOOST_TEST(waiting.value().left == 1u);
        const auto stopping = co_await all.async_status(id);
        BOOST_TEST(to_string(stopping.value().state) == "stopping");
        batch_cancel_options how;
        how.running = true;
        const auto running = co_await all.async_cancel(id, how);
        BOOST_TEST(running.value().cancelled == 1u);
        const auto ended = co_await all.async_status(id);
        BOOST_TEST(to_string(ended.value().state) == "cancelled");
    });
}

BOOST_FIXTURE_TEST_CASE(what_has_ended_takes_no_more_jobs, batches_test)
{
    run([this]() -> asio::awaitable<void> {
        batch_options wanted;
        wanted.id = "mine";
        const auto id = co_await all.async_open(wanted);
        BOOST_TEST(id == "mine");
        (void)co_await all.async_open(wanted); // repeated
        (void)co_await all.async_seal(id);
        BOOST_TEST((co_await error_of([&] { return push("Step", id); })) == errc::batch_ended);
        BOOST_TEST((co_await error_of([&] { return push("Step", "none"); })) == errc::batch_not_found);
        BOOST_TEST((co_await error_of(all.async_wait_for("none"))) == errc::batch_not_found);
        wanted.id = "other";
        wanted.parent = id;
        BOOST_TEST((co_await error_of(all.async_open(wanted))) == errc::batch_ended);
        wanted.parent = "";
        BOOST_TEST((co_await error_of(all.async_open(wanted))) == errc::invalid_option);
        const auto sealed = co_await all.async_seal("none");
        BOOST_TEST(sealed.error() == errc::batch_not_found);
        const auto status = co_await all.async_status("none");
        BOOST_TEST(status.error() == errc::batch_not_found);
        batch_options bad;
        bad.on_done = to_batch_job("mail", "Done", no_data);
        bad.on_done->options.delay = 1s;
        BOOST_TEST((co_await error_of(all.async_open(bad))) == errc::invalid_option);
    });
}

BOOST_FIXTURE_TEST_CASE(a_wait_can_have_a_time_limit, batches_test)
{
    run([this]() -> asio::awaitable<void> {
        const auto id = co_await all.async_open();
        bool ended = true;
        try {
            (void)co_await all.async_wait_for(id, asio::cancel_after(20ms));
        } catch (const system_error& error) {
            ended = error.code() != asio::error::operation_aborted;
        }
        BOOST_TEST(!ended);
    });
}

BOOST_AUTO_TEST_SUITE_END()
