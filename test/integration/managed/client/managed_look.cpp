// SPDX-License-Identifier: MIT
#include "integration/managed/client/managed_test.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(managed_look)

BOOST_FIXTURE_TEST_CASE(jobs_are_counted_and_listed_by_state, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await pop_new(2);
        co_await mail.async_push("k", nothing, {.jid = "waits"});
        co_await mail.async_push("k", nothing, {.jid = "later", .delay = 1h});
        co_await mail.async_push("k", nothing, {.jid = "depends", .depends = "waits"});
        co_await mail.async_recur("k", nothing, 1h, {.jid = "recurs", .offset = 1h});
        const auto counts = co_await mail.async_counts();
        BOOST_TEST(counts.name == "mail");
        BOOST_TEST(counts.waiting == 1u);
        BOOST_TEST(counts.running == 2u);
        BOOST_TEST(counts.stalled == 0u);
        BOOST_TEST(counts.scheduled == 1u);
        BOOST_TEST(counts.depends == 1u);
        BOOST_TEST(counts.recurring == 1u);
        BOOST_TEST(!counts.paused);
        BOOST_TEST((co_await mail.async_counts()).length() == 4u);
        BOOST_TEST((co_await mail.async_jobs(managed_state::running)).size() == 2u);
        BOOST_TEST((co_await mail.async_jobs(managed_state::running, 1, 1)).size() == 1u);
        BOOST_TEST((co_await mail.async_jobs(managed_state::running, 0, 0)).empty());
        BOOST_TEST(
            (co_await mail.async_jobs(managed_state::running, ~std::size_t{0}, ~std::size_t{0})).empty());
        BOOST_TEST((co_await mail.async_jobs(managed_state::running, 0, ~std::size_t{0})).size() == 2u);
        BOOST_TEST((co_await mail.async_jobs(managed_state::stalled)).empty());
        BOOST_TEST((co_await mail.async_jobs(managed_state::scheduled)) == listed("later"));
        BOOST_TEST((co_await mail.async_jobs(managed_state::depends)) == listed("depends"));
        BOOST_TEST((co_await mail.async_jobs(managed_state::recurring)) == listed("recurs"));
        for (const auto state : {managed_state::waiting, managed_state::failed, managed_state::complete})
            BOOST_TEST(co_await error_of([&] { return mail.async_jobs(state); }) == errc::invalid_option);
    });
}

BOOST_FIXTURE_TEST_CASE(commands_are_called_as_qless_clients_call_them, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto put = co_await jobs.async_call("put", {"100", "w", "mail", "j", "k", "{}", "0"});
        BOOST_TEST((put.kind == qless_reply::type::text));
        BOOST_TEST(put.text == "j");
        const auto length = co_await jobs.async_call("length", {"server", "mail"});
        BOOST_TEST((length.kind == qless_reply::type::number));
        BOOST_TEST(length.number == 1);
        const auto listed = co_await jobs.async_call("cancel", {"server", "j", "none"});
        BOOST_TEST((listed.kind == qless_reply::type::list));
        BOOST_TEST_REQUIRE(listed.list.size() == 2u);
        BOOST_TEST(listed.list[0].text == "j");
        BOOST_TEST(((co_await jobs.async_call("get", {"server", "j"})).kind == qless_reply::type::nil));
        const auto refused = co_await jobs.async_call("pop", {"server", "mail"});
        BOOST_TEST((refused.kind == qless_reply::type::error));
        BOOST_TEST(refused.text == "Pop(): Arg \"worker\" missing");
        const auto unknown = co_await jobs.async_call("nonsense", {"server"});
        BOOST_TEST((unknown.kind == qless_reply::type::error));
        BOOST_TEST(unknown.text == "Unknown command nonsense");
    });
}

BOOST_FIXTURE_TEST_CASE(known_queues_are_listed_until_forgotten, managed_test)
{
    managed_queue other{redis, "other"};
    run([&]() -> asio::awaitable<void> {
        BOOST_TEST((co_await jobs.async_queues()).empty());
        co_await mail.async_push("k", nothing);
        co_await other.async_push("k", nothing);
        const auto queues = co_await jobs.async_queues();
        BOOST_TEST_REQUIRE(queues.size() == 2u);
        BOOST_TEST(queues[0].name == "mail");
        BOOST_TEST(queues[1].waiting == 1u);
        co_await mail.async_forget();
        BOOST_TEST((co_await jobs.async_queues()).size() == 1u);
        BOOST_TEST((co_await mail.async_counts()).length() == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(workers_are_listed_with_their_jobs, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        BOOST_TEST((co_await jobs.async_workers()).empty());
        co_await pop_new(3, "w");
        co_await pop("idle");
        const auto workers = co_await jobs.async_workers();
        BOOST_TEST_REQUIRE(workers.size() == 2u);
        BOOST_TEST(workers[0].name == "idle");
        BOOST_TEST(workers[1].name == "w");
        BOOST_TEST(workers[1].running == 3u);
        BOOST_TEST(workers[1].stalled == 0u);
        BOOST_TEST((co_await jobs.async_worker("w")).running.size() == 3u);
        BOOST_TEST((co_await jobs.async_worker("unknown")).running.empty());
        co_await jobs.async_deregister_workers({"w", "unknown"});
        BOOST_TEST((co_await jobs.async_workers()).size() == 1u);
        BOOST_TEST(co_await error_of([&] { return jobs.async_worker(""); }) == errc::invalid_option);
        BOOST_TEST(co_await error_of([&] { return jobs.async_deregister_workers({}); }) ==
                   errc::invalid_option);
    });
}

BOOST_FIXTURE_TEST_CASE(a_day_has_its_statistics, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        // 1970-01-12: put at 1,000,000, popped after 90 s, done 2.5 s later; another failed.
        call("put", listed("1000000", "v", "mail", "a", "k", "{}", "0"));
        call("put", listed("1000000", "v", "mail", "b", "k", "{}", "0"));
        call("pop", listed("1000090", "mail", "v", "2"));
        call("complete", listed("1000092.5", "a", "v", "mail", "{}"));
        call("fail", listed("1000093", "b", "v", "g", "m"));
        const auto day = co_await mail.async_statistics(timestamp{1'036'799s});
        BOOST_TEST(day.failures == 1);
        BOOST_TEST(day.failed == 1);
        BOOST_TEST(day.retries == 0);
        BOOST_TEST(day.lost_locks == 0);
        BOOST_TEST(day.wait.count == 2u);
        BOOST_TEST(day.wait.mean.count() == 90.0);
        BOOST_TEST(day.wait.deviation.count() == 0.0);
        BOOST_TEST(day.wait.histogram[60] == 2u);
        BOOST_TEST(day.run.count == 1u);
        BOOST_TEST(day.run.mean.count() == 2.5);
        BOOST_TEST(day.run.histogram[2] == 1u);
        BOOST_TEST((co_await mail.async_statistics(timestamp{1'036'800s})).wait.count == 0u);
        BOOST_TEST((co_await mail.async_statistics()).wait.count == 0u);
        co_await pop_new(2);
        BOOST_TEST((co_await mail.async_statistics()).wait.count == 2u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_day_tells_retries_from_lost_locks, managed_test)
{
    managed_queue other{redis, "other"};
    run([&]() -> asio::awaitable<void> {
        call("config_set", listed("1000000", "grace-period", "0"));
        for (const std::string jid : {"a", "b", "c"})
            call("put", listed("1000000", "v", "mail", jid, "k", "{}", "0"));
        call("pop", listed("1000010", "mail", "v", "3"));
        call("retry", listed("1000020", "a", "mail", "v", "3600"));
        call("retry", listed("1000020", "b", "mail", "v", "3600"));
        call("pop", listed("1000100", "mail", "v", "1")); // c, whose lock has run out
        const auto day = co_await mail.async_statistics(timestamp{1'036'799s});
        BOOST_TEST(day.retries == 2);
        BOOST_TEST(day.lost_locks == 1);
        BOOST_TEST((co_await mail.async_statistics(timestamp{1'036'800s})).retries == 0);
        BOOST_TEST((co_await other.async_statistics(timestamp{1'036'799s})).retries == 0);
    });
}

/// What the commands of other clients do to a job: test/scripts/managed.
BOOST_FIXTURE_TEST_CASE(jobs_that_have_ended_are_listed, managed_test)
{
    managed_queue again{redis, "again"};
    run([&]() -> asio::awaitable<void> {
        const auto popped = co_await pop_new(4);
        for (const auto& job : {popped[0], popped[1]})
            BOOST_TEST((co_await complete_job(jobs, job)).value() == "complete");
        for (const auto& job : {popped[2], popped[3]})
            BOOST_TEST((co_await fail_job(jobs, job, "timeout", "no answer")).has_value());
        BOOST_TEST((co_await complete_job(jobs, popped[0])).error() == errc::job_not_running);
        BOOST_TEST((co_await heartbeat_job(jobs, coworker::test::held_job{"1", "v", "mail"})).error() ==
                   errc::job_not_running);
        BOOST_TEST((co_await jobs.async_completed()).size() == 2u);
        BOOST_TEST((co_await jobs.async_completed(1, 5)).size() == 1u);
        BOOST_TEST((co_await jobs.async_completed(0, 0)).empty());
        BOOST_TEST((co_await jobs.async_failed_groups()).at("timeout") == 2u);
        const auto page = co_await jobs.async_failed("timeout", 1, 1);
        BOOST_TEST(page.total == 2u);
        BOOST_TEST(page.jids == listed("3"));
        BOOST_TEST((co_await jobs.async_failed("other")).jids.empty());
        BOOST_TEST(co_await again.async_unfail("timeout", 1) == 1u);
        BOOST_TEST(jids_of(co_await again.async_peek(5)) == listed("3")); // the oldest
        BOOST_TEST(co_await again.async_unfail("timeout") == 1u);
        BOOST_TEST(co_await again.async_unfail("timeout") == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_queue_has_settings_of_its_own, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_set_max_concurrency(2);
        co_await mail.async_set_heartbeat(1500ms);
        BOOST_TEST((co_await mail.async_settings()).max_concurrency == 2u);
        BOOST_TEST(((co_await mail.async_settings()).heartbeat == 1500ms));
        BOOST_TEST((co_await pop_new(3)).size() == 2u);
        BOOST_TEST(co_await error_of([&] { return mail.async_set_heartbeat(0ms); }) == errc::invalid_option);
        co_await mail.async_set_heartbeat(std::nullopt);
        BOOST_TEST(!(co_await mail.async_settings()).heartbeat);
        co_await mail.async_set_max_concurrency(0);
        BOOST_TEST(server("HLEN", "ql:config").integer == 0);
        co_await mail.async_pause();
        BOOST_TEST((co_await mail.async_counts()).paused);
        BOOST_TEST((co_await pop("w")).empty());
        co_await mail.async_resume();
        BOOST_TEST(!(co_await mail.async_counts()).paused);
        BOOST_TEST((co_await pop("w")).size() == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(settings_are_read_and_written, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto before = co_await jobs.async_config();
        BOOST_TEST(before.at("heartbeat") == "60");
        BOOST_TEST(!before.contains("unknown"));
        co_await jobs.async_set_config("heartbeat", "30");
        co_await jobs.async_set_config("colour", "blue");
        const auto all = co_await jobs.async_config();
        BOOST_TEST(all.at("heartbeat") == "30");
        BOOST_TEST(all.at("colour") == "blue");
        BOOST_TEST(all.at("grace-period") == "10");
        co_await jobs.async_unset_config("heartbeat");
        BOOST_TEST((co_await jobs.async_config()).at("heartbeat") == "60");
        BOOST_TEST(co_await error_of([&] { return jobs.async_set_config("", "1"); }) == errc::invalid_option);
        BOOST_TEST(co_await error_of([&] { return jobs.async_unset_config(""); }) == errc::invalid_option);
    });
}

BOOST_FIXTURE_TEST_CASE(another_kind_of_key_is_told_as_such, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        server("SET", "ql:j:j", "text");
        BOOST_TEST(co_await error_of(jobs.async_get("j")) == errc::wrong_key_type);
    });
}

BOOST_AUTO_TEST_SUITE_END()
