// SPDX-License-Identifier: MIT
#include "support/expect.hpp"
#include "support/managed_worker_test.hpp"

#include "coworker/managed_client.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <map>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Queues, limits, groups and order keys that are held for a time.
BOOST_AUTO_TEST_SUITE(managed_holds)

namespace {

using steady = std::chrono::steady_clock;

struct holds_test : managed_worker_test
{
    managed_client jobs{redis};

    /// Waits until so many jobs have succeeded.
    asio::awaitable<void> succeeded(std::size_t count)
    {
        co_await events.wait_until(std::to_string(count) + " jobs to succeed", [=](const event_log& log) {
            return log.count(event_kind::succeeded) >= count;
        });
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_hold_wakes_waiting_workers_when_it_ends, holds_test)
{
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        std::vector<steady::time_point> ran;
        subject.handle(mail, [&](raw_json) { ran.push_back(steady::now()); });
        auto running = start(subject);
        for (const auto kind : {hold_kind::queue, hold_kind::limit, hold_kind::order_key, hold_kind::group}) {
            const hold_target what{.kind = kind,
                                   .name = kind == hold_kind::queue ? "mail" : "x",
                                   .queue = kind == hold_kind::group ? "mail" : ""};
            ran.clear();
            const auto begin = steady::now();
            co_await jobs.async_hold(what, 700ms);
            co_await mail.async_push("k", raw_json{"{}"}, {.limits = "x", .order_key = "x", .group = "x"});
            co_await eventually("the job to run", [&] { return !ran.empty(); });
            BOOST_TEST((ran.front() - begin >= 690ms), to_string(kind));
            BOOST_TEST((co_await jobs.async_held_for(what)).count() == 0);
        }
        co_await stop(subject, running);
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(a_hold_that_is_ended_wakes_waiting_workers, holds_test)
{
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        std::size_t ran = 0;
        subject.handle(mail, [&](raw_json) { ++ran; });
        auto running = start(subject);
        std::size_t count = 0;
        for (const auto kind : {hold_kind::queue, hold_kind::limit, hold_kind::order_key, hold_kind::group}) {
            const hold_target what{.kind = kind,
                                   .name = kind == hold_kind::queue ? "mail" : "x",
                                   .queue = kind == hold_kind::group ? "mail" : ""};
            co_await jobs.async_hold(what, 1h);
            co_await mail.async_push("k", raw_json{"{}"}, {.limits = "x", .order_key = "x", .group = "x"});
            co_await mail.async_push("k", raw_json{"{}"}, {.delay = 1ms});
            if (kind != hold_kind::queue)
                co_await succeeded(++count);
            const auto left = co_await jobs.async_held_for(what);
            BOOST_TEST((left > 59min && left <= 1h));
            co_await jobs.async_hold(what, 0ms);
            count += kind == hold_kind::queue ? 2 : 1;
            co_await succeeded(count);
        }
        co_await stop(subject, running);
        BOOST_TEST(ran == 8u);
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(a_job_that_is_given_back_holds_and_loses_no_attempt, holds_test)
{
    std::map<std::string, std::vector<steady::time_point>> runs;
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_push("k", raw_json{"{}"}, {.jid = "a", .retries = 0, .limits = "api"});
        co_await mail.async_push("k", raw_json{"{}"}, {.jid = "b", .limits = "api"});
        co_await mail.async_push("k", raw_json{"{}"}, {.jid = "other"});
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(mail, [&](raw_json, job_context& context) -> asio::awaitable<outcome> {
            const std::string id{context.id()};
            runs[id].push_back(steady::now());
            if (id == "a" && runs[id].size() <= 2)
                co_return release_and_hold({.kind = hold_kind::limit, .name = "api"}, 300ms);
            co_return success();
        });
        co_await work(subject, 3);
    });
    BOOST_TEST_REQUIRE(runs["a"].size() == 3u);
    BOOST_TEST((runs["a"][1] - runs["a"][0] >= 290ms));
    BOOST_TEST((runs["a"][2] - runs["a"][1] >= 290ms));
    BOOST_TEST((runs["b"].front() > runs["a"].back()), "it comes behind the one that was given back");
    BOOST_TEST((runs["other"].front() < runs["a"][1]));
    BOOST_TEST(state("a") == "complete");
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_held_is_refused, holds_test)
{
    run([&]() -> asio::awaitable<void> {
        for (const hold_target& what :
             {hold_target{.kind = hold_kind::limit, .name = "order:a"}, hold_target{.name = ""},
              hold_target{.kind = hold_kind::group, .name = "g"},
              hold_target{.kind = hold_kind::order_key}}) {
            const auto why = co_await error_of([&] { return jobs.async_hold(what, 1s); });
            BOOST_TEST(why.code.has_value());
        }
        const hold_target queue{.name = "mail"};
        BOOST_TEST(co_await error_of([&] { return jobs.async_hold(queue, 401 * 24h); }) ==
                   errc::invalid_option);
        co_await numbers.async_push(1);
        worker subject{redis, observed()};
        subject.handle(numbers, [](int) { return release_and_hold({}, 1s); });
        co_await work(subject, 1);
        BOOST_TEST(events.count(event_kind::failed) == 1u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
