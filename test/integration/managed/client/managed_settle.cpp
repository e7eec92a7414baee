// SPDX-License-Identifier: MIT
#include "integration/managed/client/managed_test.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(managed_settle)

BOOST_FIXTURE_TEST_CASE(a_job_is_completed_with_its_data_or_new_ones, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_push("k", json_text("[1.50]"), {.jid = "kept"});
        co_await mail.async_push("k", json_text("[1.50]"), {.jid = "changed"});
        for (const auto& job : co_await pop("w", 2)) {
            held_job held{job};
            if (job.jid == "changed")
                held.data = "{ }";
            BOOST_TEST((co_await complete_job(jobs, held)).value() == "complete");
        }
        const auto kept = (co_await jobs.async_get("kept")).value();
        BOOST_TEST(kept.data == "[1.50]");
        BOOST_TEST((kept.state == managed_state::complete));
        BOOST_TEST(kept.queue.empty());
        BOOST_TEST(!kept.failure);
        BOOST_TEST((co_await jobs.async_get("changed")).value().data == "{ }");
        BOOST_TEST((co_await jobs.async_completed()).size() == 2u);
        BOOST_TEST((co_await jobs.async_completed(1, 5)).size() == 1u);
        BOOST_TEST((co_await jobs.async_completed(0, 0)).empty());
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_advances_to_another_queue, managed_test)
{
    managed_queue sorted{redis, "sorted"};
    run([&]() -> asio::awaitable<void> {
        const auto popped = co_await pop_new(3);
        BOOST_TEST((co_await complete_job(jobs, popped[0], listed("next", "sorted"))).value() == "waiting");
        const auto later = listed("next", "sorted", "delay", "60");
        BOOST_TEST((co_await complete_job(jobs, popped[1], later)).value() == "scheduled");
        const auto behind = listed("next", "sorted", "depends", R"(["1"])");
        BOOST_TEST((co_await complete_job(jobs, popped[2], behind)).value() == "depends");
        BOOST_TEST((co_await sorted.async_counts()).waiting == 1u);
        BOOST_TEST(((co_await sorted.async_jobs(managed_state::scheduled)) == listed("2")));
        BOOST_TEST(((co_await sorted.async_jobs(managed_state::depends)) == listed("3")));
    });
}

BOOST_FIXTURE_TEST_CASE(a_failed_job_is_filed_under_its_group, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto popped = co_await pop_new(2);
        const auto data = listed("[7]");
        BOOST_TEST(
            (co_await fail_job(jobs, popped[0], "timeout", "no answer from \"a\"\n", data)).has_value());
        BOOST_TEST((co_await fail_job(jobs, popped[1], "timeout", "")).has_value());
        const auto job = (co_await jobs.async_get("1")).value();
        BOOST_TEST((job.state == managed_state::failed));
        BOOST_TEST(job.data == "[7]");
        BOOST_TEST_REQUIRE(job.failure.has_value());
        BOOST_TEST(job.failure->group == "timeout");
        BOOST_TEST(job.failure->message == "no answer from \"a\"\n");
        BOOST_TEST(job.failure->worker == "w");
        BOOST_TEST(job.failure->when.has_value());
        BOOST_TEST((co_await jobs.async_failed_groups()).at("timeout") == 2u);
        const auto page = co_await jobs.async_failed("timeout", 1, 1);
        BOOST_TEST(page.total == 2u);
        BOOST_TEST(page.jids == listed("1"));
        BOOST_TEST((co_await jobs.async_failed("other")).jids.empty());

        managed_queue again{redis, "again"};
        BOOST_TEST(co_await again.async_unfail("timeout", 1) == 1u);
        BOOST_TEST(jids_of(co_await again.async_peek(5)) == listed("1")); // the oldest
        BOOST_TEST(co_await again.async_unfail("timeout") == 1u);
        BOOST_TEST(co_await again.async_unfail("timeout") == 0u);
        BOOST_TEST((co_await jobs.async_failed_groups()).empty());
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_is_retried_until_no_retry_remains, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_push("k", json_text("{}"), {.jid = "j", .retries = 1});
        auto popped = co_await pop("w");
        BOOST_TEST((co_await retry_job(jobs, popped[0], listed("0", "g", "m"))).value() == 0);
        popped = co_await pop("w");
        BOOST_TEST(popped[0].failure->group == "g");
        BOOST_TEST((co_await retry_job(jobs, popped[0])).value() == -1);
        const auto job = (co_await jobs.async_get("j")).value();
        BOOST_TEST((job.state == managed_state::failed));
        BOOST_TEST(job.remaining == -1);
        BOOST_TEST(job.failure->group == "failed-retries-mail");
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_is_retried_later_and_elsewhere, managed_test)
{
    managed_queue slow{redis, "slow"};
    run([&]() -> asio::awaitable<void> {
        const auto popped = co_await pop_new(1);
        held_job held{popped[0]};
        held.queue = "slow";
        BOOST_TEST((co_await retry_job(jobs, held, listed("60"))).value() == 4);
        BOOST_TEST(((co_await slow.async_jobs(managed_state::scheduled)) == listed("1")));
    });
}

BOOST_FIXTURE_TEST_CASE(a_heartbeat_prolongs_the_lock_and_stores_data, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto popped = co_await pop_new(1);
        co_await mail.async_set_heartbeat(300s);
        BOOST_TEST(((co_await mail.async_settings()).heartbeat == 300s));
        const auto until = (co_await heartbeat_job(jobs, popped[0], listed("[ 1.0 ]"))).value();
        const auto left = static_cast<double>(until) - now();
        BOOST_TEST(left > 280);
        BOOST_TEST(left < 301);
        BOOST_TEST((co_await jobs.async_get("1")).value().data == "[ 1.0 ]");
        co_await mail.async_set_heartbeat(std::nullopt);
        BOOST_TEST(!(co_await mail.async_settings()).heartbeat);
        co_await mail.async_set_heartbeat(1500ms);
        BOOST_TEST(((co_await mail.async_settings()).heartbeat == 1500ms));
        BOOST_TEST(co_await error_of([&] { return mail.async_set_heartbeat(0ms); }) == errc::invalid_option);
    });
}

BOOST_FIXTURE_TEST_CASE(what_the_caller_does_not_hold_is_refused_with_the_reason, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await pop_new(1);
        co_await mail.async_push("k", json_text("{}"), {.jid = "waiting"});
        const auto check = [&](held_job job, errc expected) -> asio::awaitable<void> {
            BOOST_TEST((co_await complete_job(jobs, job)).error() == expected);
            BOOST_TEST((co_await fail_job(jobs, job, "g", "m")).error() == expected);
            BOOST_TEST((co_await retry_job(jobs, job)).error() == expected);
            BOOST_TEST((co_await heartbeat_job(jobs, job)).error() == expected);
        };
        const held_job held{"1", "w", "mail"};
        co_await check(held_job{"unknown", "w", "mail"}, errc::job_not_found);
        co_await check(held_job{"waiting", "w", "mail"}, errc::job_not_running);
        co_await check(held_job{"1", "v", "mail"}, errc::lease_lost);
        const held_job elsewhere{"1", "w", "other"};
        const auto refused = co_await error_of([&] { return complete_job(jobs, elsewhere); });
        BOOST_TEST(refused.says("running in another queue: mail"), refused.message);
        BOOST_TEST((co_await complete_job(jobs, held)).has_value());
        co_await check(held, errc::job_not_running);
    });
}

BOOST_AUTO_TEST_SUITE_END()
