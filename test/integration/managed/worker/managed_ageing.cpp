// SPDX-License-Identifier: MIT
#include "support/expect.hpp"
#include "support/managed_worker_test.hpp"

#include "coworker/inspector.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Queues whose jobs gain priority while they wait.
BOOST_AUTO_TEST_SUITE(managed_ageing)

namespace {

struct ageing_test : managed_worker_test
{
    managed_client jobs{redis};
    std::vector<std::string> order;

    asio::awaitable<void> work_off(std::size_t count)
    {
        worker subject{redis, observed({.concurrency = 1})};
        subject.handle(mail, [&](raw_json, job_context& context) { order.emplace_back(context.id()); });
        co_await work(subject, count);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(an_old_job_is_fetched_before_new_ones_of_larger_priority, ageing_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_set_ageing(1ms);
        BOOST_TEST(((co_await mail.async_settings()).ageing == 1ms));
        co_await mail.async_push("k", raw_json{"{}"}, {.jid = "old"});
        const inspector looking{redis};
        for (bool has_waited = false; !has_waited;) {
            const auto seen = co_await looking.async_queue(queue_ref::managed("mail"));
            has_waited = seen.value().latency >= 20ms;
        }
        co_await mail.async_push("k", raw_json{"{}"}, {.jid = "bill", .priority = 9});
        co_await mail.async_push("k", raw_json{"{}"}, {.jid = "alarm", .priority = 1e7});
        co_await work_off(3);
    });
    BOOST_TEST((order == std::vector<std::string>{"alarm", "old", "bill"}));
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(it_is_set_while_producers_push_and_workers_fetch, ageing_test)
{
    constexpr int each = 60;
    run([&]() -> asio::awaitable<void> {
        co_await jobs.async_set_limit("narrow", {.max_running = 1});
        const auto produce = [&]() -> asio::awaitable<void> {
            for (int i = 0; i != each; ++i) {
                managed_push_options options;
                options.priority = i % 3;
                if (i % 4 == 0)
                    options.limits = "narrow";
                if (i % 5 == 0)
                    options.order_key = "line";
                co_await mail.async_push("k", raw_json{"{}"}, std::move(options));
            }
        };
        const auto set = [&]() -> asio::awaitable<void> {
            for (int i = 0; i != each; ++i)
                co_await mail.async_set_ageing(i % 2 * 1ms);
        };
        background first{io.get_executor(), produce()};
        background second{io.get_executor(), produce()};
        background third{io.get_executor(), set()};
        co_await work_off(2 * each);
        co_await first.join();
        co_await second.join();
        co_await third.join();
    });
    std::ranges::sort(order);
    BOOST_TEST((std::ranges::adjacent_find(order) == order.end()), "a job ran twice");
    BOOST_TEST(order.size() == 120u);
    BOOST_TEST(broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
