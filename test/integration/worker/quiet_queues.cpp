// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include "coworker/managed_queue.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <set>

using namespace coworker;
using namespace coworker::test;

/// A worker of several queues, or of a queue in several parts, that is told to fetch no more jobs. What holds for one queue
/// is in conformance.quiet_workers.
BOOST_AUTO_TEST_SUITE(quiet_queues)

namespace {

/// Handlers that wait for the gate, and what they were called with.
struct quiet_test : client_test
{
    asio::steady_timer gate{io, asio::steady_timer::time_point::max()};
    bool is_open = false;
    std::multiset<int> begun;

    auto hold()
    {
        return [this](int number) -> asio::awaitable<void> {
            begun.insert(number);
            error_code ignored;
            if (!is_open)
                co_await gate.async_wait(asio::redirect_error(asio::use_awaitable, ignored));
        };
    }
    void open_gate()
    {
        is_open = true;
        gate.cancel();
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(none_of_several_queues_is_fetched_from, quiet_test)
{
    list_queue<int> others{redis, "others"};
    managed_queue mail{redis, "mail"};
    run([&]() -> asio::awaitable<void> {
        const auto handle_all = [&](worker& by, auto handler) {
            by.handle(numbers, handler, {.concurrency = 1});
            by.handle(others, handler, {.concurrency = 1});
            handlers_by_kind handlers;
            handlers.on<int>("Letter", handler);
            by.handle(mail, std::move(handlers), {.concurrency = 1});
        };
        const auto push_to_all = [&](int number) -> asio::awaitable<void> {
            co_await numbers.async_push(number);
            co_await others.async_push(number + 1);
            co_await mail.async_push("Letter", number + 2);
        };
        co_await push_to_all(1);
        co_await push_to_all(10);
        worker subject{redis, observed()};
        handle_all(subject, hold());
        auto running = start(subject);
        co_await events.wait_for(event_kind::started, 3);
        subject.stop_fetching();
        co_await push_to_all(20);
        open_gate();
        co_await events.wait_for(event_kind::succeeded, 3);
        BOOST_TEST(subject.running() == 0u);

        std::set<int> rest;
        worker next{redis, observed()};
        handle_all(next, [&](int number) { rest.insert(number); });
        auto others_run = start(next);
        co_await events.wait_for(event_kind::succeeded, 9);
        BOOST_TEST((begun == std::multiset<int>{1, 2, 3}));
        BOOST_TEST((rest == std::set<int>{10, 11, 12, 20, 21, 22}));
        BOOST_TEST(!running.has_ended());
        co_await stop(next, others_run);
        co_await stop(subject, running);
    });
}

BOOST_FIXTURE_TEST_CASE(nor_is_any_part_of_a_divided_queue, quiet_test)
{
    const list_queue_options four{.partitions = 4};
    list_queue<int> divided{redis, "divided", four};
    run([&]() -> asio::awaitable<void> {
        std::vector<int> many;
        for (int i = 0; i != 40; ++i)
            many.push_back(i);
        co_await divided.async_push_many(many);
        worker subject{redis, observed({.concurrency = 4})};
        subject.handle(divided, hold());
        auto running = start(subject);
        co_await events.wait_for(event_kind::started, 4);
        subject.stop_fetching();
        co_await divided.async_push_many(many);
        const list_queue_options five{.partitions = 5};
        list_queue<int> divided_more{redis, "divided", five};
        co_await divided_more.async_push_many(many); // some of it goes to a part that is new
        open_gate();
        co_await events.wait_for(event_kind::succeeded, 4);

        std::size_t ran = 0;
        worker next{redis, observed()};
        next.handle(divided_more, [&](int) { ++ran; });
        auto others_run = start(next);
        co_await events.wait_for(event_kind::succeeded, 120);
        BOOST_TEST(begun.size() == 4u);
        BOOST_TEST(ran == 116u);
        BOOST_TEST(subject.running() == 0u);
        co_await stop(next, others_run);
        co_await stop(subject, running);
        const auto sizes = co_await divided_more.async_sizes();
        BOOST_TEST(sizes.running == 0u);
        BOOST_TEST(sizes.waiting == 0u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
