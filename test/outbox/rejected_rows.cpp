// SPDX-License-Identifier: MIT
#include "outbox/outbox_test.hpp"

#include <boost/test/unit_test.hpp>

/// Rows that cannot be pushed keep no other row from being pushed.
BOOST_FIXTURE_TEST_SUITE(rejected_rows, coworker::test::outbox_test)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

struct bad_row
{
    std::string values; ///< queue, kind, payload, options
    const char* error;  ///< a part of it
};

std::string json_of(std::string text)
{
    return "'mail', NULL, '" + text + "', NULL";
}

const bad_row bad_rows[] = {
    {json_of(std::string(500, '[') + std::string(500, ']')), "nested too deeply"},
    {json_of('"' + std::string(3000, 'x') + '"'), "3002 bytes; the relay takes 2000 at most"},
    {"'managed:', 'A', '1', NULL", "name of the queue"},
    {"repeat('q', 513), NULL, '1', NULL", "name of the queue"},
    {"'mail', 'Letter', '1', NULL", "kind"},
    {"'managed:mail', NULL, '1', NULL", "'kind' is missing"},
    {"'managed:mail', 'A', 'false', NULL", "false"},
    {"'mail', NULL, '1', '[1]'", "JSON object"},
    {"'mail', NULL, '1', '{\"priority\": 1}'", "'priority' is not known"},
    {"'mail', NULL, '1', '{\"payload\": 1}'", "there twice"},
    {"'mail', NULL, '1', '{\"id\": \"x\"}'", "job_id"},
    {"'mail', NULL, '1', '{\"key\": \"x\"}'", "partition"},
    {"'mail', NULL, '1', '{\"delay\": \"soon\"}'", "delay"},
    {"'managed:mail', 'A', '1', '{\"nonsense\": 1}'", "'nonsense' is not known"},
    {"'managed:mail', 'A', '1', '{\"id\": \"x\"}'", "job_id"},
    {"'managed:mail', 'A', '1', '{\"unique\": {\"key\": \"x\"}}'", "unique by its row"},
    {"'managed:mail', 'A', '1', '{\"batch\": \"no such batch\"}'", "batch"},
};

BOOST_AUTO_TEST_CASE(say_what_is_wrong)
{
    (*sql)(database.unchecked());
    for (const auto& row : bad_rows) {
        (*sql)("INSERT INTO coworker_outbox (queue, payload) VALUES ('mail', '1')");
        (*sql)("INSERT INTO coworker_outbox (queue, kind, payload, options) VALUES (" + row.values + ")");
        (*sql)("INSERT INTO coworker_outbox (queue, kind, payload) VALUES ('managed:mail', 'Letter', '1')");
    }
    const auto bad = std::size(bad_rows);
    run([&]() -> asio::awaitable<void> {
        auto options = woken();
        options.max_job_size = 2000;
        auto relay = make_relay(options);
        auto working = start(relay);
        co_await eventually("the good rows to be pushed", [&] { return relay.counts().pushed == 2 * bad; });
        co_await eventually("the bad rows to be counted",
                            [&] { return relay.counts().backlog.rejected == bad; });
        const auto errors = (*sql)(
            "SELECT error, CASE WHEN rejected_at IS NULL THEN 0 ELSE 1 END FROM coworker_outbox ORDER BY id");
        BOOST_TEST_REQUIRE(errors.size() == bad);
        for (std::size_t i = 0; i != bad; ++i) {
            BOOST_TEST(errors[i][0].find(bad_rows[i].error) != std::string::npos, errors[i][0]);
            BOOST_TEST(errors[i][1] == "1");
        }
        BOOST_TEST(relay.counts().backlog.waiting == 0u);
        BOOST_TEST(list_jobs("mail").size() == bad);
        BOOST_TEST(events.count(event_kind::warning) >= 1u);
        co_await stop(relay, working);
    });
}

BOOST_AUTO_TEST_CASE(are_refused_by_the_table_if_no_relay_could_read_them)
{
    for (const auto* values :
         {"'', '1', NULL", "'mail', '{', NULL", "'mail', '1', 'x'", "NULL, '1', NULL", "'mail', NULL, NULL"})
        BOOST_CHECK_THROW(
            (*sql)(std::string{"INSERT INTO coworker_outbox (queue, payload, options) VALUES ("} + values +
                   ")"),
            std::runtime_error);
    BOOST_CHECK_THROW(
        (*sql)("INSERT INTO coworker_outbox (queue, payload, job_id) VALUES ('mail', '1', 'x')"),
        std::runtime_error);
    BOOST_TEST(rows() == 0);
}

BOOST_AUTO_TEST_CASE(are_pushed_again_on_demand)
{
    (*sql)("INSERT INTO coworker_outbox (queue, kind, payload) VALUES ('mail', 'Letter', '1'), ('mail', "
           "'Letter', '2')");
    run([&]() -> asio::awaitable<void> {
        auto relay = make_relay(woken());
        auto working = start(relay);
        const std::vector<std::string> one{"2"}, all;
        const auto jobs = table();
        co_await jobs->connect();
        co_await eventually("both to be rejected", [&] { return relay.counts().backlog.rejected == 2; });
        const auto found = co_await jobs->rejected(10);
        BOOST_TEST_REQUIRE(found.size() == 2u);
        BOOST_TEST(found[1].id == "2");
        BOOST_TEST(found[1].queue == "mail");
        BOOST_TEST(found[1].job_id.size() == 36u);
        BOOST_TEST(found[1].at.ends_with("Z"));
        (*sql)("UPDATE coworker_outbox SET kind = NULL");
        BOOST_TEST((co_await jobs->retry(one)) == 1u);
        co_await eventually("one to be pushed", [&] { return list_jobs("mail").size() == 1; });
        BOOST_TEST(list_jobs("mail").at(0).second == "2");
        BOOST_TEST((co_await jobs->retry(all)) == 1u);
        co_await until_empty();
        co_await stop(relay, working);
    });
}

BOOST_AUTO_TEST_CASE(of_a_queue_that_redis_refuses_wait_and_others_do_not)
{
    run([&]() -> asio::awaitable<void> {
        server("SET", "hworker-jobs-broken", "no list");
        auto options = woken();
        options.batch_size = 2;
        auto relay = make_relay(options);
        auto working = start(relay);
        write_numbers("broken", 1, 5);
        write_numbers("mail", 1, 5);
        co_await eventually("the good rows to be pushed", [&] { return list_jobs("mail").size() == 5; });
        co_await eventually("only the refused rows to be left", [&] { return rows() == 5; });
        server("DEL", "hworker-jobs-broken");
        co_await until_empty();
        BOOST_TEST(list_jobs("broken").size() == 5u);
        BOOST_TEST(relay.counts().rejected == 0u);
        co_await stop(relay, working);
    });
}

BOOST_AUTO_TEST_SUITE_END()
