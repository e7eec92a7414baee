// SPDX-License-Identifier: MIT
#pragma once

#include "job_account.hpp"
#include "support/cluster_client_test.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace coworker::test {

using namespace std::chrono_literals;

inline double seconds_of(std::chrono::steady_clock::duration time)
{
    return std::chrono::duration<double>(time).count();
}

/// A queue at each of three nodes, and what is pushed to them one after the other and worked off meanwhile. At the node
/// that is replaced there is a second one, whose pushes a replica confirms.
struct failover_test : cluster_client_test
{
    std::map<std::string, job_account> books;
    int next = 0;
    int replicated = 0;         ///< so many pushes of the moving queue had reached its replica
    int taken_over = 0;         ///< from here on everything is well again
    std::string name_of_worker; ///< of its client

    std::string moving = middle; ///< whose queue's node is replaced
    const std::string safe = "safe";

    explicit failover_test(cuttable_network* network = nullptr,
                           std::vector<std::vector<std::string>> config = {})
        : cluster_client_test{network, std::move(config), node_timeout_for_failovers}
    {}

    redis_server& old_home() { return home_of(moving); }

    asio::awaitable<void> push_to(const client& producer, std::string tag)
    {
        const list_queue<int> queue{producer, tagged(tag)};
        co_await books[tag].push(queue, next);
    }

    list_queue<int> safe_queue(const client& redis) { return {redis, tagged(moving) + safe}; }

    asio::awaitable<void> push_safely(const client& producer)
    {
        co_await books[safe].push(safe_queue(producer).with(durability::replicated(1, 20ms)), next);
    }

    void handle_safe(worker& subject, const client& redis)
    {
        auto queue = safe_queue(redis);
        subject.handle(queue, [this](int number) { books[safe].start(number); });
    }

    asio::awaitable<void> push_to_all(const client& producer, int count)
    {
        for (const int end = next + count; next != end; ++next) {
            for (const auto& tag : tags)
                co_await push_to(producer, tag);
            co_await push_safely(producer);
        }
    }

    /// Until the moving queue takes pushes and `is_over` says so. The other queues take all pushes meanwhile.
    asio::awaitable<void> push_until(const client& producer, std::function<bool()> is_over)
    {
        const auto begun = std::chrono::steady_clock::now();
        bool has_ended = false;
        while (!has_ended) {
            BOOST_REQUIRE((std::chrono::steady_clock::now() - begun < 4 * patience));
            for (const auto& tag : tags)
                if (tag != moving)
                    co_await push_to(producer, tag);
            co_await push_to(producer, moving);
            co_await push_safely(producer);
            has_ended = books[moving].acknowledged.contains(next) && is_over();
            ++next;
        }
        taken_over = next;
    }

    void wait_until_replicated()
    {
        auto& primary = home_of(moving).raw();
        primary("SET", '{' + moving + "}last", 1); // WAIT waits for the last write of its own connection
        BOOST_TEST(primary("WAIT", 1, 10'000).integer == 1);
        replicated = next;
    }

    /// Works and pushes, before `replace`, until `is_over`, and after it.
    void account_for(std::function<asio::awaitable<void>()> replace, std::function<bool()> is_over,
                     std::function<asio::awaitable<void>(const client&)> check)
    {
        run_with_client([&](client& redis) -> asio::awaitable<void> {
            auto how_to_push = cluster_options();
            how_to_push.command_timeout = 10s;
            client producer{io.get_executor(), how_to_push};
            worker subject{redis, observed()};
            for (const auto& tag : tags) {
                list_queue<int> queue{redis, tagged(tag)};
                auto& book = books[tag];
                subject.handle(queue, [&book](int number) { book.start(number); });
            }
            handle_safe(subject, redis);
            name_of_worker = redis.client_name();
            background working{io.get_executor(), subject.async_run()};
            co_await push_to_all(producer, 200);
            wait_until_replicated();
            for (const auto& tag : tags)
                books[tag].longest_pause = {};
            background replacing{io.get_executor(), replace()};
            co_await push_until(producer, [&] { return replacing.has_ended() && is_over(); });
            co_await replacing.join();
            co_await check(producer);
            taken_over = next;
            co_await push_to_all(producer, 100);
            co_await eventually("all jobs that must be there have run", [&] { return all_have_run(); });
            subject.stop();
            co_await working.join();
            co_await producer.async_stop();
        });
        judge();
    }

    /// All but those that were accepted while the node was being replaced, and not confirmed.
    bool all_have_run()
    {
        if (!books[safe].missing().empty())
            return false;
        return std::all_of(tags.begin(), tags.end(), [&](const std::string& tag) {
            const auto& book = books[tag];
            return tag == moving ? book.missing(0, replicated).empty() && book.missing(taken_over).empty()
                                 : book.missing().empty();
        });
    }

    void judge()
    {
        job_account::clock::duration elsewhere{};
        for (const auto& tag : tags)
            if (tag != moving) {
                BOOST_TEST(books[tag].unknown.empty());
                BOOST_TEST(books[tag].ran_again() == 0);
                elsewhere = std::max(elsewhere, books[tag].longest_pause);
            }
        for (const int number : books[moving].missing()) // whatever the replica had is there
            BOOST_TEST(number >= replicated);
        BOOST_TEST(books[safe].missing().empty());
        BOOST_TEST(!books[safe].acknowledged.empty());
        BOOST_TEST_MESSAGE("next job after " << seconds_of(books[moving].longest_pause)
                                             << " s, elsewhere after " << seconds_of(elsewhere)
                                             << " s; accepted and lost " << books[moving].missing().size()
                                             << ", in doubt " << books[moving].unknown.size()
                                             << ", ran again " << books[moving].ran_again() << "; confirmed "
                                             << books[safe].acknowledged.size() << ", all of which ran");
    }

    void judge_that_nothing_is_lost()
    {
        BOOST_TEST(books[moving].missing().empty());
        BOOST_TEST(books[moving].unknown.empty());
    }

    /// The worker is known at the node, and holds nothing there when all is done.
    asio::awaitable<void> look_at(redis_server& node)
    {
        BOOST_TEST(node("ROLE").texts().front() == "master");
        co_await eventually("the worker is known there",
                            [&] { return node("HLEN", key("workers", moving)).integer == 1; });
        co_await eventually("nothing is in progress",
                            [&] { return node("HLEN", key("progress", moving)).integer == 0; });
    }
};

} // namespace coworker::test
