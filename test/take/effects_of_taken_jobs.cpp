// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/expect.hpp"
#include "support/qless_client.hpp"

#include "coworker/job_taker.hpp"
#include "coworker/managed_queue.hpp"

#include <boost/asio/use_awaitable.hpp>

/// Jobs that were taken are acknowledged with effects.
BOOST_AUTO_TEST_SUITE(effects_of_taken_jobs)

using namespace coworker::test;
using namespace coworker;

namespace {

struct taken_effects_test : client_test, qless_client
{
    managed_queue mail{redis, "mail"}, later{redis, "later"};
    const queue_ref lists = queue_ref::list("numbers"), managed = queue_ref::managed("mail");
    job_taker subject{redis};

    taken_effects_test() : qless_client{client_test::server} {}

    /// Pushes so many jobs and takes them.
    asio::awaitable<std::vector<ended_job>> begin(queue_ref queue, std::size_t count = 1)
    {
        for (std::size_t i = 0; i != count; ++i) {
            if (queue.is_managed())
                co_await mail.async_push("Letter", 1);
            else
                co_await numbers.async_push(1);
        }
        take_options options;
        options.count = count;
        std::vector<ended_job> ended;
        for (const auto& job : co_await subject.async_take(queue, options))
            ended.emplace_back(job.token, success());
        co_return ended;
    }

    std::string counter() { return client_test::server("GET", "counter").text; }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(happen_once_and_only_with_a_success, taken_effects_test)
{
    run([&]() -> asio::awaitable<void> {
        for (const auto& queue : {lists, managed}) {
            auto ended = co_await begin(queue, 3);
            BOOST_TEST_REQUIRE(ended.size() == 3u);
            for (auto& each : ended)
                each.effects.add({"INCR", "counter"});
            ended[1].result = failure("no");
            ended[2].result = release();
            auto ends = co_await subject.async_acknowledge(queue, ended);
            for (const auto& each : ends) {
                BOOST_TEST_REQUIRE(each.has_value());
                BOOST_TEST(each->failure == "");
            }
            BOOST_TEST(counter() == "1");
            ends = co_await subject.async_acknowledge(queue, ended);
            for (const auto& each : ends)
                BOOST_TEST(each.error() == errc::lease_lost);
            BOOST_TEST(counter() == "1");
            client_test::server("DEL", "counter");
        }
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(say_why_a_job_has_failed, taken_effects_test)
{
    client_test::server("SET", "counter", "x");
    run([&]() -> asio::awaitable<void> {
        for (const auto& queue : {lists, managed}) {
            auto ended = co_await begin(queue, 2);
            BOOST_TEST_REQUIRE(ended.size() == 2u);
            ended[0].effects.add({"SET", "other", "y"});
            ended[1].effects.add({"INCR", "counter"});
            const auto ends = co_await subject.async_acknowledge(queue, ended);
            BOOST_TEST(ends.at(0)->failure == "");
            BOOST_TEST(ends.at(1)->failure.starts_with("effect INCR counter: "), ends.at(1)->failure);
        }
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(are_checked_before_any_job_is_acknowledged, taken_effects_test)
{
    run([&]() -> asio::awaitable<void> {
        auto ended = co_await begin(managed, 2);
        ended[1].effects.add({"SET", "ql:j:x", "y"});
        const auto reserved = co_await error_of([&] { return subject.async_acknowledge(managed, ended); });
        BOOST_TEST(reserved == errc::invalid_option);
        ended[1].effects.clear();
        auto ends = co_await subject.async_acknowledge(managed, ended);
        BOOST_TEST(ends.at(0).has_value());
        BOOST_TEST(ends.at(1).has_value());

        ended = co_await begin(lists);
        ended[0].effects.push(later, "Receipt", 1);
        const auto unfit = co_await error_of([&] { return subject.async_acknowledge(lists, ended); });
        BOOST_TEST(unfit == errc::not_supported);
        ended[0].effects.clear();
        ended[0].effects.push(numbers, 5);
        ends = co_await subject.async_acknowledge(lists, ended);
        BOOST_TEST(ends.at(0).has_value());
        BOOST_TEST(payloads().size() == 1u);
    });
    BOOST_TEST(client_test::server("EXISTS", "ql:j:x").integer == 0);
    BOOST_TEST(broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
