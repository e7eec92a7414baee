#include "support/client_test.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

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
};

} // namespace

BOOST_FIXTURE_TEST_CASE(the_others_go_on_at_full_speed, redis_test)
{
    for (const auto order : {queue_order::strict, queue_order::round_robin, queue_order::weighted}) {
        refused_test each;
        each.run([&]() -> asio::awaitable<void> {
            for (int i = 0; i != 10; ++i)
                co_await each.numbers.async_push(i);
            worker subject{each.redis, each.observed({.concurrency = 2, .order = order})};
            // From the first job on, the first queue refuses to hand out others.
            subject.handle(each.numbers, [&](int) {
                if (each.succeeded("numbers") == 0)
                    each.server("SET", "hworker-scheduled-numbers", "something else");
            });
            subject.handle(each.others, [](int) {});
            auto running = each.start(subject);
            co_await each.events.wait_for(event_kind::ack_failed);
            std::vector<int> jobs(400);
            co_await each.others.async_push_many(jobs);
            co_await each.events.wait_until("the other queue to be empty", [&](const event_log&) {
                return each.succeeded("others") == jobs.size();
            });
            co_await eventually("its outcomes are stored", [&] {
                return each.server("HGET", "hworker-counters-others", "success").text == "400";
            });
            BOOST_TEST(each.succeeded("numbers") < 10u);
            // And the refused one, when there is nothing to refuse any more.
            each.server("DEL", "hworker-scheduled-numbers");
            co_await each.events.wait_until("the first queue to be empty", [&](const event_log&) {
                return each.succeeded("numbers") == 10;
            });
            co_await each.stop(subject, running);
            BOOST_TEST((co_await each.numbers.async_sizes()).total_succeeded == 10u);
            BOOST_TEST(each.events.count(event_kind::started) == 410u);
        });
    }
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
