// SPDX-License-Identifier: MIT
#include "outbox/outbox_test.hpp"

#include "coworker/inspector.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>

/// Rows that have the same order key.
BOOST_FIXTURE_TEST_SUITE(outbox_order, coworker::test::outbox_test)

using namespace coworker;
using namespace coworker::test;

constexpr int count = is_sanitized ? 200 : 2'000;

void write_ordered(outbox_test& test)
{
    (*test.sql)("INSERT INTO coworker_outbox (queue, payload, order_key) SELECT 'mail', json, CASE WHEN n % "
                "2 = 0 THEN "
                "'customer' END FROM " +
                test.database.numbers(1, count));
}

/// The even numbers, in their order.
void check_order(const std::vector<std::pair<std::string, std::string>>& jobs)
{
    BOOST_TEST(jobs.size() == static_cast<std::size_t>(count));
    int last = 0;
    for (const auto& job : jobs)
        if (const int number = std::stoi(job.second); number % 2 == 0) {
            BOOST_TEST(number > last);
            last = number;
        }
}

BOOST_AUTO_TEST_CASE(keep_their_order_where_several_relays_push)
{
    write_ordered(*this);
    run([&]() -> asio::awaitable<void> {
        auto few = woken(), some = woken();
        few.batch_size = 3;
        some.batch_size = 11;
        auto first = make_relay(few), second = make_relay(some), third = make_relay(few);
        auto one = start(first), two = start(second), three = start(third);
        co_await until_empty();
        co_await stop(first, one);
        co_await stop(second, two);
        co_await stop(third, three);
        check_order(list_jobs("mail"));
    });
}

BOOST_AUTO_TEST_CASE(become_the_order_keys_of_managed_jobs)
{
    (*sql)("INSERT INTO coworker_outbox (queue, kind, payload, order_key, options) VALUES "
           "('managed:mail', 'A', '1', 'ann', NULL), ('managed:mail', 'A', '2', 'ann', NULL), "
           "('managed:mail', 'A', '3', 'ann', '{\"order_key\": \"bob\"}')");
    const auto ids = (*sql)("SELECT job_id FROM coworker_outbox");
    run([&]() -> asio::awaitable<void> {
        auto relay = make_relay(woken());
        auto working = start(relay);
        co_await until_empty();
        co_await stop(relay, working);
        const inspector look{redis};
        std::vector<std::string> keys;
        for (const auto& row : ids) {
            const auto job = co_await look.async_job(queue_ref::managed("mail"), row[0]);
            BOOST_TEST_REQUIRE(job.value().options.has_value());
            keys.push_back(job->options->order_key);
        }
        std::sort(keys.begin(), keys.end());
        BOOST_TEST(keys == (std::vector<std::string>{"ann", "ann", "bob"}), boost::test_tools::per_element());
    });
}

BOOST_AUTO_TEST_CASE(are_taken_by_one_relay_at_a_time)
{
    (*sql)("INSERT INTO coworker_outbox (queue, payload, order_key) VALUES ('mail', '1', 'a'), ('mail', '2', "
           "'a'), "
           "('mail', '3', NULL)");
    run([&]() -> asio::awaitable<void> {
        const auto first = table(), second = table();
        co_await first->connect();
        co_await second->connect();
        outbox_wish wish;
        wish.rows = 1;
        wish.bytes = wish.row_bytes = 1000;
        BOOST_TEST((co_await first->take(wish)).at(0).id == "1");
        BOOST_TEST((co_await second->take(wish)).at(0).id == "3"); // not 2, though nobody has locked it
        const outbox_outcome nothing;
        co_await second->finish(nothing);
        co_await first->finish(nothing);
        BOOST_TEST((co_await second->take(wish)).at(0).id == "1");
    });
}

BOOST_AUTO_TEST_SUITE_END()
