// SPDX-License-Identifier: MIT
#include "coworker/managed_events.hpp"
#include "coworker/managed_queue.hpp"
#include "coworker/monitor.hpp"
#include "coworker/worker.hpp"
#include "support/client_test.hpp"
#include "support/expect.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>

#include <future>
#include <set>
#include <thread>
#include <vector>

/// One client, used by the threads of a server.
namespace coworker::test {
namespace {

constexpr int threads = 4, pushers = 8, jobs_each = 100;

/// All calls are made at once, and a busy machine may need long for so many.
client_options patient_options(const redis_test& test)
{
    auto how = test.options();
    how.command_timeout = std::chrono::minutes{1};
    return how;
}

asio::awaitable<std::vector<std::string>> push_several(list_queue<int> to)
{
    std::vector<std::string> ids;
    for (int i = 0; i != jobs_each; ++i)
        ids.push_back(co_await to.async_push(i));
    co_return ids;
}

} // namespace

BOOST_AUTO_TEST_SUITE(many_threads)

BOOST_FIXTURE_TEST_CASE(a_context_with_many_threads_loses_no_job_and_gives_no_id_twice, redis_test)
{
    asio::io_context server_io{threads};
    auto guard = asio::make_work_guard(server_io);
    std::vector<std::jthread> running;
    for (int i = 0; i != threads; ++i)
        running.emplace_back([&] { server_io.run(); });
    client redis{server_io, patient_options(*this)};
    list_queue<int> numbers{redis, "numbers"};

    std::vector<std::future<std::vector<std::string>>> results;
    for (int i = 0; i != pushers; ++i)
        results.push_back(
            asio::co_spawn(asio::make_strand(server_io), push_several(numbers), asio::use_future));
    std::vector<std::future<std::string>> beside; // from a thread that runs no context
    for (int i = 0; i != jobs_each; ++i)
        beside.push_back(numbers.async_push(i, asio::use_future));

    std::set<std::string> ids;
    for (auto& result : results)
        ids.merge(
            [](std::vector<std::string> all) { return std::set(all.begin(), all.end()); }(result.get()));
    for (auto& one : beside)
        ids.insert(one.get());
    const std::size_t expected = (pushers + 1) * jobs_each;
    BOOST_TEST(ids.size() == expected);
    BOOST_TEST(numbers.async_sizes(asio::use_future).get().waiting == expected);
    redis.async_stop(asio::use_future).get();
    guard.reset();
}

BOOST_FIXTURE_TEST_CASE(puts_of_many_threads_go_together_and_none_is_lost, redis_test)
{
    asio::thread_pool pool{threads};
    client redis{pool, patient_options(*this)};
    const managed_queue mail{redis, "mail"};
    std::vector<std::jthread> pushers_beside;
    std::vector<std::vector<std::future<std::string>>> results(threads);
    for (auto& mine : results)
        pushers_beside.emplace_back([&] {
            for (int i = 0; i != pushers * jobs_each; ++i)
                mine.push_back(mail.async_push("Number", i, asio::use_future));
        });
    pushers_beside.clear(); // joins
    std::set<std::string> jids;
    for (auto& mine : results)
        for (auto& each : mine)
            jids.insert(each.get());
    constexpr std::size_t expected = threads * pushers * jobs_each;
    BOOST_TEST(jids.size() == expected);
    BOOST_TEST(mail.async_counts(asio::use_future).get().length() == expected);
    BOOST_TEST(server("ZCARD", "ql:q:mail-work").integer == static_cast<std::int64_t>(expected));
    redis.async_stop(asio::use_future).get();
    pool.join();
}

BOOST_FIXTURE_TEST_CASE(a_client_ends_on_any_thread, redis_test)
{
    asio::thread_pool pool{threads};
    for (int i = 0; i != 20; ++i) {
        client redis{pool, options()};
        list_queue<int> numbers{redis, "numbers"};
        auto pushed = numbers.async_push(i, asio::use_future);
        if (i % 2 == 0)
            pushed.wait();
        managed_events heard{redis};
        auto event = heard.async_next(asio::use_future); // nobody waits for it
    }
    pool.join();
}

BOOST_FIXTURE_TEST_CASE(without_a_strand_another_thread_is_found_out, redis_test)
{
    auto alone = options();
    alone.thread_safe = false;
    client redis{io, alone};
    list_queue<int> numbers{redis, "numbers"};
    numbers.async_push(1, [&](error_code ec, std::string) {
        BOOST_TEST(!ec);
        io.stop();
    });
    io.run();
    error_code refused;
    numbers.async_push(2, [&](error_code ec, std::string) {
        refused = ec;
        redis.async_stop([](error_code) {});
    });
    io.restart();
    std::jthread{[&] { io.run(); }}.join();
    BOOST_TEST((refused == errc::wrong_thread));

    asio::thread_pool pool{threads};
    BOOST_TEST(error_in([&] { client{pool, alone}; }) == errc::invalid_option);
    client on_a_strand{asio::make_strand(pool), alone}; // is right by itself
}

// It would run beside the client, which has a strand.
BOOST_FIXTURE_TEST_CASE(a_worker_or_a_monitor_on_another_executor_is_refused, redis_test)
{
    client redis{io, options()}, another{io, options()};
    const auto refusal = [](auto act) {
        std::string told;
        try {
            act();
        } catch (const system_error& error) {
            BOOST_TEST((error.code() == errc::invalid_worker));
            told = error.what();
        }
        return told;
    };
    list_queue<int> numbers{redis, "numbers"}, others{another, "others"};
    managed_queue mail{redis, "mail"};
    const auto handler = [](int) {};
    worker beside{io};
    BOOST_TEST(refusal([&] { beside.handle(numbers, handler); }).find("coworker::worker{client}") !=
               std::string::npos);
    BOOST_TEST(refusal([&] { beside.handle(mail, [](raw_json) {}); }).find("'mail'") != std::string::npos);
    monitor watching{io};
    BOOST_TEST(refusal([&] { watching.watch(numbers); }).find("coworker::monitor{client}") !=
               std::string::npos);
    worker right{redis};
    right.handle(numbers, handler);
    BOOST_TEST(refusal([&] { right.handle(others, handler); }) != "");

    // On one executor, one worker works for two clients.
    auto alone = options();
    alone.thread_safe = false;
    client first{io, alone}, second{io, alone};
    list_queue<int> here{first, "numbers"}, there{second, "others"};
    worker both{io};
    both.handle(here, handler);
    both.handle(there, handler);
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace coworker::test
