// SPDX-License-Identifier: MIT
#include "support/managed_worker_test.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(managed_leases)

namespace {

struct lease_test : managed_worker_test
{
    std::optional<worker> subject;
    std::optional<background> running;

    /// Starts a worker whose handlers run until they are cancelled, and waits until one does.
    asio::awaitable<void> start_long_job(worker_options options = {})
    {
        subject.emplace(redis, observed(std::move(options)));
        subject->handle(mail, [](raw_json) -> asio::awaitable<void> { co_await let_pass(60s); });
        running.emplace(start(*subject));
        co_await events.wait_for(event_kind::started);
    }

    double score(const std::string& key, const std::string& member)
    {
        return std::stod(server("ZSCORE", key, member).text);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_queue_s_own_heartbeat_counts, lease_test)
{
    set_option("mail-heartbeat", "3");
    put("a", "Letter");
    run([&]() -> asio::awaitable<void> {
        co_await start_long_job({.shutdown_timeout = 0ms});
        const auto first = score("ql:q:mail-locks", "a");
        BOOST_TEST(first <
                   std::stod(server("TIME").texts().at(0)) + 30); // and not the minute of other queues
        co_await events.wait_for(event_kind::leases_renewed);
        BOOST_TEST(score("ql:q:mail-locks", "a") > first);
        BOOST_TEST(score("ql:q:mail-locks", "a") == score("ql:w:" + redis.client_name() + ":jobs", "a"));
        co_await stop(*subject, *running);
    });
}

BOOST_FIXTURE_TEST_CASE(a_heartbeat_that_is_made_shorter_while_the_worker_runs_counts_for_the_next_job,
                        lease_test)
{
    put("a", "Letter");
    run([&]() -> asio::awaitable<void> {
        co_await start_long_job({.shutdown_timeout = 0ms});
        set_option("heartbeat", "5");
        put("b", "Letter");
        co_await events.wait_for(event_kind::started, 2);
        co_await events.wait_for(event_kind::leases_renewed, 3);
        BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
        BOOST_TEST(state("b") == "running");
        co_await stop(*subject, *running);
    });
}

BOOST_FIXTURE_TEST_CASE(a_heartbeat_that_is_made_much_shorter_keeps_up_the_jobs_that_run, lease_test)
{
    set_option("heartbeat", "10");
    put("a", "Letter");
    run([&]() -> asio::awaitable<void> {
        co_await start_long_job({.shutdown_timeout = 0ms});
        set_option("heartbeat", "5");
        co_await events.wait_for(event_kind::leases_renewed, 4);
        BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
        BOOST_TEST(state("a") == "running");
        co_await stop(*subject, *running);
    });
    BOOST_TEST(history("a") == "put popped timed-out"); // when it was given back
}

BOOST_FIXTURE_TEST_CASE(a_job_that_is_timed_out_is_cancelled_at_once_and_runs_again, lease_test)
{
    put("a", "Letter");
    run([&]() -> asio::awaitable<void> {
        co_await start_long_job({.shutdown_timeout = 0ms});
        qless("timeout", "a");
        const auto lost = co_await events.wait_for(event_kind::lease_lost);
        BOOST_TEST(lost.job_id == "a");
        BOOST_TEST(lost.message == "Redis says that it was taken away");
        co_await events.wait_for(event_kind::started, 2);
        co_await stop(*subject, *running);
    });
    BOOST_TEST(events.count(event_kind::leases_renewed) == 0u); // it did not take a heartbeat to notice
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(a_job_that_is_cancelled_is_not_run_any_further, lease_test)
{
    put("a", "Letter");
    run([&]() -> asio::awaitable<void> {
        co_await start_long_job();
        qless("cancel", "a");
        co_await events.wait_for(event_kind::lease_lost);
        co_await stop(*subject, *running);
    });
    BOOST_TEST(server("EXISTS", "ql:j:a").integer == 0);
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(a_job_put_elsewhere_by_another_client_is_lost, lease_test)
{
    put("a", "Letter");
    run([&]() -> asio::awaitable<void> {
        co_await start_long_job();
        qless("put", "someone", "press", "a", "Letter", "{}", "0");
        co_await events.wait_for(event_kind::lease_lost);
        co_await stop(*subject, *running);
    });
    BOOST_TEST(state("a") == "waiting");
    BOOST_TEST(field("a", "queue") == "press");
}

BOOST_FIXTURE_TEST_CASE(a_lock_taken_away_without_a_word_is_noticed_with_the_next_heartbeat, lease_test)
{
    set_option("heartbeat", "1");
    put("a", "Letter");
    run([&]() -> asio::awaitable<void> {
        co_await start_long_job();
        server("HSET", "ql:j:a", "worker", "someone");
        const auto lost = co_await events.wait_for(event_kind::lease_lost);
        BOOST_TEST(lost.job_id == "a");
        server("HSET", "ql:j:a", "worker", redis.client_name());
        co_await stop(*subject, *running);
    });
}

BOOST_FIXTURE_TEST_CASE(an_outcome_does_not_end_the_next_run_by_the_same_worker, lease_test)
{
    constexpr int jobs = 20, steps = 50;
    set_option("max-job-history", "0");
    for (int i = 0; i != jobs; ++i)
        put('j' + std::to_string(i), "Step", "0");
    run([&]() -> asio::awaitable<void> {
        subject.emplace(redis, worker_options{.concurrency = 30});
        // A handler that puts its own job again, and goes on for a moment.
        subject->handle(mail, [&](raw_json data, job_context& context) -> asio::awaitable<void> {
            const int step = std::stoi(data.text);
            if (step == steps)
                co_return;
            const std::string jid{context.id()};
            co_await mail.async_push("Step", step + 1, {.jid = jid});
            co_await let_pass(0ms);
        });
        running.emplace(start(*subject));
        while (server("ZCARD", "ql:completed").integer != jobs)
            co_await let_pass(20ms);
        co_await stop(*subject, *running);
    });
    for (int i = 0; i != jobs; ++i) {
        const auto jid = 'j' + std::to_string(i);
        const auto told = history(jid);
        BOOST_TEST(told.find("done") == told.size() - 4); // after the last step only
        BOOST_TEST(field(jid, "data") == std::to_string(steps));
    }
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(a_worker_may_not_be_permitted_to_listen, managed_worker_test)
{
    server("ACL", "SETUSER", "ada", "on", ">secret", "~*", "resetchannels", "&coworker:*", "+@all");
    set_option("heartbeat", "1");
    put("a", "Letter");
    run([&]() -> asio::awaitable<void> {
        client own{io.get_executor(), observed_options("ada")};
        managed_queue queue{own, "mail"};
        worker subject{own, observed({.shutdown_timeout = 0ms})}; // the job runs again
        subject.handle(queue, [](raw_json) -> asio::awaitable<void> { co_await let_pass(60s); });
        auto running = start(subject);
        co_await events.wait_for(event_kind::started);
        BOOST_TEST(events.of(event_kind::warning).at(0).message.find("may not SUBSCRIBE") !=
                   std::string::npos);
        qless("timeout", "a");
        co_await events.wait_for(event_kind::lease_lost); // with the heartbeat
        co_await stop(subject, running);
        co_await own.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_may_not_be_permitted_to_publish, managed_worker_test)
{
    server("ACL", "SETUSER", "ada", "on", ">secret", "~*", "resetchannels", "&coworker:*", "+@all",
           "-publish");
    put("a", "Letter");
    put("b", "Wrong");
    run([&]() -> asio::awaitable<void> {
        client own{io.get_executor(), observed_options("ada")};
        managed_queue queue{own, "mail"};
        worker subject{own, observed()};
        handlers_by_kind handlers;
        handlers.on("Letter", [](raw_json) {});
        handlers.on("Wrong", [](raw_json) { return failure("wrong"); });
        subject.handle(queue, std::move(handlers));
        auto running = start(subject);
        co_await events.wait_for(event_kind::succeeded);
        co_await events.wait_for(event_kind::failed);
        co_await stop(subject, running);
        co_await own.async_stop();
    });
    BOOST_TEST(state("a") == "complete"); // nobody was told, and nothing was left half done
    BOOST_TEST(state("b") == "failed");
    BOOST_TEST(broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
