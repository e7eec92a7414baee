// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include <boost/test/unit_test.hpp>

#include <map>

using namespace coworker;
using namespace coworker::test;

BOOST_AUTO_TEST_SUITE(worker_order)

namespace {

struct order_test : client_test
{
    list_queue<int> a{redis, "A"}, b{redis, "B"}, c{redis, "C"};
    std::string ran; ///< a letter per job

    asio::awaitable<void> fill(list_queue<int>& queue, int count)
    {
        const std::vector<int> jobs(static_cast<std::size_t>(count), 0);
        co_await queue.async_push_many(jobs);
    }

    auto note(char letter)
    {
        return [this, letter](int) { ran += letter; };
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(in_strict_order_the_first_queue_comes_first, order_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fill(a, 3);
        co_await fill(b, 3);
        co_await fill(c, 3);
        worker subject{redis, observed({.concurrency = 1, .order = queue_order::strict})};
        subject.handle(b, note('B'));
        subject.handle(a, note('A'));
        subject.handle(c, note('C'));
        co_await work(subject, 9);
        BOOST_TEST(ran == "BBBAAACCC");
    });
}

BOOST_FIXTURE_TEST_CASE(in_strict_order_a_new_job_of_the_first_queue_overtakes, order_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fill(b, 6);
        worker subject{redis, observed({.concurrency = 1, .order = queue_order::strict})};
        subject.handle(a, note('A'));
        subject.handle(b, [&](int) -> asio::awaitable<void> {
            ran += 'B';
            if (ran == "BB") {
                co_await a.async_push(1);
                // The wake-up comes before any answer to a later request.
                co_await a.async_sizes();
            }
        });
        co_await work(subject, 7);
        BOOST_TEST(ran.size() == 7u);
        BOOST_TEST(ran.find('A') <= 4u, ran); // one job of B may have been taken already
    });
}

BOOST_FIXTURE_TEST_CASE(round_robin_takes_one_job_from_each_queue_in_turn, order_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fill(a, 5);
        co_await fill(b, 2);
        co_await fill(c, 3);
        worker subject{redis, observed({.concurrency = 1, .order = queue_order::round_robin})};
        subject.handle(c, note('C'));
        subject.handle(b, note('B'), {.weight = 100}); // counts for nothing here
        subject.handle(a, note('A'));
        co_await work(subject, 10);
        BOOST_TEST(ran == "CBACBACAAA");
    });
}

BOOST_FIXTURE_TEST_CASE(weighted_shares_follow_the_weights, order_test)
{
    for (const std::size_t places : {std::size_t{1}, std::size_t{20}}) {
        order_test each;
        each.run([&]() -> asio::awaitable<void> {
            co_await each.fill(each.a, 400);
            co_await each.fill(each.b, 400);
            co_await each.fill(each.c, 400);
            worker subject{each.redis,
                           each.observed({.concurrency = places, .order = queue_order::weighted})};
            subject.handle(each.a, each.note('A'), {.weight = 6});
            subject.handle(each.b, each.note('B'), {.weight = 3});
            subject.handle(each.c, each.note('C'));
            co_await each.work(subject, 1200);
            const auto part = each.ran.substr(0, 500);
            const auto share = [&](char letter) { return std::count(part.begin(), part.end(), letter); };
            BOOST_TEST(share('A') > 250, places << " places: " << share('A'));
            BOOST_TEST(share('A') < 350, places << " places: " << share('A'));
            BOOST_TEST(share('B') > 110, places << " places: " << share('B'));
            BOOST_TEST(share('B') < 190, places << " places: " << share('B'));
            BOOST_TEST(share('C') > 20, places << " places: " << share('C'));
        });
    }
}

BOOST_AUTO_TEST_SUITE_END()
