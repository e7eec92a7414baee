// SPDX-License-Identifier: MIT
#include "integration/managed/client/managed_test.hpp"

#include "coworker/managed_details.hpp"
#include "coworker/monitor.hpp"
#include "coworker/schedules.hpp"
#include "coworker/worker.hpp"

#include <boost/test/unit_test.hpp>

#include <list>
#include <optional>
#include <set>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Schedules as users see them, and workers and monitors that carry them out.
BOOST_AUTO_TEST_SUITE(managed_schedules)

namespace {

/// A monitor with a client of its own.
struct keeper
{
    client redis;
    managed_queue mail;
    monitor subject;
    std::optional<background> running;

    keeper(redis_test& test, client_options options)
        : redis{test.io.get_executor(), std::move(options)}, mail{redis, "mail"}, subject{redis}
    {
        subject.watch(mail);
        running.emplace(test.io.get_executor(), subject.async_run());
    }

    asio::awaitable<void> stop()
    {
        subject.stop();
        co_await running->join();
        co_await redis.async_stop();
    }
};

struct schedule_test : managed_test
{
    schedules times{redis};

    std::string field(const std::string& name, const std::string& which)
    {
        return server("HGET", "ql:coworker:schedule:" + name, which).text;
    }

    std::int64_t this_second() { return std::stoll(server("TIME").texts()[0]); }

    /// Lets a schedule be due since a time.
    void be_due(const std::string& name, std::int64_t when)
    {
        server("ZADD", "ql:coworker:schedules", when, name);
    }

    /// The times for which a schedule has put jobs, in order.
    std::vector<std::int64_t> times_put(const std::string& name)
    {
        std::set<std::int64_t> found;
        for (const auto& jid : server("ZRANGE", "ql:q:mail-work", 0, -1).texts())
            if (jid.starts_with(name + '@'))
                found.insert(std::stoll(jid.substr(name.size() + 1)));
        return {found.begin(), found.end()};
    }

    std::int64_t waiting() { return server("ZCARD", "ql:q:mail-work").integer; }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_schedule_is_set_shown_and_removed, schedule_test)
{
    run([&]() -> asio::awaitable<void> {
        const schedule nightly{.cron = "30 2 * * *", .zone = "Europe/Berlin", .missed = missed_runs::all};
        const managed_push_options urgent{.priority = 7, .retries = 2u, .tags = {"red"}};
        const auto set = [&] {
            return times.async_set("nightly", nightly, "mail", "Report", nothing, urgent);
        };
        BOOST_TEST(co_await set());
        BOOST_TEST(!co_await set()); // as at each start of a program
        co_await times.async_set("often", {.every = 1h}, "mail", "Ping", nothing);
        const auto all = co_await times.async_list();
        BOOST_TEST_REQUIRE(all.size() == 2u);
        BOOST_TEST((all[0].next.front() <= all[1].next.front()));

        const auto found = (co_await times.async_get("nightly")).value();
        BOOST_TEST(found.name == "nightly");
        BOOST_TEST(found.when.cron == "30 2 * * *");
        BOOST_TEST(found.when.zone == "Europe/Berlin");
        BOOST_TEST((found.when.missed == missed_runs::all));
        BOOST_TEST(found.queue == "mail");
        BOOST_TEST(found.kind == "Report");
        BOOST_TEST(found.data == "{}");
        BOOST_TEST(!found.paused);
        BOOST_TEST(found.runs == 0u);
        BOOST_TEST(!found.last);
        BOOST_TEST(found.problem == "");
        BOOST_TEST(found.next.size() == 10u);
        BOOST_TEST((found.next == next_times(nightly, found.next.front() - 1h, 10)));

        BOOST_TEST((co_await times.async_remove("nightly")).has_value());
        BOOST_TEST((co_await times.async_remove("nightly")).error() == errc::schedule_not_found);
        BOOST_TEST((co_await times.async_get("nightly")).error() == errc::schedule_not_found);
        BOOST_TEST((co_await times.async_pause("nightly")).error() == errc::schedule_not_found);
        BOOST_TEST((co_await times.async_resume("nightly")).error() == errc::schedule_not_found);
        BOOST_TEST((co_await times.async_run_now("nightly")).error() == errc::schedule_not_found);
        co_await times.async_remove("often");
    });
    BOOST_TEST(number_of_keys() == 0);
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_a_schedule_is_refused_before_anything_is_sent, schedule_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto why = [&](std::string name, schedule when,
                             managed_push_options how = {}) -> asio::awaitable<std::string> {
            try {
                co_await times.async_set(name, when, "mail", "k", nothing, how);
            } catch (const system_error& error) {
                BOOST_TEST(error.code() == errc::invalid_option);
                co_return error.what();
            }
            co_return "";
        };
        const auto expect = [&](std::string text, const char* part) {
            BOOST_TEST(text.find(part) != text.npos, text);
        };
        const schedule daily{.cron = "@daily"};
        expect(co_await why("", daily), "the name of a schedule");
        expect(co_await why(std::string(201, 'x'), daily), "the name of a schedule");
        expect(co_await why("s", {.cron = "61 * * * *"}),
               "cron, minute: '61' is out of range; allowed are *, 0 to 59");
        expect(co_await why("s", {.cron = "@daily", .zone = "Mars"}), "zone: there is no time zone 'Mars'");
        expect(co_await why("s", {}), "either a cron line or an interval");
        expect(co_await why("s", daily, {.jid = "a"}), "ids of their own");
        expect(co_await why("s", daily, {.depends = {"a"}}), "ids of their own");
    });
    BOOST_TEST(number_of_keys() == 0);
}

BOOST_FIXTURE_TEST_CASE(a_worker_carries_out_schedules_of_all_queues, schedule_test)
{
    run([&]() -> asio::awaitable<void> {
        worker subject{redis};
        std::vector<std::string> ran, from;
        handlers_by_kind handlers;
        handlers.on<raw_json>("Tick", [&](raw_json, job_context& context) {
            ran.push_back(std::string{context.id()});
            from.push_back(context.details<managed_details>()->spawned_from);
            if (ran.size() == 2)
                subject.stop();
        });
        subject.handle(mail, std::move(handlers));
        background running{io.get_executor(), subject.async_run()};
        // The worker sleeps by now, or is about to.
        co_await times.async_set("elsewhere", {.every = 1s}, "other", "Tick", nothing);
        co_await times.async_set("tick", {.every = 1s}, "mail", "Tick", nothing);
        co_await running.join();
        BOOST_TEST_REQUIRE(ran.size() == 2u);
        BOOST_TEST((from[0] == "tick"));
        const auto first = schedule_time(ran[0]), second = schedule_time(ran[1]);
        BOOST_TEST_REQUIRE((first && second));
        BOOST_TEST((*second - *first >= 1s));
        BOOST_TEST((first->time_since_epoch() % 1s == 0s));
        BOOST_TEST(server("ZCARD", "ql:q:other-work").integer > 0);
    });
    BOOST_TEST(events.total(event_kind::warning) == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_monitor_carries_out_schedules_and_an_earlier_one_wakes_it, schedule_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await times.async_set("yearly", {.cron = "@yearly"}, "mail", "k", nothing);
        keeper one{*this, observed_options()};
        // Redis 7.0 tracks the keys that a script is given, later ones those that it reads.
        const auto keys = server.raw().info("server", "redis_version").starts_with("7.0.") ? 3U : 2U;
        co_await eventually("it sleeps", [&] {
            return std::stoul(server.raw().info("stats", "tracking_total_items")) >= keys;
        });
        const auto due = this_second();
        be_due("yearly", due - 5);
        co_await eventually("it has put the job", [&] { return waiting() == 1; });
        BOOST_TEST((times_put("yearly") == std::vector<std::int64_t>{due - 5}));
        const auto found = (co_await times.async_get("yearly")).value();
        BOOST_TEST(found.runs == 1u);
        BOOST_TEST(found.last_jid == "yearly@" + std::to_string(due - 5));
        BOOST_TEST((found.next.front() == next_times(found.when, found.next.front() - 1s, 1).front()));
        co_await one.stop();
    });
}

BOOST_FIXTURE_TEST_CASE(missed_runs_follow_the_policy, schedule_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto now = this_second(), last = now - 1800; // in the middle between two runs
        schedule hourly{.every = 1h, .anchor = timestamp{std::chrono::seconds{last}}};
        for (const auto missed : {missed_runs::skip, missed_runs::once, missed_runs::all}) {
            hourly.missed = missed;
            const auto name = std::to_string(static_cast<int>(missed));
            co_await times.async_set(name, hourly, "mail", "k", nothing);
            be_due(name, last - 4 * 3600);
        }
        keeper one{*this, observed_options()};
        co_await eventually("all are due later", [&] {
            return server("ZCOUNT", "ql:coworker:schedules", now, "+inf").integer == 3;
        });
        BOOST_TEST(times_put("0").empty());
        BOOST_TEST((times_put("1") == std::vector<std::int64_t>{last}));
        BOOST_TEST((times_put("2") == std::vector<std::int64_t>{last - 4 * 3600, last - 3 * 3600,
                                                                last - 2 * 3600, last - 3600, last}));
        for (const auto* name : {"0", "1", "2"})
            BOOST_TEST(server("ZSCORE", "ql:coworker:schedules", name).text == std::to_string(last + 3600));
        co_await one.stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_paused_schedule_rests_until_it_is_resumed, schedule_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await times.async_set("s", {.every = 1h}, "mail", "k", nothing);
        BOOST_TEST((co_await times.async_pause("s")).has_value());
        const auto paused = (co_await times.async_get("s")).value();
        BOOST_TEST(paused.paused);
        BOOST_TEST(paused.next.empty());
        const auto jid = (co_await times.async_run_now("s")).value();
        BOOST_TEST(stored(jid, "spawned_from_jid") == "s");
        BOOST_TEST((schedule_time(jid).has_value()));
        BOOST_TEST((co_await times.async_resume("s")).has_value());
        const auto resumed = (co_await times.async_get("s")).value();
        BOOST_TEST(!resumed.paused);
        BOOST_TEST(resumed.runs == 1u);
        BOOST_TEST(resumed.last_jid == jid);
        BOOST_TEST(resumed.next.size() == 10u);
        BOOST_TEST((resumed.next.front().time_since_epoch() % 1h == 0s));
    });
}

BOOST_FIXTURE_TEST_CASE(a_pause_drops_no_run_that_was_due_before_it, schedule_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto last = this_second() - 1800;
        const schedule hourly{
            .every = 1h, .anchor = timestamp{std::chrono::seconds{last}}, .missed = missed_runs::all};
        co_await times.async_set("s", hourly, "mail", "k", nothing);
        be_due("s", last - 3 * 3600);
        BOOST_TEST((co_await times.async_pause("s")).has_value());
        BOOST_TEST((co_await times.async_get("s")).value().next.empty());
        keeper one{*this, observed_options()};
        co_await eventually("it rests",
                            [&] { return server("ZSCORE", "ql:coworker:schedules", "s").text == "inf"; });
        BOOST_TEST((times_put("s") ==
                    std::vector<std::int64_t>{last - 3 * 3600, last - 2 * 3600, last - 3600, last}));
        co_await one.stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_schedule_runs_on_when_the_clock_of_redis_was_set_back, schedule_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await times.async_set("s", {.every = 1s}, "mail", "k", nothing);
        // as if its last run had been an hour ahead
        const auto ahead = this_second() + 3600;
        server("HSET", "ql:coworker:schedule:s", "next", ahead + 1, "since", ahead);
        be_due("s", ahead + 1);
        keeper one{*this, observed_options()};
        co_await eventually("it runs", [&] { return waiting() >= 1; });
        BOOST_TEST(times_put("s").front() < ahead - 3000);
        co_await one.stop();
    });
}

BOOST_FIXTURE_TEST_CASE(each_run_takes_place_once_however_many_race_for_it, schedule_test)
{
    run([&]() -> asio::awaitable<void> {
        constexpr std::int64_t missed = 1'000;
        co_await times.async_set("s", {.every = 1s, .missed = missed_runs::all}, "mail", "k", nothing);
        const auto begin = this_second() - missed;
        std::list<keeper> many;
        for (int i = 0; i != 8; ++i)
            many.emplace_back(*this, observed_options());
        be_due("s", begin);
        co_await eventually("what was missed is made up for", [&] { return waiting() >= missed; });
        co_await times.async_pause("s");
        const auto put = times_put("s");
        BOOST_TEST(put.front() == begin);
        BOOST_TEST(put.back() - put.front() + 1 == static_cast<std::int64_t>(put.size()));
        BOOST_TEST(field("s", "runs") == std::to_string(put.size()));
        for (auto& each : many)
            co_await each.stop();
    });
    BOOST_TEST(events.total(event_kind::warning) == 0u);
}

BOOST_FIXTURE_TEST_CASE(a_schedule_ends_with_the_last_job_that_it_may_push, schedule_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto last = this_second() - 1800;
        const schedule hourly{.every = 1h,
                              .anchor = timestamp{std::chrono::seconds{last}},
                              .missed = missed_runs::all,
                              .begin = timestamp{std::chrono::seconds{last - 2 * 3600}},
                              .end = timestamp{std::chrono::seconds{last + 8 * 3600}},
                              .most_runs = 5,
                              .jitter = 2h};
        co_await times.async_set("s", hourly, "mail", "k", nothing);
        auto found = (co_await times.async_get("s")).value();
        BOOST_TEST((found.when.begin == hourly.begin && found.when.end == hourly.end));
        BOOST_TEST(found.when.most_runs == 5u);
        BOOST_TEST((found.when.jitter == hourly.jitter));
        BOOST_TEST(found.next.size() == 5u); // of eight until its end
        be_due("s", last - 2 * 3600);
        keeper one{*this, observed_options()};
        co_await eventually("it has made up for what was missed", [&] { return field("s", "runs") == "3"; });
        found = (co_await times.async_get("s")).value();
        BOOST_TEST(found.next.size() == 2u);
        for (const auto run : {last - 2 * 3600, last - 3600, last}) { // each waits for a share of two hours
            const auto due =
                std::stod(server("ZSCORE", "ql:q:mail-scheduled", "s@" + std::to_string(run)).text);
            BOOST_TEST(due > static_cast<double>(last + 1800));
            BOOST_TEST(due < static_cast<double>(last + 1800 + 2 * 3600 + 60));
        }
        BOOST_TEST((co_await times.async_run_now("s")).has_value());
        BOOST_TEST((co_await times.async_run_now("s")).has_value()); // five by now
        be_due("s", this_second());
        co_await eventually("it has ended",
                            [&] { return server("ZSCORE", "ql:coworker:schedules", "s").text == "inf"; });
        BOOST_TEST(field("s", "runs") == "5");
        BOOST_TEST((co_await times.async_get("s")).value().next.empty());
        co_await one.stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_that_cannot_be_pushed_is_told_of_and_stops_nothing, schedule_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await times.async_set("s", {.every = 1h}, "mail", "k", nothing);
        server("HSET", "ql:coworker:schedule:s", "data", "{x");
        be_due("s", this_second());
        keeper one{*this, observed_options()};
        co_await events.wait_for(event_kind::warning, 1);
        const auto found = (co_await times.async_get("s")).value();
        BOOST_TEST(found.problem.find("Expected object key string") != std::string::npos);
        BOOST_TEST(found.next.size() == 10u);
        BOOST_TEST(found.runs == 0u);
        co_await one.stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_schedule_that_cannot_be_read_is_left_to_others, schedule_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await times.async_set("bad", {.cron = "@daily"}, "mail", "k", nothing);
        server("HSET", "ql:coworker:schedule:bad", "zone", "Mars/Olympus");
        co_await times.async_set("good", {.every = 1h}, "mail", "k", nothing);
        be_due("bad", this_second());
        be_due("good", this_second());
        keeper one{*this, observed_options()};
        co_await eventually("the good one has run", [&] { return waiting() == 1; });
        BOOST_TEST(events.count(event_kind::warning) == 1u);
        BOOST_TEST(times_put("bad").empty());
        const auto found = (co_await times.async_get("bad")).value();
        BOOST_TEST(found.problem.find("zone: there is no time zone") != std::string::npos);
        co_await one.stop();
    });
}

BOOST_FIXTURE_TEST_CASE(many_schedules_that_cannot_be_read_keep_no_other_from_running, schedule_test)
{
    run([&]() -> asio::awaitable<void> {
        for (int i = 0; i != 130; ++i) {
            const auto name = "bad" + std::to_string(i);
            co_await times.async_set(name, {.cron = "@daily"}, "mail", "k", nothing);
            server("HSET", "ql:coworker:schedule:" + name, "zone", "Mars/Olympus");
            be_due(name, this_second() - 60);
        }
        co_await times.async_set("good", {.every = 1h}, "mail", "k", nothing);
        be_due("good", this_second());
        keeper one{*this, observed_options()};
        co_await eventually("the good one has run", [&] { return waiting() == 1; });
        BOOST_TEST(times_put("good").size() == 1u);
        co_await one.stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
