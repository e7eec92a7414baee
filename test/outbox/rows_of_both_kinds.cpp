// SPDX-License-Identifier: MIT
#include "outbox/outbox_test.hpp"
#include "support/qless_client.hpp"

#include "coworker/inspector.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <cmath>
#include <string>

/// Rows become jobs.
BOOST_FIXTURE_TEST_SUITE(rows_of_both_kinds, coworker::test::outbox_test)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_CASE(are_pushed_when_their_transaction_commits_and_not_before)
{
    run([&]() -> asio::awaitable<void> {
        auto relay = make_relay(woken());
        auto working = start(relay);
        sql_session lost{connection}, kept{connection};
        kept("BEGIN; INSERT INTO coworker_outbox (queue, payload) VALUES ('mail', '\"kept\"')");
        lost("BEGIN; INSERT INTO coworker_outbox (queue, payload) VALUES ('mail', '\"lost\"')");
        write_numbers("mail", 1, 1); // has a higher id, and is pushed before
        co_await until_empty();
        lost("ROLLBACK");
        BOOST_TEST(list_jobs("mail").size() == 1u);
        kept("COMMIT");
        co_await until_empty();
        const auto jobs = list_jobs("mail");
        BOOST_TEST_REQUIRE(jobs.size() == 2u);
        BOOST_TEST(jobs[1].second == "\"kept\"");
        co_await stop(relay, working);
    });
}

BOOST_AUTO_TEST_CASE(have_the_ids_that_their_transaction_was_told)
{
    run([&]() -> asio::awaitable<void> {
        auto relay = make_relay(woken());
        auto working = start(relay);
        const auto listed =
            sql->value("INSERT INTO coworker_outbox (queue, payload) VALUES ('mail', '1') RETURNING job_id");
        const auto managed =
            sql->value("INSERT INTO coworker_outbox (queue, kind, payload) VALUES ('managed:mail', 'Letter', "
                       "'{\"to\": \"ann\"}') RETURNING job_id");
        co_await until_empty();
        BOOST_TEST(list_jobs("mail").at(0).first == listed);
        qless_client qless{server};
        BOOST_TEST(qless.state(managed) == "waiting");
        BOOST_TEST(qless.field(managed, "klass") == "Letter");
        BOOST_TEST(qless.field(managed, "data") == "{\"to\": \"ann\"}");
        co_await stop(relay, working);
    });
}

BOOST_AUTO_TEST_CASE(have_options_as_over_http)
{
    run([&]() -> asio::awaitable<void> {
        auto relay = make_relay(woken());
        auto working = start(relay);
        (*sql)(R"(INSERT INTO coworker_outbox (queue, kind, payload, options) VALUES
            ('managed:mail', 'Letter', '{}', '{"priority": 10, "tags": ["a"]}'),
            ('managed:mail', 'Letter', '{}', '{"run_at": "2100-01-01T00:00:00Z"}'),
            ('managed:mail', 'Letter', '{}', ' {} '),
            ('mail', NULL, 'null', '{"delay": "5m"}'))");
        co_await until_empty();
        co_await eventually("the rows to be counted", [&] { return relay.counts().pushed == 4; });
        BOOST_TEST(server("ZCARD", "ql:q:mail-work").integer == 2);
        BOOST_TEST(server("ZCARD", "ql:q:mail-scheduled").integer == 1);
        const auto due = server("ZRANGE", "ql:q:mail-scheduled", 0, 0, "WITHSCORES").texts().at(1);
        BOOST_TEST(std::abs(std::stod(due) - 4'102'444'800.0) <
                   60); // a delay in seconds, from Redis' clock on
        BOOST_TEST(server("ZCARD", "hworker-scheduled-mail").integer == 1);
        co_await stop(relay, working);
    });
}

BOOST_AUTO_TEST_CASE(are_found_by_the_poll_where_nothing_is_announced)
{
    if (table()->announces())
        (*sql)("DROP TRIGGER coworker_outbox_announce ON coworker_outbox");
    run([&]() -> asio::awaitable<void> {
        auto options = woken();
        options.poll = 10ms;
        auto relay = make_relay(options);
        auto working = start(relay);
        co_await eventually("the relay to have looked", [&] { return relay.counts().is_database_up; });
        write_numbers("mail", 1, 1);
        co_await until_empty();
        BOOST_TEST(list_jobs("mail").size() == 1u);
        co_await stop(relay, working);
    });
}

BOOST_AUTO_TEST_CASE(are_pushed_once_by_two_relays_and_in_batches_of_any_size)
{
    constexpr int count = 3'000;
    write_numbers("mail", 1, count);
    write_numbers("managed:mail", 1, count, "'Number'");
    run([&]() -> asio::awaitable<void> {
        auto some = woken();
        some.batch_size = 7;
        auto first = make_relay(some), second = make_relay(woken());
        auto one = start(first), other = start(second);
        co_await until_empty();
        co_await eventually("the rows to be counted",
                            [&] { return first.counts().pushed + second.counts().pushed == 2 * count; });
        co_await stop(first, one);
        co_await stop(second, other);
        const auto jobs = list_jobs("mail");
        BOOST_TEST(jobs.size() == static_cast<std::size_t>(count));
        std::vector<int> numbers;
        for (const auto& job : jobs)
            numbers.push_back(std::stoi(job.second));
        std::sort(numbers.begin(), numbers.end());
        BOOST_TEST((std::adjacent_find(numbers.begin(), numbers.end()) == numbers.end()));
        BOOST_TEST(server("ZCARD", "ql:q:mail-work").integer == count);
        BOOST_TEST(first.counts().repeated + second.counts().repeated == 0u);
    });
}

BOOST_AUTO_TEST_CASE(show_their_lag)
{
    write_numbers("mail", 1, 2);
    (*sql)("UPDATE coworker_outbox SET created_at = created_at - INTERVAL '1' HOUR");
    run([&]() -> asio::awaitable<void> {
        server("SET", "hworker-jobs-mail", "no list"); // so that they stay
        auto options = woken();
        auto relay = make_relay(options);
        auto working = start(relay);
        co_await eventually("the relay to have looked", [&] { return relay.counts().backlog.waiting == 2; });
        const auto text = relay.prometheus();
        BOOST_TEST(text.find("\ncoworker_outbox_waiting_rows 2\n") != std::string::npos, text);
        const auto at = text.find("\ncoworker_outbox_lag_seconds 36");
        BOOST_TEST(at != std::string::npos, text);
        co_await stop(relay, working);
    });
}

BOOST_AUTO_TEST_SUITE_END()
