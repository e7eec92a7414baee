// SPDX-License-Identifier: MIT
#include "coworker/list_schedules.hpp"

#include "coworker/monitor.hpp"
#include "hworker.hpp"

#include <boost/test/unit_test.hpp>

#include <list>
#include <optional>
#include <set>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Schedules of a list queue, and workers and monitors that carry them out. What all schedules do is tested with those of
/// managed queues.
BOOST_AUTO_TEST_SUITE(schedules_of_lists)

namespace {

struct schedule_test : fleet_test
{
    list_schedules times{numbers};

    std::int64_t this_second() { return std::stoll(server("TIME").texts()[0]); }
    void be_due(const std::string& name, std::int64_t when)
    {
        server("ZADD", "hworker-schedules-numbers", when, name);
    }
    std::int64_t waiting() { return server("LLEN", "hworker-jobs-numbers").integer; }
};

/// A monitor with a client of its own.
struct keeper
{
    client redis;
    list_queue<int> numbers;
    monitor subject;
    std::optional<background> running;

    keeper(redis_test& test, client_options options)
        : redis{test.io.get_executor(), std::move(options)}, numbers{redis, "numbers"}, subject{redis}
    {
        subject.watch(numbers);
        running.emplace(test.io.get_executor(), subject.async_run());
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_schedule_is_set_shown_and_removed, schedule_test)
{
    run([&]() -> asio::awaitable<void> {
        const schedule nightly{.cron = "30 2 * * *", .zone = "Europe/Berlin"};
        BOOST_TEST(co_await times.async_set("nightly", nightly, 7));
        BOOST_TEST(!co_await times.async_set("nightly", nightly, 7));
        const auto all = co_await times.async_list();
        BOOST_TEST_REQUIRE(all.size() == 1u);
        BOOST_TEST(all[0].in_list_queue);
        BOOST_TEST(all[0].queue == "numbers");
        BOOST_TEST(all[0].kind == "");
        BOOST_TEST(all[0].data == "7");
        BOOST_TEST(all[0].next.size() == 10u);
        BOOST_TEST((co_await times.async_pause("nightly")).has_value());
        BOOST_TEST((co_await times.async_get("nightly")).value().next.empty());
        BOOST_TEST((co_await times.async_resume("nightly")).has_value());
        BOOST_TEST((co_await times.async_get("nightly")).value().next.size() == 10u);
        BOOST_TEST((co_await times.async_remove("nightly")).has_value());
        BOOST_TEST((co_await times.async_remove("nightly")).error() == errc::schedule_not_found);
        BOOST_TEST((co_await times.async_run_now("nightly")).error() == errc::schedule_not_found);
    });
    BOOST_TEST(server("EXISTS", "hworker-plans-numbers", "hworker-schedules-numbers").integer == 0);
}

BOOST_FIXTURE_TEST_CASE(a_full_queue_and_one_that_is_paused_get_its_jobs, schedule_test)
{
    run([&]() -> asio::awaitable<void> {
        const list_queue<int> bounded{redis, "numbers", {.max_waiting = 1}};
        const list_schedules kept{bounded};
        co_await bounded.async_pause();
        co_await kept.async_set("s", {.every = 1h}, 7);
        for (int i = 1; i != 3; ++i) {
            BOOST_TEST((co_await kept.async_run_now("s")).has_value());
            BOOST_TEST(waiting() == i);
        }
        co_await bounded.async_destroy();
        BOOST_TEST((co_await times.async_list()).empty());
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_that_may_use_nothing_but_list_queues_carries_them_out, schedule_test)
{
    server("ACL", "SETUSER", "lists", "on", "nopass", "~hworker-*", "&coworker:*", "+@all");
    run([&]() -> asio::awaitable<void> {
        auto options = observed_options();
        options.user = "lists";
        options.password = "any";
        client own{io.get_executor(), std::move(options)};
        list_queue<int> jobs{own, "numbers", {.partitions = 2}};
        worker subject{own};
        std::vector<std::string> ran;
        subject.handle(jobs, [&](int, job_context& context) {
            ran.push_back(std::string{context.id()});
            if (ran.size() == 2)
                subject.stop();
        });
        background running{io.get_executor(), subject.async_run()};
        co_await times.async_set("tick", {.every = 1s}, 7); // the worker sleeps by now, or is about to
        co_await running.join();
        const auto first = schedule_time(ran.at(0)), second = schedule_time(ran.at(1));
        BOOST_TEST_REQUIRE((first && second));
        BOOST_TEST((*second - *first >= 1s));
        BOOST_TEST((first->time_since_epoch() % 1s == 0s));
        co_await own.async_stop();
    });
    BOOST_TEST(events.total(event_kind::warning) == 0u);
}

BOOST_FIXTURE_TEST_CASE(each_run_takes_place_once_however_many_race_for_it_and_die, schedule_test)
{
    run([&]() -> asio::awaitable<void> {
        constexpr std::int64_t missed = 1'000;
        co_await times.async_set("s", {.every = 1s, .missed = missed_runs::all}, 7);
        const auto begin = this_second() - missed;
        std::list<keeper> many;
        for (int i = 0; i != 6; ++i)
            many.emplace_back(*this, observed_options());
        be_due("s", begin);
        co_await eventually("some are made up for", [&] { return waiting() > 0; });
        server("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes"); // whatever they were about to do
        many.front().subject.stop();
        co_await eventually("what was missed is made up for", [&] { return waiting() >= missed; });
        (void)co_await times.async_pause("s");
        std::vector<std::int64_t> pushed;
        for (const auto& payload : server("LRANGE", "hworker-jobs-numbers", 0, -1).texts()) {
            BOOST_TEST_REQUIRE(payload.starts_with("[\"s@"));
            pushed.insert(pushed.begin(), std::stoll(payload.substr(4)));
        }
        BOOST_TEST(pushed.front() == begin);
        for (std::size_t i = 1; i < pushed.size(); ++i)
            BOOST_TEST_REQUIRE(pushed[i] == pushed[i - 1] + 1);
        for (auto& each : many) {
            each.subject.stop();
            co_await each.running->join();
            co_await each.redis.async_stop();
        }
    });
}

BOOST_AUTO_TEST_SUITE_END()
