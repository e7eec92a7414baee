// SPDX-License-Identifier: MIT
#include "fault_test.hpp"

#include "coworker/list_queue.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <vector>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Redis is killed, cuts connections and forgets scripts while producers push and workers work.
BOOST_AUTO_TEST_SUITE(redis_restarted)

namespace {

constexpr std::size_t runs_between = is_sanitized ? 100 : 400;

struct restart_test : fault_test
{
    std::vector<std::string> acknowledged_pushes;
    std::size_t unknown_pushes = 0;
    bool enough = false;

    restart_test() : fault_test{{.append_only = true}} {}

    /// Pushes numbers one after the other until there are enough, each once, and remembers those of which
    /// Redis has said that it has them.
    asio::awaitable<void> produce()
    {
        client redis{io.get_executor(), observed_options()};
        list_queue<int> queue{redis, "q"};
        for (int number = 0; !enough; number += 10) {
            std::vector<int> jobs;
            for (int i = 0; i != 10; ++i)
                jobs.push_back(number + i);
            if (co_await is_pushed(queue, jobs))
                for (const int job : jobs)
                    acknowledged_pushes.push_back(std::to_string(job));
            else
                ++unknown_pushes;
            co_await eventually("there is room", [&] { return enough || is_room(); });
        }
        co_await redis.async_stop();
    }

    static asio::awaitable<bool> is_pushed(list_queue<int>& queue, std::vector<int> jobs)
    {
        try {
            co_await queue.async_push_many(jobs);
            co_return true;
        } catch (const system_error&) {
            co_return false;
        }
    }

    /// Not too far ahead of the workers.
    bool is_room() { return acknowledged_pushes.size() < record.refresh().jobs() + 1'000; }

    /// Disturbs two workers and a producer several times.
    void disturb(int times, const std::function<void()>& disturbance)
    {
        run_coroutine(io, under_load(times, disturbance), 5 * patience);
    }

    asio::awaitable<void> under_load(int times, std::function<void()> disturbance)
    {
        const auto workers = start_workers(2);
        background producer{io.get_executor(), produce()};
        for (int i = 0; i != times; ++i) {
            const auto until = record.refresh().runs() + random_between(1, runs_between);
            co_await eventually("work goes on", [&] { return record.refresh().runs() >= until; });
            disturbance();
        }
        const auto until = record.refresh().runs() + runs_between;
        co_await eventually("work goes on", [&] { return record.refresh().runs() >= until; });
        enough = true;
        co_await producer.join();
        co_await eventually("all has run", [&] {
            record.refresh();
            return std::all_of(acknowledged_pushes.begin(), acknowledged_pushes.end(),
                               [&](const auto& job) { return record.runs_of(job) != 0; });
        });
        co_await eventually("nothing is left", [&] { return is_idle(); });
        report();
    }

    void report()
    {
        BOOST_TEST_MESSAGE(acknowledged_pushes.size()
                           << " pushes acknowledged, " << unknown_pushes << " of ten unknown, "
                           << events.count(event_kind::reconnected) << " reconnections of the producer");
        // What was pushed without an answer has either run or was never there.
        check_all_done(record.jobs());
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_killed_and_restarted_server_loses_nothing_it_acknowledged, restart_test)
{
    disturb(4, [&] { server.restart(); });
}

BOOST_FIXTURE_TEST_CASE(cut_connections_lose_nothing, restart_test)
{
    disturb(10, [&] {
        server("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
        server("CLIENT", "KILL", "TYPE", "pubsub");
    });
}

BOOST_FIXTURE_TEST_CASE(forgotten_scripts_are_loaded_again, restart_test)
{
    disturb(20, [&] { server("SCRIPT", "FLUSH"); });
    BOOST_TEST(unknown_pushes == 0U);
    BOOST_TEST(events.count(event_kind::disconnected) == 0U);
    BOOST_TEST(record.repeated() == 0U);
}

BOOST_AUTO_TEST_SUITE_END()
