// SPDX-License-Identifier: MIT
#include "support/redis_test.hpp"

#include "coworker/gateway.hpp"

#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <future>
#include <optional>

/// Gateways that one thread makes, runs, stops and destroys, while others run the client.
namespace coworker::test {

BOOST_AUTO_TEST_SUITE(gateways_of_other_threads)

BOOST_FIXTURE_TEST_CASE(gateways_come_and_go, redis_test)
{
    asio::thread_pool pool{2};
    client redis{pool, options()};
    for (int round = 0; round != 60; ++round) {
        std::optional<gateway> made{std::in_place, redis, gateway_options{.port = 0}};
        if (round % 3 == 0)
            made->listen();
        auto ended = made->async_run(asio::use_future);
        if (round % 3 == 1)
            made->stop();
        else
            made.reset(); // perhaps before it has begun to run
        ended.wait();
    }
    redis.async_stop(asio::use_future).get();
    pool.join();
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace coworker::test
