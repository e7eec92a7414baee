// SPDX-License-Identifier: MIT
#include "integration/queue/pushes_under_way.hpp"
#include "support/client_test.hpp"
#include "support/expect.hpp"
#include "support/server_abilities.hpp"

#include "coworker/durability.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(synced_pushes)

namespace {

struct synced_test : pushes_under_way<connection_test>
{
    void use_append_only_file(const std::string& appendfsync)
    {
        server("CONFIG", "SET", "appendfsync", appendfsync);
        server("CONFIG", "SET", "appendonly", "yes");
        run_coroutine(io, eventually("the append-only file is written", [this] {
                          return server.raw().info("persistence", "aof_rewrite_in_progress") == "0" &&
                                 server.raw().info("persistence", "aof_rewrite_scheduled") == "0";
                      }));
    }

    std::int64_t length() { return server("LLEN", "hworker-jobs-numbers").integer; }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_server_without_an_append_only_file_refuses_before_anything_is_pushed, synced_test)
{
    run_with_client([&](client&, list_queue<int>& numbers) -> asio::awaitable<void> {
        const auto safe = numbers.with(durability::synced());
        const auto error = co_await error_of(safe.async_push(1));
        BOOST_TEST(error == errc::not_supported, error);
        BOOST_TEST(error.says("appendonly"), error);
        const std::vector<int> more{1, 2};
        BOOST_TEST((co_await error_of(safe.async_push_many(more))) == errc::not_supported);
        BOOST_TEST(length() == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(appendfsync_always_is_enough, synced_test)
{
    use_append_only_file("always");
    run_with_client([&](client&, list_queue<int>& numbers) -> asio::awaitable<void> {
        const auto safe = numbers.with(durability::synced());
        (void)co_await safe.async_push(1);
        BOOST_TEST(length() == 1);
        BOOST_TEST(calls_of("waitaof") == (has_waitaof(server) ? 1 : 0));
    });
}

BOOST_FIXTURE_TEST_CASE(appendfsync_everysec_needs_waitaof, synced_test)
{
    use_append_only_file("everysec");
    run_with_client([&](client&, list_queue<int>& numbers) -> asio::awaitable<void> {
        const auto safe = numbers.with(durability::synced(10s));
        const auto error = co_await error_of(safe.async_push(1));
        if (has_waitaof(server)) {
            BOOST_TEST(!error.code, error);
            BOOST_TEST(length() == 1);
        } else {
            BOOST_TEST(error == errc::not_supported, error);
            BOOST_TEST(error.says("WAITAOF"), error);
            BOOST_TEST(length() == 0);
        }
    });
}

BOOST_FIXTURE_TEST_CASE(a_server_that_never_syncs_is_found_out, synced_test)
{
    use_append_only_file("no");
    run_with_client([&](client&, list_queue<int>& numbers) -> asio::awaitable<void> {
        const auto error = co_await error_of(numbers.with(durability::synced(100ms)).async_push(1));
        BOOST_TEST(error == (has_waitaof(server) ? errc::unconfirmed : errc::not_supported), error);
        BOOST_TEST(length() == (has_waitaof(server) ? 1 : 0));
    });
}

BOOST_FIXTURE_TEST_CASE(settings_that_change_behind_a_connection_are_noticed, synced_test)
{
    use_append_only_file("always");
    run_with_client([&](client&, list_queue<int>& numbers) -> asio::awaitable<void> {
        const auto safe = numbers.with(durability::synced(100ms));
        (void)co_await safe.async_push(1);
        server("CONFIG", "SET", "appendfsync", "no");
        BOOST_TEST((co_await error_of(safe.async_push(2))) == errc::unconfirmed);
        BOOST_TEST(length() == 2);
    });
}

BOOST_FIXTURE_TEST_CASE(a_user_who_may_not_read_settings_needs_waitaof, synced_test)
{
    use_append_only_file("always");
    server("ACL", "SETUSER", "alice", "on", ">secret", "~*", "&*", "+@all", "-config");
    run_with(observed_options("alice"), [&](client&, list_queue<int>& numbers) -> asio::awaitable<void> {
        const auto error = co_await error_of(numbers.with(durability::synced()).async_push(1));
        if (has_waitaof(server))
            BOOST_TEST(!error.code, error);
        else
            BOOST_TEST(error == errc::not_supported, error);
        BOOST_TEST(length() == (has_waitaof(server) ? 1 : 0));
    });
}

BOOST_AUTO_TEST_SUITE_END()
