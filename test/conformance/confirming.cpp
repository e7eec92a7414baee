// SPDX-License-Identifier: MIT
#include "conformance/worker_test.hpp"

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Acknowledgements that are confirmed.
BOOST_AUTO_TEST_SUITE(confirming)

BOOST_AUTO_TEST_CASE(what_was_acknowledged_is_confirmed)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        const auto how = co_await kind.make_durable();
        member one{kind};
        one.source->confirm_as(how);
        co_await one.open();
        co_await one.source->confirm(); // there is nothing
        push_all(kind, numbered(3));
        const auto jobs = co_await one.take(3);
        BOOST_TEST(co_await one.settle(jobs[0], success()));
        co_await one.source->confirm();
        BOOST_TEST(co_await one.settle(jobs[1], failure("no")));
        BOOST_TEST(co_await one.settle(jobs[2], release()));
        co_await one.source->confirm();
        co_await one.source->close();
    });
}

BOOST_AUTO_TEST_CASE(a_worker_tells_of_confirmed_outcomes_before_it_ends)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        handle_options how;
        how.durability = co_await kind.make_durable();
        test_worker one{kind};
        push_all(kind, numbered(300));
        std::size_t run = 0;
        one.start(
            [&](std::string) {
                if (++run == 300)
                    one.subject.stop();
            },
            how);
        co_await one.running().join();
        BOOST_TEST(one.events.count(event_kind::succeeded) == 300u);
        BOOST_TEST(one.events.count(event_kind::unconfirmed) == 0u);
        BOOST_TEST(kind.succeeded() == 300);
        BOOST_TEST(kind.left_of_workers() == "");
    });
}

BOOST_AUTO_TEST_SUITE_END()
