// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/expect.hpp"

#include "coworker/job_taker.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <numeric>
#include <set>

/// A divided list queue is one queue for those who take its jobs, too, and only Redis knows its partitions.
BOOST_AUTO_TEST_SUITE(jobs_of_partitions)

using namespace coworker::test;
using namespace coworker;
using namespace std::chrono_literals;

namespace {

constexpr unsigned partitions = 5;

struct divided_test : client_test
{
    list_queue<int> divided{redis, "numbers", {.partitions = partitions}};
    const queue_ref name = queue_ref::list("numbers");
    job_taker subject{redis};

    static take_options wanted(std::size_t count, std::chrono::milliseconds wait = 0ms)
    {
        take_options options;
        options.count = count;
        options.wait = wait;
        return options;
    }

    /// Acknowledges jobs with success, which goes well for those whose lease holds.
    static asio::awaitable<std::size_t> end_with(const job_taker& taker, queue_ref queue,
                                                 std::vector<taken_job> jobs)
    {
        std::vector<ended_job> ended;
        for (const auto& job : jobs)
            ended.emplace_back(job.token, success());
        const auto results = co_await taker.async_acknowledge(std::move(queue), std::move(ended));
        std::size_t good = 0;
        for (const auto& each : results)
            good += each.has_value() ? 1 : 0;
        co_return good;
    }

    /// What the next `count` jobs say.
    asio::awaitable<std::multiset<int>> take_all(std::size_t count)
    {
        std::multiset<int> all;
        while (all.size() < count) {
            const auto jobs = co_await subject.async_take(name, wanted(4, 1min));
            for (const auto& job : jobs)
                all.insert(std::stoi(job.data));
            const auto good = co_await end_with(subject, name, jobs);
            BOOST_TEST(good == jobs.size());
        }
        co_return all;
    }
};

std::multiset<int> numbers_to(int count)
{
    std::multiset<int> all;
    for (int i = 0; i != count; ++i)
        all.insert(i);
    return all;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(are_taken_from_all_and_from_the_queue_itself, divided_test)
{
    run([&]() -> asio::awaitable<void> {
        for (int i = 0; i != 30; ++i)
            co_await divided.async_push(i);
        for (int i = 30; i != 33; ++i)
            co_await numbers.async_push(i);
        const auto all = co_await take_all(33);
        BOOST_TEST(all == numbers_to(33), boost::test_tools::per_element());
        const auto none = co_await subject.async_take(name);
        BOOST_TEST(none.empty());
        const auto sizes = co_await divided.async_sizes();
        BOOST_TEST(sizes.running == 0u);
        BOOST_TEST(sizes.total_succeeded == 33u);
    });
}

BOOST_FIXTURE_TEST_CASE(wake_those_who_wait_wherever_they_are_pushed, divided_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await divided.async_push(0); // so that Redis knows the partitions
        auto all = co_await take_all(1);
        std::multiset<int> taken;
        const auto take_one = [&]() -> asio::awaitable<void> {
            const auto jobs = co_await subject.async_take(name, wanted(1, 1min));
            taken.insert(std::stoi(jobs.at(0).data));
            co_await end_with(subject, name, jobs);
        };
        for (int i = 1; i != 13; i += 3) {
            background first{io.get_executor(), take_one()}, second{io.get_executor(), take_one()},
                third{io.get_executor(), take_one()};
            co_await divided.async_push(i);
            co_await divided.async_push(i + 1);
            co_await divided.async_push(i + 2);
            co_await first.join();
            co_await second.join();
            co_await third.join();
        }
        taken.merge(all);
        BOOST_TEST(taken == numbers_to(13), boost::test_tools::per_element());
        const auto sizes = co_await divided.async_sizes();
        BOOST_TEST(sizes.total_succeeded == 13u);
    });
}

BOOST_FIXTURE_TEST_CASE(are_whose_who_has_their_token_and_come_back_when_their_leases_end, divided_test)
{
    run([&]() -> asio::awaitable<void> {
        for (int i = 0; i != 3; ++i)
            co_await divided.async_push(i);
        job_taker_options quick;
        quick.lease = 3s;
        const job_taker other{redis, quick};
        std::vector<taken_job> held;
        while (held.size() != 3) {
            auto jobs = co_await other.async_take(name, wanted(3));
            std::move(jobs.begin(), jobs.end(), std::back_inserter(held));
        }
        // One that has not asked for jobs, as after a restart, renews them all.
        const job_taker restarted{redis};
        std::vector<std::string> tokens;
        for (const auto& job : held)
            tokens.push_back(job.token);
        const text_list all_tokens{tokens};
        const auto renewed = co_await restarted.async_renew(name, all_tokens);
        for (std::size_t i = 0; i != held.size(); ++i)
            held[i].token = renewed.at(i).value().token;
        const std::vector<taken_job> kept(held.begin(), held.begin() + 1);
        auto good = co_await end_with(restarted, name, kept);
        BOOST_TEST(good == 1u);
        // The others' leases end.
        for (int i = 0; i != 2; ++i) {
            const auto again = co_await other.async_take(name, wanted(1, 1min));
            BOOST_TEST_REQUIRE(again.size() == 1u);
            BOOST_TEST(again[0].attempt == 2u);
            good = co_await end_with(other, name, again);
            BOOST_TEST(good == 1u);
        }
        good = co_await end_with(restarted, name, held);
        BOOST_TEST(good == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(are_taken_the_more_the_more_wait, divided_test)
{
    run([&]() -> asio::awaitable<void> {
        constexpr int of_the_long_one = 90, of_the_short_one = 10;
        client_test::server("SET", "hworker-partitions-numbers", partitions);
        for (int i = 0; i != of_the_long_one + of_the_short_one; ++i)
            client_test::server("LPUSH",
                                i < of_the_long_one ? "hworker-jobs-{numbers:1}" : "hworker-jobs-{numbers:3}",
                                "[\"id\"," + std::to_string(i) + "]");
        int taken = 0, short_one_ended = 0;
        for (int seen = 0; taken != of_the_long_one + of_the_short_one; ++taken) {
            const auto jobs = co_await subject.async_take(name, wanted(1));
            BOOST_TEST_REQUIRE(jobs.size() == 1u);
            if (std::stoi(jobs[0].data) >= of_the_long_one && ++seen == of_the_short_one)
                short_one_ended = taken;
            co_await end_with(subject, name, jobs);
        }
        BOOST_TEST(short_one_ended > 60); // in turn it would be the twentieth
    });
}

BOOST_FIXTURE_TEST_CASE(are_taken_although_one_of_them_is_broken, divided_test)
{
    run([&]() -> asio::awaitable<void> {
        client_test::server("SET", "hworker-partitions-numbers", partitions);
        client_test::server("SET", "hworker-jobs-{numbers:2}", "something else");
        const std::string name_of_first = "hworker-jobs-{numbers:0}",
                          name_of_last = "hworker-jobs-{numbers:4}";
        const auto push = [&](const std::string& jobs, int number) {
            const auto text = std::to_string(number);
            client_test::server("LPUSH", jobs, "[\"" + text + "\"," + text + "]");
        };
        for (int i = 0; i != 12; ++i)
            push(i % 2 == 0 ? name_of_first : name_of_last, i);
        auto all = co_await take_all(12);
        BOOST_TEST(all == numbers_to(12), boost::test_tools::per_element());
        // Those who wait wait for the others.
        const auto take_one = [&]() -> asio::awaitable<void> {
            const auto one = co_await take_all(1);
            all.insert(one.begin(), one.end());
        };
        const auto failed = co_await error_of([&] { return subject.async_take(name); });
        BOOST_TEST(failed.says("WRONGTYPE"));
        for (int i = 12; i != 16; ++i) {
            background waiting{io.get_executor(), take_one()};
            co_await let_pass(5ms);
            push(name_of_last, i);
            co_await waiting.join();
        }
        BOOST_TEST(all == numbers_to(16), boost::test_tools::per_element());
    });
}

BOOST_FIXTURE_TEST_CASE(have_no_token_of_another_queue, divided_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await divided.async_push(1);
        const auto jobs = co_await subject.async_take(name);
        BOOST_TEST_REQUIRE(jobs.size() == 1u);
        const auto use = [&](queue_ref queue, std::string token) -> asio::awaitable<void> {
            const text_list tokens{std::move(token)};
            co_await subject.async_renew(std::move(queue), tokens);
        };
        auto told = co_await error_of([&] { return use(queue_ref::list("{numbers:1}"), jobs[0].token); });
        BOOST_TEST(told == errc::invalid_option);
        told = co_await error_of([&] { return use(queue_ref::managed("numbers"), jobs[0].token); });
        BOOST_TEST(told == errc::invalid_option);
        told = co_await error_of([&] { return use(name, "1:p4:1024" + jobs[0].token.substr(6)); });
        BOOST_TEST(told == errc::invalid_option);
    });
}

BOOST_FIXTURE_TEST_CASE(are_taken_by_workers_that_count_once_each, divided_test)
{
    run([&]() -> asio::awaitable<void> {
        for (int i = 0; i != 20; ++i)
            co_await divided.async_push(i);
        for (const auto* worker : {"a", "b", "c", "b"}) // from several partitions
            for (int i = 0; i != 3; ++i) {
                auto options = wanted(1);
                options.worker = worker;
                const auto jobs = co_await subject.async_take(name, options);
                BOOST_TEST(jobs.size() == 1u);
            }
        co_await eventually("they are noted",
                            [&] { return server("ZCARD", "hworker-remote-numbers").integer == 3; });
        co_await eventually("the queue is known, which nobody has pushed to but its partitions",
                            [&] { return server("SISMEMBER", "hworker-queues", "numbers").integer == 1; });
        const auto sizes = co_await divided.async_sizes();
        BOOST_TEST(sizes.workers == 3u);
        const inspector look{redis};
        const auto queue = co_await look.async_queue(name);
        BOOST_TEST(queue->workers.value() == 3u);
        const auto found = co_await look.async_workers(queue_kind::list);
        std::set<std::string> names;
        for (const auto& each : found.workers)
            names.insert(each.name);
        BOOST_TEST((names == std::set<std::string>{"", "a", "b", "c"}));
    });
}

BOOST_AUTO_TEST_SUITE_END()
