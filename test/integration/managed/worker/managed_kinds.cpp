// SPDX-License-Identifier: MIT
#include "support/managed_worker_test.hpp"

#include "coworker/inspector.hpp"

#include <boost/test/unit_test.hpp>

#include <list>
#include <map>
#include <optional>
#include <set>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Workers that do not handle all kinds of jobs; kinds.test has the rest.
BOOST_AUTO_TEST_SUITE(managed_kinds)

namespace {

using names = std::vector<std::string>;

/// A worker with a client of its own, which handles some kinds and counts what it runs.
struct member
{
    client redis;
    managed_queue mail;
    worker subject;
    std::optional<background> running;
    std::map<std::string, std::size_t> runs;

    member(managed_worker_test& test, const names& kinds, std::size_t concurrency = 10)
        : redis{test.io.get_executor(), test.options()}, mail{redis, "mail"},
          subject{redis, test.observed({.concurrency = concurrency})}
    {
        handlers_by_kind handlers;
        for (const auto& kind : kinds)
            handlers.on(kind,
                        [this](raw_json, job_context& context) { ++runs[std::string{context.kind()}]; });
        subject.handle(mail, std::move(handlers));
        running.emplace(test.start(subject));
    }

    asio::awaitable<void> stop()
    {
        subject.stop();
        co_await running->join();
        co_await redis.async_stop();
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(jobs_of_other_kinds_wait_for_a_worker_that_handles_them, managed_worker_test)
{
    put("a", "Reminder");
    put("b", "Letter");
    inspector shown{redis};
    run([&]() -> asio::awaitable<void> {
        member former{*this, {"Letter"}};
        const auto told = co_await events.wait_for(event_kind::unhandled);
        BOOST_TEST(told.queue == "mail");
        BOOST_TEST(told.message == "Reminder");
        BOOST_TEST(told.count == 1u);
        co_await events.wait_for(event_kind::succeeded);
        BOOST_TEST(state("a") == "waiting");

        std::vector<queue_ref> wanted{queue_ref::managed("mail")};
        const auto queues = co_await shown.async_queues(std::move(wanted));
        BOOST_TEST(queues.front().waiting == 1u);
        BOOST_TEST(queues.front().unhandled == 1u);
        BOOST_TEST(queues.front().unhandled_kinds == names{"Reminder"}, boost::test_tools::per_element());
        const auto job = co_await shown.async_job(queue_ref::managed("mail"), "a");
        BOOST_REQUIRE((job && job->options));
        BOOST_TEST(job->options->unhandled);

        member latter{*this, {"Reminder"}};
        co_await events.wait_for(event_kind::succeeded, 2);
        BOOST_TEST(latter.runs.at("Reminder") == 1u);
        co_await former.stop();
        co_await latter.stop();
    });
    BOOST_TEST(history("a") == "put popped done");
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(a_waiting_worker_is_woken_for_what_another_one_leaves, managed_worker_test)
{
    run([&]() -> asio::awaitable<void> {
        member former{*this, {"Letter"}}, latter{*this, {"Reminder"}};
        put("a", "Letter");
        co_await events.wait_for(event_kind::succeeded);
        put("b", "Reminder");
        co_await events.wait_for(event_kind::succeeded, 2);
        put("c", "Letter");
        co_await events.wait_for(event_kind::succeeded, 3);
        BOOST_TEST(former.runs.at("Letter") == 2u);
        BOOST_TEST(latter.runs.at("Reminder") == 1u);
        co_await former.stop();
        co_await latter.stop();
    });
    BOOST_TEST(events.count(event_kind::fallback_poll_found_work) == 0u);
}

BOOST_FIXTURE_TEST_CASE(racing_workers_of_different_kinds_run_each_job_once, managed_worker_test)
{
    constexpr std::size_t count = 600;
    const names kinds{"A", "B", "C"};
    run([&]() -> asio::awaitable<void> {
        std::vector<new_managed_job> jobs(count);
        for (std::size_t i = 0; i != count; ++i)
            jobs[i].kind = kinds[i % kinds.size()];
        std::list<member> members;
        members.emplace_back(*this, names{"A"}, 3);
        members.emplace_back(*this, names{"A", "B"}, 2);
        co_await mail.async_push_many(jobs);
        members.emplace_back(*this, names{"B", "C"}, 3);
        members.emplace_back(*this, names{"C"}, 2);
        co_await events.wait_for(event_kind::succeeded, count);
        std::map<std::string, std::size_t> runs;
        for (auto& each : members) {
            co_await each.stop();
            for (const auto& [kind, runs_of_kind] : each.runs)
                runs[kind] += runs_of_kind;
        }
        for (const auto& kind : kinds)
            BOOST_TEST(runs[kind] == count / kinds.size());
    });
    BOOST_TEST(server("KEYS", "ql:coworker:kind*").texts().empty());
    BOOST_TEST(server("KEYS", "ql:coworker:handled*").texts().empty());
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(a_job_goes_to_the_handler_of_its_version, managed_worker_test)
{
    std::string told;
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_push("Letter", 3, {.version = 3});
        co_await mail.async_push("Letter", 2, {.version = 2});
        co_await mail.async_push("Letter", 1);
        handlers_by_kind handlers;
        handlers.on("Letter", [&](raw_json job) { told += 'a' + job.text; });
        handlers.on("Letter", [&](raw_json job) { told += 'b' + job.text; }, {.versions = {2, 4}});
        worker subject{redis, observed()};
        subject.handle(mail, std::move(handlers));
        co_await work(subject, 2);
    });
    BOOST_TEST(told == "b2a1");
    BOOST_TEST(events.of(event_kind::unhandled).front().message == "Letter (version 3)");
}

namespace {

/// The job is fetched by workers that die.
void let_crash(managed_worker_test& test, int times)
{
    for (int i = 0; i != times; ++i) {
        const auto name = "coworker:" + std::string(32, 'a');
        test.qless("pop", "mail", name, 1);
        test.qless("recover", "99999999999999", name);
    }
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_job_that_has_taken_three_workers_with_it_is_quarantined, managed_worker_test)
{
    put("a", "Letter", "{}", "retries", "10");
    let_crash(*this, 3);
    run([&]() -> asio::awaitable<void> {
        member one{*this, {"Letter"}};
        const auto told = co_await events.wait_for(event_kind::failed);
        BOOST_TEST(told.message == "quarantined: 3 of its runs have ended with the worker");
        co_await eventually("it has failed", [&] { return state("a") == "failed"; });
        BOOST_TEST(failed("Letter:quarantined") == names{"a"}, boost::test_tools::per_element());
        BOOST_TEST(one.runs.empty());
        co_await mail.async_unfail("Letter:quarantined");
        co_await events.wait_for(event_kind::succeeded);
        co_await one.stop();
    });
}

BOOST_FIXTURE_TEST_CASE(one_that_has_taken_fewer_with_it_runs_again, managed_worker_test)
{
    put("a", "Letter", "{}", "retries", "10");
    let_crash(*this, 2);
    unsigned attempt = 0;
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(mail, [&](raw_json, job_context& context) { attempt = context.attempt(); });
        co_await work(subject, 1);
    });
    BOOST_TEST(attempt == 3u); // qless counts lost runs as attempts
    BOOST_TEST(state("a") == "complete");
}

BOOST_FIXTURE_TEST_CASE(nothing_is_quarantined_where_that_is_switched_off, managed_worker_test)
{
    put("a", "Letter", "{}", "retries", "10");
    let_crash(*this, 5);
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(mail, [](raw_json) {}, {.max_crashes = 0});
        co_await work(subject, 1);
    });
    BOOST_TEST(state("a") == "complete");
}

BOOST_AUTO_TEST_CASE(versions_begin_with_one)
{
    handlers_by_kind handlers;
    BOOST_CHECK_THROW(handlers.on("Letter", [](raw_json) {}, {.versions = {0}}), system_error);
}

BOOST_AUTO_TEST_SUITE_END()
