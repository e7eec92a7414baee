// SPDX-License-Identifier: MIT
#include "support/expect.hpp"
#include "support/held_jobs.hpp"
#include "support/managed_worker_test.hpp"

#include "coworker/managed_client.hpp"

#include <boost/test/unit_test.hpp>

#include <string>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Jobs that cannot be delivered or settled must not keep a worker from the others.
BOOST_AUTO_TEST_SUITE(managed_damaged_jobs)

namespace {

constexpr std::size_t mebibyte = 1024 * 1024;

struct damage_test : managed_worker_test
{
    /// Data of that many bytes.
    static std::string data_of(std::size_t bytes) { return '"' + std::string(bytes - 2, 'x') + '"'; }

    /// Lets a worker work until so many jobs have ended like that.
    template<class Handler>
    void work_until(event_kind end, Handler handler, std::size_t count = 1)
    {
        run([&]() -> asio::awaitable<void> {
            worker subject{redis, observed()};
            subject.handle(mail, handler);
            auto running = start(subject);
            co_await events.wait_for(end, count);
            co_await stop(subject, running);
        });
    }

    static outcome succeed(raw_json) { return success(); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_job_too_large_to_be_delivered_fails_and_the_next_one_runs, damage_test)
{
    put("large", "Letter", data_of(33 * mebibyte));
    put("small", "Letter");
    work_until(event_kind::succeeded, succeed);
    BOOST_TEST(state("small") == "complete");
    BOOST_TEST(state("large") == "failed");
    BOOST_TEST(failed("Letter:too-large") == std::vector<std::string>{"large"});
    BOOST_TEST(server("HSTRLEN", "ql:j:large", "data").integer == static_cast<std::int64_t>(33 * mebibyte));
    BOOST_TEST(events.count(event_kind::disconnected) == 0u);
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(a_job_of_twenty_mebibytes_is_delivered, damage_test)
{
    put("large", "Letter", data_of(20 * mebibyte));
    std::size_t size = 0;
    work_until(event_kind::succeeded, [&](raw_json job) { size = job.text.size(); });
    BOOST_TEST(size == 20 * mebibyte);
}

BOOST_FIXTURE_TEST_CASE(several_jobs_of_twenty_mebibytes_are_delivered, damage_test)
{
    for (const auto* jid : {"a", "b", "c", "d"})
        put(jid, "Letter", data_of(20 * mebibyte));
    work_until(event_kind::succeeded, succeed, 4);
    BOOST_TEST(failed("Letter:too-large").empty());
}

BOOST_FIXTURE_TEST_CASE(a_job_too_large_to_be_shown_is_refused_and_the_connection_stays, damage_test)
{
    put("large", "Letter", data_of(33 * mebibyte));
    run([&]() -> asio::awaitable<void> {
        managed_client jobs{redis};
        const auto found = co_await jobs.async_get("large");
        BOOST_TEST(found.error() == errc::job_too_large);
        const std::vector<managed_job> popped = co_await pop_jobs(jobs, "mail", "w");
        BOOST_TEST(popped.empty());
        co_await redis.async_stop();
    });
    BOOST_TEST(state("large") == "failed");
    BOOST_TEST(events.count(event_kind::disconnected) == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_running_job_that_lost_its_worker_or_queue_is_lost_alone, damage_test)
{
    put("no worker", "Letter");
    put("no queue", "Letter");
    put("good", "Letter");
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(mail, [&](raw_json, job_context& context) {
            if (context.id() == "no worker")
                server("HDEL", "ql:j:no worker", "worker");
            if (context.id() == "no queue")
                server("HDEL", "ql:j:no queue", "queue");
            return success();
        });
        auto running = start(subject);
        co_await events.wait_for(event_kind::lease_lost, 2);
        co_await events.wait_for(event_kind::succeeded);
        co_await stop(subject, running);
    });
    BOOST_TEST(state("good") == "complete");
    BOOST_TEST(events.count(event_kind::ack_failed) == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_job_retried_by_another_client_into_this_queue_is_completed, damage_test)
{
    qless("put", "", "other", "a", "Letter", "{}", "0");
    qless("pop", "other", "w", "1");
    qless("retry", "a", "mail", "w");
    server("HSET", "ql:j:a", "queue", "other"); // as qless leaves it
    work_until(event_kind::succeeded, succeed);
    BOOST_TEST(state("a") == "complete");
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(a_heartbeat_of_zero_lets_no_job_fail, damage_test)
{
    server("HSET", "ql:config", "heartbeat", "0", "grace-period", "0");
    put("a", "Letter");
    work_until(event_kind::succeeded, succeed);
    BOOST_TEST(state("a") == "complete");
    BOOST_TEST(field("a", "remaining") == "5");
}

BOOST_FIXTURE_TEST_CASE(a_handler_that_leaves_false_as_data_fails_the_job, damage_test)
{
    put("a", "Letter");
    work_until(event_kind::failed, [](raw_json) { return success(raw_json{" false"}); });
    BOOST_TEST(state("a") == "failed");
    BOOST_TEST(field("a", "data") == "{}");
}

BOOST_FIXTURE_TEST_CASE(false_as_data_and_heartbeats_that_end_locks_at_once_are_refused, damage_test)
{
    run([&]() -> asio::awaitable<void> {
        managed_client jobs{redis};
        BOOST_TEST(co_await error_of([&] { return mail.async_push("Letter", raw_json{"false"}); }) ==
                   errc::not_serializable);
        for (const auto* value : {"0", "-1", "nan", "zzz", ""}) {
            BOOST_TEST(co_await error_of([&] { return jobs.async_set_config("heartbeat", value); }) ==
                       errc::invalid_option);
            BOOST_TEST(co_await error_of([&] { return jobs.async_set_config("mail-heartbeat", value); }) ==
                       errc::invalid_option);
        }
        co_await redis.async_stop();
    });
    BOOST_TEST(server("EXISTS", "ql:config", "ql:queues").integer == 0);
}

BOOST_AUTO_TEST_SUITE_END()
