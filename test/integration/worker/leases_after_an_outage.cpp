// SPDX-License-Identifier: MIT
#include "support/redis_test.hpp"

#include "coworker/list_queue.hpp"
#include "coworker/worker.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(leases_after_an_outage)

namespace {

struct durable : redis_test
{
    durable() : redis_test{{.append_only = true}} {}
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_job_taken_by_a_call_that_waited_for_the_connection_is_held_from_then_on, durable)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), observed_options()};
        list_queue<int> queue{redis, "q"};
        const std::vector<int> two{1, 2};
        co_await queue.async_push_many(two);
        worker only{redis, {.concurrency = 1, .observers = {events.observe()}}};
        handle_options briefly;
        briefly.lease = 4s;
        only.handle(
            queue,
            [&](int job) -> asio::awaitable<void> {
                if (job == 1) {
                    server.kill(); // so that the next take waits
                    co_await events.wait_for(event_kind::disconnected);
                } else {
                    co_await let_pass(700ms);
                    only.stop();
                }
            },
            briefly);
        background running{io.get_executor(), only.async_run(asio::use_awaitable)};
        co_await events.wait_for(event_kind::succeeded);
        co_await let_pass(briefly.lease);
        server.restart();
        co_await running.join();
        BOOST_TEST(events.count(event_kind::lease_lost) == 0U);
        BOOST_TEST(events.count(event_kind::succeeded) == 2U);
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
