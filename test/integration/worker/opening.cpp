// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/cutting_proxy.hpp"

#include "coworker/managed_queue.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// A worker that begins while Redis falls silent.
BOOST_AUTO_TEST_SUITE(opening)

BOOST_FIXTURE_TEST_CASE(a_server_that_falls_silent_right_after_the_connection_is_waited_for, redis_test)
{
    cutting_proxy proxy{io.get_executor(), server.folder().file("proxy.sock"), server.socket_path()};
    proxy.swallow_answer_to("ql:w:"); // the question whether the worker may listen to its channel
    run([&]() -> asio::awaitable<void> {
        auto impatient = options();
        impatient.url = proxy.url();
        impatient.command_timeout = 100ms;
        client redis{io.get_executor(), impatient};
        managed_queue letters{redis, "letters"};
        worker subject{redis, {.observers = {events.observe()}}};
        subject.handle(letters, [](raw_json) {});
        background running{io.get_executor(), subject.async_run()};
        co_await eventually("nothing is answered any more", [&] { return proxy.is_swallowing(); });
        co_await let_pass(400ms);
        BOOST_TEST(!running.has_ended());
        proxy.cut();
        co_await eventually("the queue is open", [&] { return server("EXISTS", "ql:workers").integer == 1; });
        subject.stop();
        BOOST_TEST(co_await running.join_and_tell() == "");
        co_await redis.async_stop();
        proxy.close();
    });
}

BOOST_AUTO_TEST_SUITE_END()
