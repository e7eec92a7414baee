// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/side_by_side.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <list>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Redis refuses the calls for one queue of a worker, and not those for the others.
BOOST_AUTO_TEST_SUITE(refused_queues)

namespace {

struct refused_test : client_test
{
    list_queue<int> others{redis, "others"};

    std::size_t succeeded(std::string_view queue) const
    {
        std::size_t count = 0;
        for (const auto& event : events.of(event_kind::succeeded))
            count += event.queue == queue;
        return count;
    }

    asio::awaitable<void> refuse_one(queue_order order)
    {
        for (int i = 0; i != 10; ++i)
            co_await numbers.async_push(i);
        worker subject{redis, observed({.concurrency = 2, .order = order})};
        // From the first job on, the first queue refuses to hand out others.
        subject.handle(numbers, [this](int) {
            if (succeeded("numbers") == 0)
                server("SET", "hworker-scheduled-numbers", "something else");
        });
        subject.handle(others, [](int) {});
        auto running = start(subject);
        co_await events.wait_for(event_kind::ack_failed);
        std::vector<int> jobs(400);
        co_await others.async_push_many(jobs);
        co_await events.wait_until("the other queue to be empty",
                                   [&](const event_log&) { return succeeded("others") == jobs.size(); });
        co_await eventually("its outcomes are stored", [&] {
            return server("HGET", "hworker-counters-others", "success").text == "400";
        });
        BOOST_TEST(succeeded("numbers") < 10u);
        // And the refused one, when there is nothing to refuse any more.
        server("DEL", "hworker-scheduled-numbers");
        co_await events.wait_until("the first queue to be empty",
                                   [&](const event_log&) { return succeeded("numbers") == 10; });
        co_await stop(subject, running);
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 10u);
        BOOST_TEST(events.count(event_kind::started) == 410u);
        co_await redis.async_stop();
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(the_others_go_on_at_full_speed)
{
    std::list<refused_test> tests;
    side_by_side all;
    for (const auto order : {queue_order::strict, queue_order::round_robin, queue_order::weighted}) {
        auto& each = tests.emplace_back();
        all.add("order " + std::to_string(static_cast<int>(order)), each.io, each.refuse_one(order));
    }
    all.run();
}

BOOST_FIXTURE_TEST_CASE(a_worker_that_stops_waits_no_longer_than_for_an_answer, redis_test)
{
    auto impatient = options();
    impatient.command_timeout = 2s;
    run([&]() -> asio::awaitable<void> {
        client redis{io.get_executor(), impatient};
        list_queue<int> numbers{redis, "numbers"}, others{redis, "others"};
        co_await numbers.async_push(1);
        worker subject{redis, {.observers = {events.observe()}}};
        subject.handle(numbers, [&](int) { server("SET", "hworker-progress-numbers", "something else"); });
        subject.handle(others, [](int) {});
        background running{io.get_executor(), subject.async_run(asio::use_awaitable)};
        co_await events.wait_for(event_kind::ack_failed);
        co_await others.async_push(1);
        co_await events.wait_for(event_kind::succeeded, 2);
        subject.stop();
        co_await running.join();
        BOOST_TEST((co_await others.async_sizes()).total_succeeded == 1u);
        BOOST_TEST(events.count(event_kind::stopped) == 1u);
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
