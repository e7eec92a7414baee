// SPDX-License-Identifier: MIT
#include "outbox/outbox_test.hpp"
#include "support/expect.hpp"

#include "coworker/job.hpp"

#include <boost/test/unit_test.hpp>

/// The table, and what a store makes of it.
BOOST_FIXTURE_TEST_SUITE(outbox_sql, coworker::test::outbox_test)

using namespace coworker;
using namespace coworker::test;

BOOST_AUTO_TEST_CASE(makes_tables_of_other_names_beside_each_other)
{
    (*sql)("CREATE SCHEMA shop");
    (*sql)(database.schema("shop.Jobs_2"));
    run([&]() -> asio::awaitable<void> {
        const auto jobs = database.table(connection, "shop.Jobs_2");
        co_await jobs->connect();
        (*sql)("INSERT INTO shop.Jobs_2 (queue, payload) VALUES ('mail', '1')");
        if (jobs->announces())
            co_await jobs->wait(); // its trigger names its own channel
        outbox_wish wish;
        wish.rows = 10;
        wish.bytes = wish.row_bytes = 1000;
        BOOST_TEST((co_await jobs->take(wish)).size() == 1u);
    });
}

BOOST_AUTO_TEST_CASE(refuses_names_that_are_none)
{
    for (const auto* name :
         {"", "1a", "a b", "a.b.c", "a.", ".a", "a;", "\"a\"", "a23456789012345678901234567890123456789012"})
        BOOST_TEST(error_in([&] { database.table(connection, name); }) == errc::invalid_option);
}

BOOST_AUTO_TEST_CASE(gives_each_job_an_id_that_tells_when_it_was_written)
{
    (*sql)("INSERT INTO coworker_outbox (queue, payload) VALUES ('mail', '1')");
    const auto id = sql->value("SELECT job_id FROM coworker_outbox");
    const auto written = coworker::queued_at(id);
    BOOST_REQUIRE(written.has_value());
    const auto age = std::chrono::system_clock::now() - *written;
    BOOST_TEST((age > std::chrono::seconds{-1} && age < std::chrono::minutes{5}));
}

BOOST_AUTO_TEST_CASE(reads_no_more_bytes_than_are_wanted_and_nothing_of_large_rows)
{
    for (const std::size_t size : {98U, 998U, 98U, 98U, 98U})
        (*sql)("INSERT INTO coworker_outbox (queue, payload) VALUES ('mail', '\"" + std::string(size, 'x') +
               "\"')");
    run([&]() -> asio::awaitable<void> {
        const auto jobs = table();
        co_await jobs->connect();
        outbox_wish wish;
        wish.rows = 10;
        wish.bytes = 201;
        wish.row_bytes = 500;
        const auto rows = co_await jobs->take(wish);
        BOOST_TEST_REQUIRE(rows.size() ==
                           4u); // the large one counts nothing, and one row more than 201 bytes is read
        BOOST_TEST(rows[0].payload.size() == 100u);
        BOOST_TEST(rows[1].payload.empty());
        BOOST_TEST(rows[1].size == 1000u);
    });
}

BOOST_AUTO_TEST_CASE(leaves_rows_alone_that_another_transaction_has_and_that_are_of_held_queues)
{
    write_numbers("mail", 1, 3);
    write_numbers("o''ther {table}", 4, 4);
    run([&]() -> asio::awaitable<void> {
        const auto jobs = table();
        co_await jobs->connect();
        sql_session other{connection};
        other("BEGIN; SELECT * FROM coworker_outbox WHERE id = 2 FOR UPDATE");
        outbox_wish wish;
        wish.rows = 10;
        wish.bytes = wish.row_bytes = 1000;
        wish.queues_beside = {"o'ther {table}"};
        const auto rows = co_await jobs->take(wish);
        BOOST_TEST_REQUIRE(rows.size() == 2u);
        BOOST_TEST(rows[1].id == "3");
        outbox_outcome outcome;
        outcome.pushed = {"1"};
        outcome.rejected = {{"3", "it's broken"}};
        co_await jobs->finish(outcome);
        other("COMMIT");
        BOOST_TEST((*sql)("SELECT id, coalesce(error, '-') FROM coworker_outbox ORDER BY id") ==
                   (sql_table{{"2", "-"}, {"3", "it's broken"}, {"4", "-"}}));
        const auto seen = co_await jobs->look();
        BOOST_TEST(seen.waiting == 2u);
        BOOST_TEST(seen.rejected == 1u);
        BOOST_TEST(seen.oldest_age.has_value());
    });
}

BOOST_AUTO_TEST_SUITE_END()
