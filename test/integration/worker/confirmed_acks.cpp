// SPDX-License-Identifier: MIT
#include "integration/queue/promotion_test.hpp"
#include "integration/queue/replicated_test.hpp"
#include "support/client_test.hpp"

#include "coworker/managed_queue.hpp"
#include "coworker/metrics.hpp"
#include "coworker/worker.hpp"
#include "redis/script.hpp"

#include <boost/test/unit_test.hpp>

#include <set>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Workers whose acknowledgements replicas confirm.
BOOST_AUTO_TEST_SUITE(confirmed_acks)

namespace {

struct confirmed_acks_test : replicated_test
{
    managed_queue mail{redis, "mail"};

    ~confirmed_acks_test() { replica.thaw(); }

    worker_options observed() const { return {.concurrency = 10, .observers = {events.observe()}}; }
    background start(worker& subject) { return {io.get_executor(), subject.async_run()}; }

    std::int64_t succeeded(redis_server& at)
    {
        const auto count = at("HGET", "hworker-counters-numbers", "success");
        return count.is_nil() ? 0 : std::stoll(count.text);
    }

    asio::awaitable<void> until_acknowledged(std::int64_t jobs)
    {
        co_await eventually("the jobs are acknowledged",
                            [this, jobs] { return succeeded(server) == jobs && is_waiting(); });
    }

    bool is_waiting() { return server.raw().info("clients", "blocked_clients") == "1"; }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(the_end_of_a_job_is_told_when_a_replica_knows_it, confirmed_acks_test)
{
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(numbers, [](int) {}, {.durability = durability::replicated(1, 10s)});
        auto running = start(subject);
        for (int i = 1; i != 4; ++i) {
            server("SCRIPT", "FLUSH");
            (void)co_await numbers.async_push(i);
            const auto told = co_await events.wait_for(event_kind::succeeded, static_cast<std::size_t>(i));
            BOOST_TEST(succeeded(replica) == i);
            BOOST_TEST(told.queue == "numbers");
            BOOST_TEST(told.attempt == 1u);
            BOOST_TEST(told.duration.count() > 0);
        }
        BOOST_TEST(server("KEYS", "hworker-acknowledged-*").texts().size() == 1u);
        BOOST_TEST(calls_of("wait") >= 3);
        subject.stop();
        co_await running.join();
        BOOST_TEST(events.count(event_kind::unconfirmed) == 0u);
        BOOST_TEST(server("KEYS", "hworker-acknowledged-*").texts().empty());
    });
}

BOOST_FIXTURE_TEST_CASE(of_managed_jobs_too, confirmed_acks_test)
{
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(
            mail,
            [](raw_json job) -> coworker::outcome { return job.text == "1" ? success() : failure("no"); },
            {.durability = durability::replicated(1, 10s)});
        auto running = start(subject);
        const auto good = co_await mail.async_push("Letter", 1);
        co_await events.wait_for(event_kind::succeeded);
        BOOST_TEST(replica("HGET", "ql:j:" + good, "state").text == "complete");
        const auto bad = co_await mail.async_push("Letter", 2);
        const auto failed = co_await events.wait_for(event_kind::failed);
        BOOST_TEST(failed.message == "no");
        BOOST_TEST(replica("HGET", "ql:j:" + bad, "state").text == "failed");
        replica.freeze();
        const auto late = co_await mail.async_push("Letter", 1);
        co_await eventually("it is acknowledged and waits", [&] {
            return server("HGET", "ql:j:" + late, "state").text == "complete" && is_waiting();
        });
        BOOST_TEST(events.count(event_kind::succeeded) == 1u);
        replica.thaw();
        co_await events.wait_for(event_kind::succeeded, 2);
        subject.stop();
        co_await running.join();
        BOOST_TEST(events.count(event_kind::unconfirmed) == 0u);
        BOOST_TEST(server("KEYS", "ql:coworker:acknowledged:*").texts().empty());
    });
}

BOOST_FIXTURE_TEST_CASE(no_job_stands_behind_a_confirmation, confirmed_acks_test)
{
    // Or the first question is asked, and confirmed, once more.
    server("SCRIPT", "LOAD", detail::find_script("redis/find_mark").text());
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(numbers, [](int) {}, {.durability = durability::replicated(1, 60s)});
        auto running = start(subject);
        replica.freeze();
        (void)co_await numbers.async_push(0);
        co_await until_acknowledged(1);
        const std::vector<int> many(300, 1);
        (void)co_await numbers.async_push_many(many);
        co_await until_acknowledged(301);
        BOOST_TEST(subject.running() == 0u);
        BOOST_TEST(events.count(event_kind::succeeded) == 0u);
        BOOST_TEST(calls_of("wait") <= 1); // the one that is under way is not counted yet
        replica.thaw();
        co_await events.wait_for(event_kind::succeeded, 301);
        BOOST_TEST(calls_of("wait") == 2); // and one for all that were acknowledged meanwhile
        std::set<std::string> ids;
        for (const auto& each : events.of(event_kind::succeeded))
            ids.insert(each.job_id);
        BOOST_TEST(ids.size() == 301u);
        subject.stop();
        co_await running.join();
    });
}

BOOST_FIXTURE_TEST_CASE(pushes_share_the_confirmation, confirmed_acks_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto how = durability::replicated(1, 60s);
        worker subject{redis, observed()};
        subject.handle(numbers, [](int) {}, {.durability = how});
        subject.handle(mail, [](raw_json) {}, {.durability = how});
        auto running = start(subject);
        replica.freeze();
        (void)co_await numbers.async_push(0);
        co_await until_acknowledged(1);
        (void)co_await mail.async_push("Letter", 1);
        const list_queue<int> others{redis, "others"};
        auto& push = begin([&](auto token) { others.with(how).async_push(1, std::move(token)); });
        co_await eventually("the letter is acknowledged",
                            [&] { return server("ZCARD", "ql:completed").integer == 1; });
        replica.thaw();
        co_await events.wait_for(event_kind::succeeded, 2);
        co_await wait_for(push);
        BOOST_TEST(!push.error);
        BOOST_TEST(calls_of("wait") <= 3);
        subject.stop();
        co_await running.join();
    });
}

BOOST_FIXTURE_TEST_CASE(what_is_not_confirmed_in_time_is_told, confirmed_acks_test)
{
    run([&]() -> asio::awaitable<void> {
        worker_metrics metrics;
        auto how = observed();
        how.observers.push_back(metrics.observe());
        worker subject{redis, how};
        subject.handle(numbers, [](int job) { return job == 1 ? success() : failure("no"); },
                       {.durability = durability::replicated(1, 50ms)});
        auto running = start(subject);
        replica.freeze();
        (void)co_await numbers.async_push(1, {.id = "good"});
        const auto good = co_await events.wait_for(event_kind::unconfirmed);
        BOOST_TEST(good.job_id == "good");
        BOOST_TEST(good.message == "succeeded, not confirmed: 0 of 1 replicas had it within 50 ms");
        (void)co_await numbers.async_push(2, {.id = "bad"});
        const auto bad = co_await events.wait_for(event_kind::unconfirmed, 2);
        BOOST_TEST(bad.job_id == "bad");
        BOOST_TEST(bad.message == "failed (no), not confirmed: 0 of 1 replicas had it within 50 ms");
        BOOST_TEST(bad.attempt == 1u);
        BOOST_TEST(server("HLEN", "hworker-progress-numbers").integer == 0);
        BOOST_TEST(events.count(event_kind::succeeded) + events.count(event_kind::failed) == 0u);
        subject.stop();
        co_await running.join();
        const auto page = metrics.prometheus();
        BOOST_TEST(page.find(R"({queue="numbers",outcome="unconfirmed"} 2)") != page.npos, page);
        BOOST_TEST(page.find(R"({queue="numbers",outcome="succeeded"} 0)") != page.npos);
        BOOST_TEST(page.find(R"(coworker_worker_running_jobs{queue="numbers"} 0)") != page.npos);
    });
}

BOOST_FIXTURE_TEST_CASE(run_ends_when_the_last_outcome_is_confirmed, confirmed_acks_test)
{
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(numbers, [](int) {}, {.durability = durability::replicated(1, 60s)});
        auto running = start(subject);
        replica.freeze();
        (void)co_await numbers.async_push(1);
        co_await until_acknowledged(1);
        subject.stop();
        co_await events.wait_for(event_kind::stopping);
        BOOST_TEST(!running.has_ended());
        replica.thaw();
        co_await running.join();
        BOOST_TEST(events.count(event_kind::succeeded) == 1u);
        BOOST_TEST((events.all().back().kind == event_kind::stopped));
    });
}

BOOST_FIXTURE_TEST_CASE(run_ends_when_the_time_of_the_last_confirmation_is_over, confirmed_acks_test)
{
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(numbers, [&](int) { subject.stop(); },
                       {.durability = durability::replicated(1, 50ms)});
        auto running = start(subject);
        replica.freeze();
        (void)co_await numbers.async_push(1);
        co_await running.join();
        BOOST_TEST(events.count(event_kind::unconfirmed) == 1u);
        BOOST_TEST((events.all().back().kind == event_kind::stopped));
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_without_observers_waits_as_well, confirmed_acks_test)
{
    run([&]() -> asio::awaitable<void> {
        worker subject{redis};
        subject.handle(numbers, [&](int) { subject.stop(); }, {.durability = durability::replicated(1, 60s)});
        auto running = start(subject);
        replica.freeze();
        (void)co_await numbers.async_push(1);
        co_await until_acknowledged(1);
        BOOST_TEST(!running.has_ended());
        replica.thaw();
        co_await running.join();
        BOOST_TEST(succeeded(replica) == 1);
    });
}

// --- failover ------------------------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(a_replica_that_took_over_with_the_outcome_confirms_it, promotion_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await until_it_follows(successor, server);
        list_queue<int> numbers{*redis, "numbers"};
        worker subject{*redis, {.observers = {events.observe()}}};
        subject.handle(numbers, [](int) {}, {.durability = durability::replicated(1, 60s)});
        background running{io.get_executor(), subject.async_run()};
        (void)co_await numbers.async_push(1);
        co_await events.wait_for(event_kind::succeeded); // a mark that goes on at the other server
        successor.freeze();
        (void)co_await numbers.async_push(2);
        co_await until_it_waits();
        replace_primary();
        successor.thaw(); // and reads what it was sent
        co_await eventually("it knows that its primary is gone", [&] {
            return successor.raw().info("replication", "master_link_status") == "down";
        });
        successor("REPLICAOF", "NO", "ONE");
        follow(third, successor);
        co_await events.wait_for(event_kind::succeeded, 2);
        BOOST_TEST(third("HGET", "hworker-counters-numbers", "success").text == "2");
        (void)co_await numbers.async_push(3);
        co_await events.wait_for(event_kind::succeeded, 3);
        BOOST_TEST(events.count(event_kind::unconfirmed) == 0u);
        subject.stop();
        co_await running.join();
        co_await redis->async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_replica_that_took_over_without_the_outcome_does_not_confirm_it, promotion_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await until_it_follows(successor, server);
        list_queue<int> numbers{*redis, "numbers"};
        worker subject{*redis, {.observers = {events.observe()}}};
        subject.handle(numbers, [](int) {}, {.durability = durability::replicated(1, 60s)});
        background running{io.get_executor(), subject.async_run()};
        (void)co_await numbers.async_push(1, {.id = "first"});
        co_await events.wait_for(event_kind::succeeded);
        successor("REPLICAOF", "NO", "ONE"); // from now on it is told nothing
        follow(third, successor);
        co_await until_it_follows(third, successor);
        (void)co_await numbers.async_push(2, {.id = "lost"});
        co_await until_it_waits();
        replace_primary();
        const auto told = co_await events.wait_for(event_kind::unconfirmed);
        BOOST_TEST(told.job_id == "lost");
        BOOST_TEST(told.message.find("the server does not have it") != std::string::npos, told.message);
        (void)co_await numbers.async_push(3, {.id = "later"});
        BOOST_TEST((co_await events.wait_for(event_kind::succeeded, 2)).job_id == "later");
        subject.stop();
        co_await running.join();
        BOOST_TEST(events.count(event_kind::unconfirmed) == 1u);
        co_await redis->async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_primary_that_becomes_a_replica_confirms_nothing, confirmed_acks_test)
{
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(numbers, [](int) {}, {.durability = durability::replicated(1, 60s)});
        server("SCRIPT", "LOAD",
               detail::find_script("redis/find_mark").text()); // or the question may come too late
        auto running = start(subject);
        replica.freeze();
        (void)co_await numbers.async_push(1);
        co_await until_acknowledged(1);
        server("REPLICAOF", "127.0.0.1", 1);
        const auto told = co_await events.wait_for(event_kind::unconfirmed);
        BOOST_TEST(told.message.starts_with("succeeded, not confirmed: "), told.message);
        server("REPLICAOF", "NO", "ONE");
        replica.thaw();
        (void)co_await numbers.async_push(2);
        co_await events.wait_for(event_kind::succeeded);
        subject.stop();
        co_await running.join();
    });
}

// --- what cannot be confirmed --------------------------------------------------------

BOOST_FIXTURE_TEST_CASE(a_worker_is_refused_that_wants_a_disk_where_nothing_is_kept, connection_test)
{
    run_with_client([&](client& redis, list_queue<int>& numbers) -> asio::awaitable<void> {
        (void)co_await numbers.async_push(1);
        worker subject{redis};
        std::size_t started = 0;
        subject.handle(numbers, [&](int) { ++started; }, {.durability = durability::synced()});
        const auto error = co_await error_of(subject.async_run());
        BOOST_TEST(error == errc::not_supported, error);
        BOOST_TEST(error.says("appendonly"), error);
        BOOST_TEST(started == 0u);
        BOOST_TEST((co_await numbers.async_sizes()).waiting == 1u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
