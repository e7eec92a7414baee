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
        for (const auto& job : co_await mail.async_pop("w", 2)) {
            complete_options options;
            if (job.jid == "changed")
                options.data = "{ }";
            BOOST_TEST(((co_await jobs.async_complete(job, options)).value() == managed_state::complete));
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
        BOOST_TEST(((co_await jobs.async_complete(popped[0], {.next = "sorted"})).value() ==
                    managed_state::waiting));
        BOOST_TEST(((co_await jobs.async_complete(popped[1], {.next = "sorted", .delay = 60s})).value() ==
                    managed_state::scheduled));
        BOOST_TEST(((co_await jobs.async_complete(popped[2], {.next = "sorted", .depends = "1"})).value() ==
                    managed_state::depends));
        BOOST_TEST((co_await sorted.async_counts()).waiting == 1u);
        BOOST_TEST(((co_await sorted.async_jobs(managed_state::scheduled)) == listed("2")));
        BOOST_TEST(((co_await sorted.async_jobs(managed_state::depends)) == listed("3")));
    });
}

BOOST_FIXTURE_TEST_CASE(a_failed_job_is_filed_under_its_group, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto popped = co_await pop_new(2);
        BOOST_TEST(
            (co_await jobs.async_fail(popped[0], "timeout", "no answer from \"a\"\n", "[7]")).has_value());
        BOOST_TEST((co_await jobs.async_fail(popped[1], "timeout", "")).has_value());
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
        auto popped = co_await mail.async_pop("w");
        BOOST_TEST((co_await jobs.async_retry(popped[0], {.group = "g", .message = "m"})).value() == 0);
        popped = co_await mail.async_pop("w");
        BOOST_TEST(popped[0].failure->group == "g");
        BOOST_TEST((co_await jobs.async_retry(popped[0])).value() == -1);
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
        BOOST_TEST((co_await jobs.async_retry(popped[0], {.delay = 60s, .queue = "slow"})).value() == 4);
        BOOST_TEST(((co_await slow.async_jobs(managed_state::scheduled)) == listed("1")));
    });
}

BOOST_FIXTURE_TEST_CASE(a_heartbeat_prolongs_the_lock_and_stores_data, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto popped = co_await pop_new(1);
        co_await mail.async_set_heartbeat(300s);
        BOOST_TEST(((co_await mail.async_settings()).heartbeat == 300s));
        const auto until = (co_await jobs.async_heartbeat(popped[0], "[ 1.0 ]")).value();
        const auto left = std::chrono::duration<double>(until.time_since_epoch()).count() - now();
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
            BOOST_TEST((co_await jobs.async_complete(job)).error() == expected);
            BOOST_TEST((co_await jobs.async_fail(job, "g", "m")).error() == expected);
            BOOST_TEST((co_await jobs.async_retry(job)).error() == expected);
            BOOST_TEST((co_await jobs.async_heartbeat(job)).error() == expected);
        };
        co_await check({"unknown", "w", "mail"}, errc::job_not_found);
        co_await check({"waiting", "w", "mail"}, errc::job_not_running);
        co_await check({"1", "v", "mail"}, errc::lease_lost);
        BOOST_TEST((co_await jobs.async_complete({"1", "w", "other"})).error() == errc::job_in_another_queue);
        BOOST_TEST((co_await jobs.async_complete({"1", "w", "mail"})).has_value());
        co_await check({"1", "w", "mail"}, errc::job_not_running);
    });
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_right_is_refused_before_anything_is_sent, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const held_job job{"j", "w", "q"};
        const auto refused = [&](auto function) { return error_of(function); };
        BOOST_TEST(co_await refused([&] {
                       return jobs.async_complete({"", "w", "q"});
                   }) == errc::invalid_job_id);
        BOOST_TEST(co_await refused([&] {
                       return jobs.async_complete({"j", "", "q"});
                   }) == errc::invalid_option);
        BOOST_TEST(co_await refused([&] {
                       return jobs.async_complete({"j", "w", ""});
                   }) == errc::invalid_queue_name);
        BOOST_TEST(co_await refused([&] { return jobs.async_complete(job, {.data = "x"}); }) ==
                   errc::not_serializable);
        BOOST_TEST(co_await refused([&] { return jobs.async_complete(job, {.next = ""}); }) ==
                   errc::invalid_queue_name);
        BOOST_TEST(co_await refused([&] { return jobs.async_complete(job, {.delay = 1s}); }) ==
                   errc::invalid_option);
        BOOST_TEST(co_await refused([&] { return jobs.async_complete(job, {.depends = "a"}); }) ==
                   errc::invalid_option);
        BOOST_TEST(co_await refused([&] { return jobs.async_fail(job, "", "m"); }) == errc::invalid_option);
        BOOST_TEST(co_await refused([&] { return jobs.async_fail(job, "g", "\xff"); }) ==
                   errc::not_serializable);
        BOOST_TEST(co_await refused([&] { return jobs.async_fail(job, "g", "m", "}"); }) ==
                   errc::not_serializable);
        BOOST_TEST(co_await refused([&] { return jobs.async_retry(job, {.group = "g"}); }) ==
                   errc::invalid_option);
        BOOST_TEST(co_await refused([&] { return jobs.async_retry(job, {.message = "m"}); }) ==
                   errc::invalid_option);
        BOOST_TEST(co_await refused([&] { return jobs.async_heartbeat(job, ""); }) == errc::not_serializable);
        BOOST_TEST(number_of_keys() == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(many_jobs_are_settled_in_one_call_and_each_is_answered, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto popped = co_await pop_new(1000);
        std::vector<held_job> held(popped.begin(), popped.end());
        held[500] = held_job{"unknown", "w", "mail"};
        const auto beats = co_await jobs.async_heartbeat_many(held);
        BOOST_TEST_REQUIRE(beats.size() == 1000u);
        BOOST_TEST(beats[499].has_value());
        BOOST_TEST(beats[500].error() == errc::job_not_found);

        std::vector<completion> done;
        for (std::size_t i = 0; i != 300; ++i)
            done.push_back({popped[i], {}});
        done[7].job.worker = "v";
        done[8].options.next = "other";
        const auto completed = co_await jobs.async_complete_many(done);
        BOOST_TEST_REQUIRE(completed.size() == 300u);
        BOOST_TEST((completed[6].value() == managed_state::complete));
        BOOST_TEST(completed[7].error() == errc::lease_lost);
        BOOST_TEST((completed[8].value() == managed_state::waiting));

        std::vector<failing> failures;
        for (std::size_t i = 300; i != 600; ++i)
            failures.push_back({popped[i], "g", "m"});
        failures[0].job = popped[0];
        const auto failed = co_await jobs.async_fail_many(failures);
        BOOST_TEST_REQUIRE(failed.size() == 300u);
        BOOST_TEST(failed[0].error() == errc::job_not_running);
        BOOST_TEST((co_await jobs.async_failed_groups()).at("g") == 299u);

        std::vector<retrying> retries;
        for (std::size_t i = 600; i != 1000; ++i)
            retries.push_back({popped[i], {}});
        const auto retried = co_await jobs.async_retry_many(retries);
        BOOST_TEST_REQUIRE(retried.size() == 400u);
        BOOST_TEST(retried[399].value() == 4);
        const auto counts = co_await mail.async_counts();
        BOOST_TEST(counts.waiting == 400u);
        BOOST_TEST(counts.running == 2u); // the one of another worker, and the one not failed
        BOOST_TEST((co_await jobs.async_complete_many({})).empty());
    });
}

BOOST_AUTO_TEST_SUITE_END()
