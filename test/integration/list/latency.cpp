// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/expect.hpp"

#include "coworker/job_source.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// For how long the next job could have run: not since it was made, if something kept it back.
BOOST_AUTO_TEST_SUITE(latency)

namespace {

/// A payload whose id says that it was queued in 2022.
std::string old_payload(int n)
{
    return "[\"017f22e2-79b0-7cc3-98c4-dc0c0c0739" + std::to_string(10 + n) + "\"," + std::to_string(n) + "]";
}

/// One with an id of another kind, which tells no time: Python's uuid4, say.
const std::string timeless_payload = R"(["0d6bfb2f-6d5c-4b0e-8f3a-5a6b7c8d9e0f",1])";

constexpr std::chrono::milliseconds young{60'000};

struct latency_test : client_test
{
    std::int64_t now() { return std::stoll(server("TIME").texts().at(0)) * 1000; }

    void schedule(const std::string& payload, std::int64_t due)
    {
        server("ZADD", "hworker-scheduled-numbers", due, "some:" + payload);
    }

    asio::awaitable<std::chrono::milliseconds> age()
    {
        const auto sizes = co_await numbers.async_sizes();
        BOOST_TEST_REQUIRE(sizes.oldest_waiting_age.has_value());
        co_return *sizes.oldest_waiting_age;
    }

    /// Takes a job as a worker does and tells what became of it.
    asio::awaitable<void> take_and_tell(outcome result)
    {
        const auto source = numbers.make_source();
        auto taken = co_await source->ack_and_fetch({}, 1);
        BOOST_TEST_REQUIRE(taken.fetched.size() == 1u);
        const std::vector<acknowledgement> settled{{&taken.fetched.front(), &result}};
        co_await source->ack_and_fetch(settled, 0);
        co_await source->close();
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_delayed_job_that_waits_for_its_turn_waits_since_it_was_due, latency_test)
{
    schedule(old_payload(1), now() - 7'200'000);
    schedule(old_payload(2), now() - 3'600'000);
    run([&]() -> asio::awaitable<void> {
        co_await take_and_tell(success()); // both are due, and the second is left
        const auto sizes = co_await numbers.async_sizes();
        BOOST_TEST(sizes.waiting == 1u);
        BOOST_TEST(sizes.overdue == 0u);
        BOOST_TEST_REQUIRE(sizes.oldest_waiting_age.has_value());
        BOOST_TEST((*sizes.oldest_waiting_age >= 1h));
        BOOST_TEST((*sizes.oldest_waiting_age < 1h + young));
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_pushed_with_a_time_in_the_past_wait_since_they_were_pushed, latency_test)
{
    run([&]() -> asio::awaitable<void> {
        const timestamp long_ago{};
        co_await numbers.async_push(1, {.at = long_ago});
        const auto waited = co_await age();
        BOOST_TEST((waited < young));
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_with_an_id_of_ones_own_waits_since_it_was_pushed, latency_test)
{
    run([&]() -> asio::awaitable<void> {
        for (const auto remember : {0ms, 60'000ms}) {
            co_await numbers.async_push(1, {.id = "order-4711", .unique_for = remember});
            co_await numbers.async_push(2, {.id = "order-4712", .unique_for = remember});
            for (const auto& noted : server("ZRANGE", "hworker-ready-numbers", 0, -1).texts())
                server("ZINCRBY", "hworker-ready-numbers", -3'600'000,
                       noted);                      // as if that had been an hour ago
            for (int left = 2; left != 0; --left) { // nobody has looked at the second before
                const auto waited = co_await age();
                BOOST_TEST((waited >= 1h));
                BOOST_TEST((waited < 1h + young));
                co_await take_and_tell(success());
            }
            BOOST_TEST(server("EXISTS", "hworker-ready-numbers").integer == 0);
            server("DEL", "hworker-ids-numbers");
        }
    });
}

BOOST_FIXTURE_TEST_CASE(several_jobs_of_one_call_with_ids_of_ones_own_wait_since_they_were_pushed,
                        latency_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<raw_push> jobs;
        jobs.push_back({raw_json{"1"}, {.id = "order-1"}});
        jobs.push_back({raw_json{"2"}});
        co_await numbers.async_push_each_json(jobs);
        BOOST_TEST(server("ZCARD", "hworker-ready-numbers").integer == 1);
        BOOST_TEST(length() == 2);
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_whose_id_tells_no_time_waits_since_it_was_first_seen_to_be_next, latency_test)
{
    push_raw(timeless_payload);
    run([&]() -> asio::awaitable<void> {
        const auto first = co_await age();
        BOOST_TEST((first < young));
        const auto noted = server("ZRANGE", "hworker-ready-numbers", 0, -1).texts();
        BOOST_TEST_REQUIRE(noted.size() == 1u);
        server("ZINCRBY", "hworker-ready-numbers", -3'600'000,
               noted.front()); // as if that had been an hour ago
        const auto later = co_await age();
        BOOST_TEST((later >= 1h));
        BOOST_TEST((later < 1h + young));
        co_await take_and_tell(success());
        BOOST_TEST(server("EXISTS", "hworker-ready-numbers").integer == 0);
        const auto sizes = co_await numbers.async_sizes();
        BOOST_TEST(!sizes.oldest_waiting_age.has_value());
    });
}

BOOST_FIXTURE_TEST_CASE(who_may_only_read_can_look, latency_test)
{
    push_raw(timeless_payload);
    server("ACL", "SETUSER", "reader", "on", "nopass", "~*", "&*", "+@all", "-@write", "+evalsha", "+eval");
    run([&]() -> asio::awaitable<void> {
        auto as_reader = options();
        as_reader.user = "reader";
        as_reader.password = "any";
        client reading{io.get_executor(), as_reader};
        list_queue<int> same{reading, "numbers"};
        const auto sizes = co_await same.async_sizes();
        BOOST_TEST(sizes.waiting == 1u);
        BOOST_TEST(sizes.oldest_waiting_age.has_value());
        BOOST_TEST(server("EXISTS", "hworker-ready-numbers").integer == 0);
        co_await reading.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
