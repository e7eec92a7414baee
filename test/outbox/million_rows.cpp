// SPDX-License-Identifier: MIT
#include "outbox/outbox_test.hpp"

#include <boost/test/unit_test.hpp>

/// A million rows that have piled up, a few less under a sanitizer. The database is killed on the way.
BOOST_FIXTURE_TEST_SUITE(million_rows, coworker::test::outbox_test)

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

constexpr int listed = is_sanitized ? 27'000 : 900'000, managed = is_sanitized ? 3'000 : 100'000;

BOOST_AUTO_TEST_CASE(become_as_many_jobs)
{
    write_numbers("mail", 1, listed);
    write_numbers("managed:mail", 1, managed, "'Number'");
    run_coroutine(
        io,
        [&]() -> asio::awaitable<void> {
            const auto begin = std::chrono::steady_clock::now();
            auto relay = make_relay(woken());
            auto working = start(relay);
            std::uint64_t seen = 0;
            const auto wait_for_more = [&]() -> asio::awaitable<bool> { // as long as it goes on
                bool is_empty = false;
                co_await eventually("more rows to be pushed", [&] {
                    const auto pushed = relay.counts().pushed;
                    is_empty = pushed > listed + managed - 5'000 && has_no_rows();
                    return is_empty || pushed > seen;
                });
                seen = relay.counts().pushed;
                co_return is_empty;
            };
            while (seen < listed / 2)
                co_await wait_for_more();
            sql.reset();
            database.kill();
            database.start();
            sql.emplace(connection);
            bool is_empty = false;
            while (!is_empty)
                is_empty = co_await wait_for_more();
            const std::chrono::duration<double> time = std::chrono::steady_clock::now() - begin;
            BOOST_TEST_MESSAGE((listed + managed) / time.count() << " rows a second");
            co_await stop(relay, working);
            BOOST_TEST(server("LLEN", "hworker-jobs-mail").integer == listed);
            BOOST_TEST(server("ZCARD", "ql:q:mail-work").integer == managed);
            const auto before = std::stoul(server.raw().info("memory", "used_memory"));
            server("DEL", "hworker-ids-mail");
            const auto ids = before - std::stoul(server.raw().info("memory", "used_memory"));
            BOOST_TEST_MESSAGE(ids / listed << " bytes for each remembered id of a list queue");
            co_await redis.async_stop();
        }(),
        20 * patience);
}

BOOST_AUTO_TEST_SUITE_END()
