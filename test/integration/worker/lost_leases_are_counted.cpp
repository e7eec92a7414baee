#include "support/redis_test.hpp"

#include "coworker/list_queue.hpp"
#include "coworker/metrics.hpp"
#include "coworker/worker.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(lost_leases_are_counted)

BOOST_FIXTURE_TEST_CASE(a_handler_that_lost_its_lease_is_not_running_any_more, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), options()};
        list_queue<int> queue{redis, "q"};
        co_await queue.async_push(1);
        event_counters counters;
        worker loser{redis, {.observers = {counters.observe(), events.observe()}}};
        handle_options briefly;
        briefly.lease = 300ms;
        loser.handle(
            queue,
            [&](int) -> asio::awaitable<void> {
                const auto job = server("HKEYS", "hworker-progress-q").texts().at(0);
                server("HSET", "hworker-progress-q", job, R"("2999-01-01T00:00:00.000000000099Z")");
                asio::steady_timer forever{co_await asio::this_coro::executor,
                                           std::chrono::steady_clock::time_point::max()};
                try {
                    co_await forever.async_wait(asio::use_awaitable);
                } catch (const system_error&) {
                    loser.stop();
                    throw;
                }
            },
            briefly);
        co_await loser.async_run();
        BOOST_TEST(events.count(event_kind::lease_lost) == 1U);
        BOOST_TEST(counters[event_kind::started] == 1U);
        BOOST_TEST(counters.running() == 0U);
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
