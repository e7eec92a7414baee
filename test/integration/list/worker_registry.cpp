// SPDX-License-Identifier: MIT
#include "support/redis_test.hpp"

#include "coworker/list_queue.hpp"
#include "coworker/worker.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;

BOOST_AUTO_TEST_SUITE(worker_registry)

BOOST_FIXTURE_TEST_CASE(a_worker_has_one_number_and_gives_it_back, redis_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), options()};
        list_queue<int> numbers{redis, "numbers"};
        co_await numbers.async_push(1);
        worker one{redis};
        std::int64_t registered = 0;
        one.handle(numbers, [&](int) {
            registered = server.raw().integer({"HLEN", "hworker-workers-numbers"});
            one.stop();
        });
        co_await one.async_run();
        BOOST_TEST(registered == 1);
        BOOST_TEST(server.raw().integer({"EXISTS", "hworker-workers-numbers"}) == 0);
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
