// SPDX-License-Identifier: MIT
#include "support/managed_worker_test.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <map>
#include <set>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Unique jobs while producers and workers race.
BOOST_AUTO_TEST_SUITE(managed_unique_races)

namespace {

constexpr int keys = 4, pushes = 150, producers = 4;

struct unique_race_test : managed_worker_test
{
    std::map<std::string, int> pushed_last,
        ran_last; ///< by key: the number of the latest push, the greatest that ran
    std::multiset<std::string> running;
    int runs = 0, at_once = 0, numbers = 0;

    /// Pushes numbers one after the other, under all keys or, if it replaces data, under one of its own: which of two
    /// pushes comes last is not known to producers that race.
    asio::awaitable<void> produce(const client& mine, int which, unique_rule rule)
    {
        const managed_queue queue{mine, "mail"};
        for (int i = 0; i != pushes; ++i) {
            const auto number = ++numbers;
            const auto key = std::to_string(rule.conflict == on_conflict::keep ? number % keys : which);
            managed_push_options options;
            options.unique = rule;
            options.unique.key = key;
            auto& last = pushed_last[key];
            last = std::max(last, number);
            const raw_json data{"[" + key + "," + std::to_string(number) + "]"};
            co_await queue.async_push("Report", data, options);
        }
    }

    /// Lets several producers and workers race; `disturb` says what becomes of each run.
    template<class Disturb>
    void race(unique_rule rule, Disturb disturb)
    {
        run([&]() -> asio::awaitable<void> {
            std::vector<client> clients;
            for (int i = 0; i != producers; ++i)
                clients.emplace_back(io.get_executor(), options());
            client second{io.get_executor(), options()};
            managed_queue same_mail{second, "mail"};
            worker first_worker{redis, {.concurrency = 8}};
            worker second_worker{second, {.concurrency = 8}};
            const auto handle = [&](raw_json job, job_context& context) -> asio::awaitable<outcome> {
                const auto key = job.text.substr(1, 1);
                const auto number = std::stoi(job.text.substr(3));
                running.insert(key);
                at_once = std::max(at_once, static_cast<int>(running.count(key)));
                co_await asio::post(context.get_executor(), asio::use_awaitable);
                running.erase(running.find(key));
                ran_last[key] = std::max(ran_last[key], number);
                ++runs;
                co_return disturb(runs);
            };
            first_worker.handle(mail, handle);
            second_worker.handle(same_mail, handle);
            background one{io.get_executor(), first_worker.async_run(asio::use_awaitable)};
            background two{io.get_executor(), second_worker.async_run(asio::use_awaitable)};
            std::vector<background> pushing;
            for (int i = 0; i != producers; ++i)
                pushing.emplace_back(io.get_executor(),
                                     produce(clients[static_cast<std::size_t>(i)], i, rule));
            for (auto& each : pushing)
                co_await each.join();
            co_await eventually("all jobs have been run", [this] {
                return server.has_none("ql:q:mail-work", "ql:q:mail-locks", "ql:q:mail-scheduled");
            });
            first_worker.stop();
            second_worker.stop();
            co_await one.join();
            co_await two.join();
            for (auto& each : clients)
                co_await each.async_stop();
            co_await second.async_stop();
        });
        BOOST_TEST_MESSAGE(runs << " runs of " << numbers << " pushes");
        BOOST_TEST(broken() == "");
        // Nothing is stuck: each key is free for the next one.
        for (int key = 0; key != keys; ++key) {
            const auto name = std::to_string(key);
            const auto put = qless("put", "", "mail", "new-" + name, "Report", "{}", "0", "unique", name);
            BOOST_TEST(put.text == "new-" + name);
        }
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(jobs_that_are_unique_until_done_never_run_at_once, unique_race_test)
{
    race({}, [](int) { return success(); });
    BOOST_TEST(at_once == 1);
    BOOST_TEST(ran_last.size() == static_cast<std::size_t>(keys));
}

BOOST_FIXTURE_TEST_CASE(nor_do_they_when_they_are_retried_released_or_fail, unique_race_test)
{
    race({}, [](int number) {
        if (number % 7 == 1)
            return retry("again", 1ms);
        if (number % 7 == 3)
            return release();
        return number % 7 == 5 ? failure("no") : success();
    });
    BOOST_TEST(at_once == 1);
}

BOOST_FIXTURE_TEST_CASE(the_last_of_the_data_that_are_replaced_until_the_start_is_run, unique_race_test)
{
    unique_rule rule;
    rule.until = unique_until::started;
    rule.conflict = on_conflict::replace;
    race(rule, [](int number) { return number % 5 == 1 ? retry("again", 1ms) : success(); });
    for (const auto& [key, number] : pushed_last)
        BOOST_TEST(ran_last[key] == number, key);
}

BOOST_AUTO_TEST_SUITE_END()
