// SPDX-License-Identifier: MIT
#include "outbox/outbox_test.hpp"
#include "support/expect.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>

/// Exactly one job for each row, whatever dies.
namespace {

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

redis_server_options durable_server()
{
    redis_server_options how;
    how.append_only = true;
    how.config = {{"appendfsync", "always"}};
    return how;
}

struct death_test : outbox_test
{
    death_test() : outbox_test{durable_server()} {}

    /// Both queues have the numbers from 1 to `count`, each once.
    void check_numbers(int count)
    {
        std::vector<int> numbers;
        for (const auto& job : list_jobs("mail"))
            numbers.push_back(std::stoi(job.second));
        std::sort(numbers.begin(), numbers.end());
        std::vector<int> wanted(static_cast<std::size_t>(count));
        for (int i = 0; i != count; ++i)
            wanted[static_cast<std::size_t>(i)] = i + 1;
        BOOST_TEST((numbers == wanted), numbers.size() << " jobs for " << count << " rows");
        BOOST_TEST(server("ZCARD", "ql:q:numbers-work").integer == count);
    }

    void write_both(int first, int last)
    {
        write_numbers("mail", first, last);
        write_numbers("managed:numbers", first, last, "'Number'");
    }
};

/// A table whose database fails a step, in the place and as often as a test wants.
class failing_outbox : public outbox_store
{
public:
    failing_outbox(std::unique_ptr<outbox_table> table, std::function<bool(bool before)> fails)
        : table_{std::move(table)}, fails_{std::move(fails)}
    {}

    asio::awaitable<void> connect() override { return table_->connect(); }
    asio::awaitable<std::vector<outbox_row>> take(outbox_wish wish) override
    {
        return table_->take(std::move(wish));
    }
    asio::awaitable<outbox_backlog> look() override { return table_->look(); }
    asio::awaitable<void> wait() override { return table_->wait(); }
    void close() noexcept override { table_->close(); }

    asio::awaitable<void> finish(outbox_outcome outcome) override
    {
        if (fails_(true))
            throw outbox_database_error{"lost before the commit"};
        co_await table_->finish(std::move(outcome));
        if (fails_(false))
            throw outbox_database_error{"lost after the commit"};
    }

private:
    std::unique_ptr<outbox_table> table_;
    std::function<bool(bool)> fails_;
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(what_dies, death_test)

BOOST_AUTO_TEST_CASE(between_the_push_and_the_delete_makes_no_second_job)
{
    constexpr int count = 1'000;
    write_both(1, count);
    run([&]() -> asio::awaitable<void> {
        auto options = woken();
        options.batch_size = 100;
        int before = 0, after = 0;
        outbox_relay relay{
            redis,
            std::make_unique<failing_outbox>(
                table(), [&](bool is_before) { return (is_before ? ++before : ++after) % 3 == 2; }),
            options};
        auto working = start(relay);
        co_await until_empty();
        co_await stop(relay, working);
        BOOST_TEST(relay.counts().repeated > 0u);
        check_numbers(count);
    });
}

BOOST_AUTO_TEST_CASE(a_relay_that_ends_at_any_moment_leaves_its_rows_to_the_next)
{
    constexpr int count = is_sanitized ? 500 : 3'000;
    write_both(1, count);
    run([&]() -> asio::awaitable<void> {
        auto options = woken();
        options.batch_size = 50;
        for (int step = 1; rows() > 0; ++step) { // a slow machine needs longer ones
            auto relay = make_relay(options);
            auto working = start(relay);
            co_await let_pass(std::chrono::milliseconds{5 * step});
            co_await stop(relay, working);
        }
        check_numbers(count);
    });
}

BOOST_AUTO_TEST_CASE(the_database_is_killed_again_and_again)
{
    constexpr int count = is_sanitized ? 2'000 : 10'000;
    write_both(1, count);
    run([&]() -> asio::awaitable<void> {
        auto relay = make_relay(woken());
        auto working = start(relay);
        for (int i = 0; i != 4; ++i) {
            const auto before = relay.counts().pushed;
            co_await eventually("rows to be pushed",
                                [&] { return relay.counts().pushed > before || has_no_rows(); });
            sql.reset();
            database.kill();
            database.start();
            sql.emplace(connection);
        }
        co_await until_empty();
        co_await stop(relay, working);
        BOOST_TEST(relay.counts().database_errors > 0u);
        check_numbers(count);
    });
}

BOOST_AUTO_TEST_CASE(redis_is_killed_again_and_again)
{
    constexpr int count = is_sanitized ? 1'000 : 5'000;
    write_both(1, count);
    run([&]() -> asio::awaitable<void> {
        auto options = woken();
        options.batch_size = 50;
        auto relay = make_relay(options);
        auto working = start(relay);
        for (int i = 0; i != 4; ++i) {
            const auto before = relay.counts().pushed;
            co_await eventually("rows to be pushed",
                                [&] { return relay.counts().pushed > before || has_no_rows(); });
            server.kill();
            server.restart();
        }
        co_await until_empty();
        co_await stop(relay, working);
        check_numbers(count);
    });
}

BOOST_AUTO_TEST_CASE(a_relay_ends_at_once_while_redis_or_the_database_is_away)
{
    write_both(1, 1);
    run([&]() -> asio::awaitable<void> {
        server.kill();
        auto first = make_relay(woken());
        auto one = start(first);
        co_await let_pass(50ms);
        co_await stop(first, one);
        server.restart();
        outbox_relay second{redis, database.table(database.nowhere(), "coworker_outbox"), woken()};
        auto other = start(second);
        co_await events.wait_until("the database to be missed", [](const event_log& log) {
            return std::ranges::any_of(log.of(event_kind::warning), [](const auto& each) {
                return each.message.starts_with("outbox: the database: ");
            });
        });
        co_await stop(second, other);
        BOOST_TEST(rows() == 2);
    });
}

BOOST_AUTO_TEST_CASE(a_database_that_does_not_answer_is_given_up)
{
    run([&]() -> asio::awaitable<void> {
        sql_session other{connection};
        other(database.lock());
        auto options = woken();
        options.database_timeout = 50ms;
        auto relay = make_relay(options);
        auto working = start(relay);
        co_await eventually("errors", [&] { return relay.counts().database_errors > 1; });
        other(database.unlock());
        write_numbers("mail", 1, 1);
        co_await until_empty();
        BOOST_TEST(list_jobs("mail").size() == 1u);
        co_await stop(relay, working);
    });
}

BOOST_AUTO_TEST_CASE(what_is_not_confirmed_stays)
{
    run([&]() -> asio::awaitable<void> {
        auto options = woken();
        options.confirmed = durability::replicated(1, 1ms); // and there is none
        auto relay = make_relay(options);
        auto working = start(relay);
        write_numbers("mail", 1, 1);
        co_await eventually("the relay to have tried", [&] { return relay.counts().redis_errors > 1; });
        BOOST_TEST(rows() == 1);
        co_await stop(relay, working);
        auto other = make_relay(woken());
        auto next = start(other);
        co_await eventually("the row to be known", [&] { return other.counts().repeated == 1; });
        co_await stop(other, next);
        BOOST_TEST(list_jobs("mail").size() == 1u);
    });
}

BOOST_AUTO_TEST_CASE(a_relay_runs_once_and_ends_when_its_client_does)
{
    run([&]() -> asio::awaitable<void> {
        auto relay = make_relay(woken());
        auto working = start(relay);
        co_await eventually("the relay to be connected", [&] { return relay.counts().is_database_up; });
        BOOST_TEST((co_await error_of(relay.async_run())) == errc::already_running);
        working.cancel();
        BOOST_TEST((co_await working.join_and_tell()) != "");
        auto destroyed = std::make_optional(make_relay(woken()));
        auto running = start(*destroyed);
        co_await eventually("the relay to be connected", [&] { return destroyed->counts().is_database_up; });
        destroyed.reset();
        co_await running.join();
    });
}

BOOST_AUTO_TEST_SUITE_END()
