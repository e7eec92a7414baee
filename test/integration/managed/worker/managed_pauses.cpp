// SPDX-License-Identifier: MIT
#include "support/managed_worker_test.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>
#include <map>
#include <set>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Pauses that stop the countdown of delayed jobs, too.
BOOST_AUTO_TEST_SUITE(managed_pauses)

namespace {

using steady = std::chrono::steady_clock;

struct pauses_test : managed_worker_test
{
    /// Jid and due time of the delayed jobs.
    std::map<std::string, double> due()
    {
        const auto stored = server("ZRANGE", "ql:q:mail-scheduled", 0, -1, "WITHSCORES").texts();
        std::map<std::string, double> times;
        for (std::size_t i = 0; i != stored.size(); i += 2)
            times[stored[i]] = std::stod(stored[i + 1]);
        return times;
    }

    bool is_counting() { return server.has_none("ql:coworker:countdowns"); }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_delayed_job_waits_for_what_was_left_of_its_delay, pauses_test)
{
    std::optional<steady::time_point> ran;
    steady::time_point paused, resumed;
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(mail, [&](raw_json) { ran = steady::now(); });
        auto running = start(subject);
        co_await mail.async_push("k", raw_json{"{}"}, {.delay = 400ms});
        const auto pushed = steady::now();
        co_await mail.async_pause_delays();
        paused = steady::now();
        co_await eventually("the delay to be over", [&] { return steady::now() - pushed > 500ms; });
        BOOST_TEST(!ran);
        resumed = steady::now();
        co_await mail.async_resume();
        co_await eventually("the job to run", [&] { return ran.has_value(); });
        BOOST_TEST((*ran - resumed >= 390ms - (paused - pushed)));
        co_await stop(subject, running);
    });
    BOOST_TEST(is_counting());
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(workers_go_on_where_a_caller_died, pauses_test)
{
    constexpr std::size_t count = 1200;
    run([&]() -> asio::awaitable<void> {
        std::vector<new_managed_job> jobs(count, {.kind = "k", .options = {.delay = 1h}});
        co_await mail.async_push_many(jobs);
        co_await mail.async_push("k", raw_json{"{}"}, {.jid = "soon", .delay = 50ms});
        co_await mail.async_pause_delays();
        auto before = due();
        co_await eventually("the job to be due", [&] {
            return std::stod(server("TIME").texts().front()) > before.at("soon") + 1;
        });
        qless("unpause", "mail"); // a part of what resuming does
        BOOST_TEST(!is_counting());
        worker subject{redis, observed()};
        subject.handle(mail, [](raw_json) {});
        co_await work(subject, 1);
        before.erase("soon");
        std::set<long long> shifts;
        for (const auto& [jid, time] : due())
            shifts.insert(std::llround((time - before.at(jid)) * 1000));
        BOOST_TEST(due().size() == count);
        BOOST_TEST((*shifts.begin() >= 1000));
        BOOST_TEST((*shifts.rbegin() - *shifts.begin() <= 1), "each is due later by the same time");
    });
    BOOST_TEST(is_counting());
    BOOST_TEST(broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
