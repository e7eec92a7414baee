// SPDX-License-Identifier: MIT
#include "support/managed_worker_test.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Messages about lost locks; see conformance/renewals for the rest.
BOOST_AUTO_TEST_SUITE(managed_renewals)

namespace {

struct renewal_test : managed_worker_test
{
    bool may_end = false;

    /// A handler that goes on until it may end, or is cancelled.
    auto hold()
    {
        return [this](raw_json) -> asio::awaitable<void> {
            while (!may_end)
                co_await let_pass(10ms);
        };
    }

    void publish_loss(const std::string& jid)
    {
        server("PUBLISH", "ql:w:" + redis.client_name(),
               R"({"jid":")" + jid + R"(","event":"lock_lost","worker":")" + redis.client_name() + "\"}");
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_message_about_an_earlier_run_does_not_end_the_present_one, renewal_test)
{
    put("a", "Letter");
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(mail, hold());
        auto running = start(subject);
        co_await events.wait_for(event_kind::started);
        publish_loss(
            "a"); // of the run before, as it comes when the job was settled and popped again meanwhile
        co_await events.wait_until("the worker to ask, or to believe it", [](const event_log& log) {
            return log.count(event_kind::leases_renewed) + log.count(event_kind::lease_lost) != 0;
        });
        may_end = true;
        co_await eventually("the job is complete", [&] { return state("a") == "complete"; });
        co_await stop(subject, running);
    });
    BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
    BOOST_TEST(events.count(event_kind::started) == 1u);
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(a_message_about_a_job_that_now_runs_in_another_queue_ends_the_old_run, renewal_test)
{
    put("a", "Letter");
    run([&]() -> asio::awaitable<void> {
        managed_queue press{redis, "press"};
        worker subject{redis, observed()};
        bool old_run_ended = false;
        subject.handle(mail, [&](raw_json) -> asio::awaitable<void> {
            try {
                co_await let_pass(60s);
            } catch (const system_error&) {
                old_run_ended = true;
            }
        });
        subject.handle(press, hold());
        auto running = start(subject);
        co_await events.wait_for(event_kind::started);
        // Moved, and taken again by this worker: its name is the same.
        qless("put", "someone", "press", "a", "Letter", "{}", "0");
        co_await events.wait_for(event_kind::lease_lost);
        co_await eventually("the old run ends", [&] { return old_run_ended; });
        co_await events.wait_for(event_kind::started, 2);
        may_end = true;
        co_await eventually("the job is complete", [&] { return state("a") == "complete"; });
        co_await stop(subject, running);
    });
    BOOST_TEST(events.count(event_kind::lease_lost) == 1u);
    BOOST_TEST(broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
