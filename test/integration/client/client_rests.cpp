// SPDX-License-Identifier: MIT
#include "support/client_list.hpp"
#include "support/client_test.hpp"
#include "support/server_abilities.hpp"

#include "coworker/durability.hpp"
#include "coworker/managed_events.hpp"
#include "coworker/monitor.hpp"

#include <boost/asio/use_future.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <future>
#include <thread>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// A client that nobody needs does not keep its context running.
BOOST_AUTO_TEST_SUITE(client_rests)

namespace {

/// As README writes it: what goes wrong in `main` leaves it while the thread runs the context.
error_code push_in_main(const client_options& how)
{
    try {
        asio::io_context io;
        client redis{io, how};
        list_queue<int> numbers{redis, "numbers"};
        auto pushed = numbers.async_push(1, asio::use_future);
        std::jthread thread{[&] { io.run(); }};
        pushed.get();
    } catch (const system_error& error) {
        return error.code();
    }
    return {};
}

struct rests_test : redis_test
{
    rests_test() : redis_test{{.tcp = true, .tls = true}} {}

    bool is_there(const client& redis)
    {
        auto clients = client_list(server);
        return std::any_of(clients.begin(), clients.end(),
                           [&](auto& each) { return each["name"] == redis.client_name(); });
    }

    /// Runs the context until nothing keeps it running.
    void run_out()
    {
        io.restart();
        io.run_for(patience);
        BOOST_TEST_REQUIRE(io.stopped(), "something keeps the context running");
    }

    std::int64_t length() { return server("LLEN", "hworker-jobs-numbers").integer; }
};

/// A client that pushes now and then.
struct seldom_used
{
    seldom_used(rests_test& test, client_options how, const durability& wanted = durability::memory())
        : events{test.io.get_executor()}, redis{test.io, observed(std::move(how))},
          numbers{list_queue<int>{redis, "numbers"}.with(wanted)}
    {}

    client_options observed(client_options how) const
    {
        how.on_event = events.observe();
        return how;
    }

    event_log events;
    client redis;
    list_queue<int> numbers;
};

} // namespace

BOOST_FIXTURE_TEST_CASE(main_ends_when_a_push_fails, rests_test)
{
    server.end();
    auto how = options();
    how.connect_timeout = 200ms;
    BOOST_TEST((push_in_main(how) == errc::unavailable));
    how.url = server.tcp_url();
    BOOST_TEST((push_in_main(how) == errc::unavailable));
    how.url = "redis://192.0.2.1"; // nobody answers there, not even that nobody is there
    BOOST_TEST((push_in_main(how) == errc::unavailable));
}

BOOST_FIXTURE_TEST_CASE(main_ends_when_a_push_has_ended, rests_test)
{
    BOOST_TEST(!push_in_main(options()));
    BOOST_TEST(length() == 1);
}

BOOST_FIXTURE_TEST_CASE(main_ends_when_the_server_has_fallen_silent, rests_test)
{
    auto how = options();
    how.command_timeout = 200ms;
    how.health_check_interval = 0ms;
    how.on_event = [&](const event& what) {
        if (what.kind == event_kind::connected)
            server.freeze();
    };
    BOOST_TEST((push_in_main(how) == errc::timed_out));
    server.thaw();
}

BOOST_FIXTURE_TEST_CASE(clients_that_rest_leave_the_server_and_come_back, rests_test)
{
    server("CONFIG", "SET", "appendfsync", "always");
    server("CONFIG", "SET", "appendonly", "yes");
    run([&]() -> asio::awaitable<void> {
        co_await eventually("the append-only file is written", [this] {
            return server.raw().info("persistence", "aof_rewrite_in_progress") == "0" &&
                   server.raw().info("persistence", "aof_rewrite_scheduled") == "0";
        });
    });
    auto without_strand = options(), with_tls = options();
    without_strand.thread_safe = false;
    with_tls.url = server.tls_url();
    with_tls.ca_file = server.folder().file("copy.pem");
    std::filesystem::copy_file(server.certificate_file(), with_tls.ca_file.str());
    std::deque<seldom_used> all;
    all.emplace_back(*this, options());
    all.emplace_back(*this, without_strand);
    all.emplace_back(*this, with_tls);
    all.emplace_back(*this, options(), durability::synced(300ms));
    const auto push = [&](std::deque<seldom_used>& clients) {
        std::vector<std::future<std::string>> pushed;
        for (auto& each : clients)
            pushed.push_back(each.numbers.async_push(1, asio::use_future));
        run_out();
        return pushed;
    };
    for (int i = 0; i != 2; ++i) {
        for (auto& each : push(all))
            BOOST_TEST(!each.get().empty());
        BOOST_TEST(client_list(server).empty());
    }
    std::filesystem::remove(with_tls.ca_file.str()); // the file is not needed any more
    server("CONFIG", "SET", "appendfsync", "no");    // nothing is confirmed by what was true before
    auto third = push(all);
    BOOST_CHECK_THROW(third.back().get(), system_error);
    third.pop_back();
    for (auto& each : third)
        BOOST_TEST(!each.get().empty());
    BOOST_TEST(length() == (has_waitaof(server) ? 12 : 11)); // one that can wait queues it first
    for (const auto& each :
         all) { // of the last one, there was nothing to be told: its connection is another one
        const auto& told = each.events.all();
        BOOST_TEST(std::all_of(told.begin(), told.end(),
                               [](const auto& what) { return what.kind == event_kind::connected; }),
                   each.events.tell());
        BOOST_TEST(told.size() <= 1u);
    }
    // All calls were answered, so nothing can come late.
    BOOST_TEST(server.raw().info("commandstats", "cmdstat_client|kill").empty());
}

BOOST_FIXTURE_TEST_CASE(a_server_that_was_away_meanwhile_is_told, rests_test)
{
    client redis{io, observed_options()};
    list_queue<int> numbers{redis, "numbers"};
    auto earlier = numbers.async_push(1, asio::use_future);
    run_out();
    earlier.get();
    server.end();
    auto pushed = numbers.async_push(1, asio::use_future);
    io.restart();
    io.run_for(300ms);
    server.restart();
    run_out();
    BOOST_TEST(!pushed.get().empty());
    BOOST_TEST(length() == 1); // nothing was saved
    BOOST_TEST(events.count(event_kind::connected) == 1u);
    BOOST_TEST(events.count(event_kind::disconnected) != 0u);
    BOOST_TEST(events.count(event_kind::reconnected) == 1u);
}

BOOST_FIXTURE_TEST_CASE(a_client_can_be_stopped_and_destroyed_while_it_rests, rests_test)
{
    auto gone = std::make_unique<client>(io, options());
    client stopped{io, options()};
    auto first = gone->async_connect(asio::use_future);
    auto second = stopped.async_connect(asio::use_future);
    run_out();
    first.get();
    second.get();
    BOOST_TEST(client_list(server).empty());
    list_queue<int> orphaned{*gone, "numbers"}, numbers{stopped, "numbers"};
    std::jthread{[&] { gone.reset(); }}.join();
    run([&]() -> asio::awaitable<void> {
        co_await stopped.async_stop();
        BOOST_TEST(co_await error_of(orphaned.async_push(1)) == errc::stopped);
        BOOST_TEST(co_await error_of(numbers.async_push(1)) == errc::stopped);
    });
}

/// Some of these come just before the connection ends, and some just behind that.
BOOST_FIXTURE_TEST_CASE(no_call_is_lost_when_the_connection_ends, rests_test)
{
    constexpr int count = 120;
    std::deque<client> clients;
    std::vector<background> pushes;
    for (int i = 0; i != count; ++i) {
        auto& redis = clients.emplace_back(io, observed_options());
        pushes.emplace_back(io.get_executor(),
                            [](client& to, std::chrono::microseconds when) -> asio::awaitable<void> {
                                list_queue<int> numbers{to, "numbers"};
                                asio::steady_timer timer{co_await asio::this_coro::executor, when};
                                co_await numbers.async_push(1);
                                co_await timer.async_wait(asio::use_awaitable);
                                co_await numbers.async_push(2);
                            }(redis, 5'235ms + i * 300us));
    }
    run_out();
    const auto join_all = [&]() -> asio::awaitable<void> {
        for (auto& each : pushes)
            BOOST_TEST(co_await each.join_and_tell() == "");
    };
    io.restart();
    run_coroutine(io, join_all());
    BOOST_TEST(length() == 2 * count);
    BOOST_TEST(events.all().size() == count, events.tell());
}

BOOST_FIXTURE_TEST_CASE(workers_monitors_and_listeners_keep_the_connection, rests_test)
{
    run([&]() -> asio::awaitable<void> {
        client redis{io, observed_options()}, watched{io, observed_options()}, other{io, observed_options()};
        list_queue<int> numbers{redis, "numbers"}, sums{watched, "sums"};
        worker subject{redis};
        subject.handle(numbers, [](int) {}, {.monitor = false});
        background running{io.get_executor(), subject.async_run()};
        monitor watching{watched};
        watching.watch(sums);
        background monitoring{io.get_executor(), watching.async_run()};
        managed_events heard{other};
        co_await heard.async_listen();
        co_await let_pass(11s);
        BOOST_TEST(events.count(event_kind::connected) == 3u);
        for (const auto* each : {&redis, &watched, &other})
            BOOST_TEST(is_there(*each));
        subject.stop();
        watching.stop();
        co_await running.join();
        co_await monitoring.join();
        for (auto* each : {&redis, &watched, &other})
            co_await each->async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
