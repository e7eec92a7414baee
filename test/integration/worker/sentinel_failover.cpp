// SPDX-License-Identifier: MIT
#include "job_account.hpp"
#include "sentinel_test.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <set>

/// A primary that Sentinels watch over is replaced by a replica, under load.
BOOST_AUTO_TEST_SUITE(sentinel_failover)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

struct failover_by_sentinels : sentinel_test
{
    job_account book;
    int next = 0;

    asio::awaitable<void> push(list_queue<int> queue) { return book.push(std::move(queue), next++); }

    /// Works and pushes while the primary is replaced as `replace` has it, and for some time after.
    void account_for(std::function<void()> replace, std::function<bool(const client&)> has_settled)
    {
        const auto whole = [&]() -> asio::awaitable<void> {
            client redis{io.get_executor(), how_to_connect()};
            list_queue<int> queue{redis, "numbers"};
            worker_options options;
            options.observers = {events.observe()};
            worker subject{redis, options};
            bool may_end = false;
            std::set<int> held;
            subject.handle(queue, [&](int number) -> asio::awaitable<void> {
                book.start(number);
                if (number < 5) { // these run all the time
                    held.insert(number);
                    while (!may_end)
                        co_await let_pass(5ms);
                }
            });
            background working{io.get_executor(), subject.async_run()};
            while (next != 300)
                co_await push(queue);
            co_await eventually("five jobs are held", [&] { return held.size() == 5; });
            auto& first = servers.first().raw();
            first("SET", "after all", 1); // what WAIT waits for
            BOOST_TEST(first("WAIT", 2, 10'000).integer == 2);
            const int replicated = next;
            book.longest_pause = {};
            servers.count_as_down_after(1s);
            replace();
            const auto begun = std::chrono::steady_clock::now();
            bool is_over = false;
            while (!is_over) {
                BOOST_REQUIRE((std::chrono::steady_clock::now() - begun < 4 * patience));
                co_await push(queue);
                is_over = servers.has_failed_over() && book.acknowledged.contains(next - 1);
            }
            while (!has_settled(redis)) {
                BOOST_REQUIRE((std::chrono::steady_clock::now() - begun < 4 * patience));
                co_await push(queue);
                co_await let_pass(5ms);
            }
            servers.count_as_down_after(10s);
            const int taken_over = next;
            while (next != taken_over + 100)
                co_await push(queue);
            may_end = true;
            co_await eventually("all that must be there has run", [&] {
                return book.missing(0, replicated).empty() && book.missing(taken_over, next).empty();
            });
            co_await eventually("nothing is in progress", [&] {
                return servers.primary()("HLEN", "hworker-progress-numbers").integer == 0;
            });
            for (int number = 0; number != 5; ++number)
                BOOST_TEST(book.runs[number] == 1); // their leases held
            BOOST_TEST(events.count(event_kind::recovered) == 0u);
            BOOST_TEST(servers.primary()("HLEN", "hworker-workers-numbers").integer == 1);
            subject.stop();
            co_await working.join();
            co_await redis.async_stop();
            const std::chrono::duration<double> pause = book.longest_pause;
            BOOST_TEST_MESSAGE("next job after " << pause.count() << " s; accepted and lost "
                                                 << book.missing(0, next).size() << ", ran again "
                                                 << book.ran_again());
        };
        run_coroutine(io, whole(), 3 * patience);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(accounts_for_each_job_when_the_primary_is_killed, failover_by_sentinels)
{
    account_for([&] { servers.first().kill(); }, [](const client&) { return true; });
}

BOOST_FIXTURE_TEST_CASE(accounts_for_each_job_when_the_primary_is_frozen, failover_by_sentinels)
{
    account_for([&] { servers.first().freeze(); },
                [&](const client& redis) {
                    servers.first().thaw();
                    return servers.first_is_replica_without(redis.client_name());
                });
}

BOOST_FIXTURE_TEST_CASE(accounts_for_each_job_when_it_is_replaced_by_command, failover_by_sentinels)
{
    account_for(
        [&] {
            servers.ask(0, {"SENTINEL", "FAILOVER", "jobs"});
        },
        [&](const client& redis) { return servers.first_is_replica_without(redis.client_name()); });
}

BOOST_AUTO_TEST_SUITE_END()
