// SPDX-License-Identifier: MIT
#include "integration/managed/client/managed_test.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(managed_take)

BOOST_FIXTURE_TEST_CASE(a_popped_job_comes_with_everything_about_it, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_push("k", json_text("[1]"), {.jid = "j", .priority = 1.5, .tags = {"red"}});
        BOOST_TEST((co_await jobs.async_track("j")).value());
        const auto popped = co_await pop("w", 3);
        BOOST_TEST_REQUIRE(popped.size() == 1u);
        const auto& job = popped.front();
        BOOST_TEST(job.jid == "j");
        BOOST_TEST((job.state == managed_state::running));
        BOOST_TEST(job.worker == "w");
        BOOST_TEST(job.queue == "mail");
        BOOST_TEST(job.data == "[1]");
        BOOST_TEST(job.priority == 1.5);
        BOOST_TEST((job.tags == texts{"red"}));
        BOOST_TEST(job.tracked);
        BOOST_TEST(job.remaining == 5);
        BOOST_TEST_REQUIRE(job.history.size() == 2u);
        BOOST_TEST(job.history[0].queue == "mail");
        BOOST_TEST(job.history[1].what == "popped");
        BOOST_TEST(job.history[1].worker == "w");
        BOOST_TEST_REQUIRE(job.expires.has_value());
        const auto left = std::chrono::duration<double>(job.expires->time_since_epoch()).count() - now();
        BOOST_TEST(left > 50);
        BOOST_TEST(left < 61);
    });
}

BOOST_FIXTURE_TEST_CASE(larger_priorities_are_popped_first, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        for (const auto* jid : {"1", "3", "2"})
            co_await mail.async_push("k", nothing, {.jid = jid, .priority = std::stod(jid) / 2});
        BOOST_TEST(jids_of(co_await mail.async_peek(10)) == listed("3", "2", "1"));
        BOOST_TEST(jids_of(co_await pop("w", 2)) == listed("3", "2"));
        BOOST_TEST(jids_of(co_await pop("w", 2)) == listed("1"));
        BOOST_TEST((co_await pop("w", 2)).empty());
        BOOST_TEST((co_await mail.async_peek()).empty());
    });
}

BOOST_FIXTURE_TEST_CASE(more_jobs_are_popped_than_fit_into_a_batch, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<new_managed_job> many(1000);
        for (auto& job : many)
            job.kind = "k";
        const auto jids = co_await mail.async_push_many(many);
        BOOST_TEST((co_await mail.async_peek(10'000)).size() == 500u);
        BOOST_TEST(jids_of(co_await pop("w", 700)) == texts(jids.begin(), jids.begin() + 700));
        BOOST_TEST((co_await pop("w", 0)).empty());
        BOOST_TEST((co_await pop("w", 100'000)).size() == 300u);
        BOOST_TEST((co_await jobs.async_multiget(jids)).size() == 1000u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_paused_queue_hands_out_nothing, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_push("k", nothing);
        co_await mail.async_pause();
        BOOST_TEST((co_await mail.async_counts()).paused);
        BOOST_TEST((co_await pop("w")).empty());
        co_await mail.async_resume();
        BOOST_TEST(!(co_await mail.async_counts()).paused);
        BOOST_TEST((co_await pop("w")).size() == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(no_more_are_handed_out_than_may_run, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_set_max_concurrency(2);
        BOOST_TEST((co_await pop_new(5)).size() == 2u);
        BOOST_TEST((co_await pop("w", 5)).empty());
        BOOST_TEST((co_await mail.async_settings()).max_concurrency == 2u);
        co_await mail.async_set_max_concurrency(0);
        BOOST_TEST(server("HLEN", "ql:config").integer == 0);
        BOOST_TEST((co_await pop("w", 5)).size() == 3u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_lock_that_has_run_out_is_handed_out_again_after_its_grace, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await jobs.async_set_config("grace-period", "0");
        call("put", listed("100", "v", "mail", "j", "k", "{}", "0"));
        call("pop", listed("100", "mail", "v", "1"));
        BOOST_TEST((co_await mail.async_counts()).stalled == 1u);
        const auto again = co_await pop("w");
        BOOST_TEST(jids_of(again) == listed("j"));
        BOOST_TEST(again.front().remaining == 4);
        BOOST_TEST((co_await heartbeat_job(jobs, held_job{"j", "v", "mail"})).error() == errc::lease_lost);
        BOOST_TEST((co_await complete_job(jobs, held_job{"j", "w", "mail"})).has_value());
    });
}

BOOST_AUTO_TEST_SUITE_END()
