// SPDX-License-Identifier: MIT
#include "conformance/conformance_test.hpp"

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What every `job_source` does with jobs: handing them out, and storing what became of them.
BOOST_AUTO_TEST_SUITE(taking_and_settling)

BOOST_AUTO_TEST_CASE(jobs_are_taken_in_order_and_not_more_than_asked_for)
{
    with_jobs({"a", "b", "c"}, [](source_kind& kind, member& one) -> asio::awaitable<void> {
        const auto first = co_await one.take(2);
        BOOST_TEST(ids(first) == (std::vector<std::string>{"a", "b"}), boost::test_tools::per_element());
        BOOST_REQUIRE(first.size() == 2u);
        BOOST_TEST(first[0].text() == R"("a")");
        BOOST_TEST(first[0].attempt == 1u);
        BOOST_TEST(first[0].decodable);
        BOOST_TEST(!first[0].in_doubt);
        BOOST_REQUIRE(first[0].lease != nullptr);
        BOOST_TEST(!first[0].lease->empty());
        const auto rest = co_await one.take(5);
        BOOST_TEST(ids(rest) == (std::vector<std::string>{"c"}), boost::test_tools::per_element());
        BOOST_TEST((co_await one.take(5)).empty());
        BOOST_TEST(kind.running() == 3);
        co_await one.source->close();
    });
}

BOOST_AUTO_TEST_CASE(two_workers_never_have_the_same_job)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        member one{kind}, other{kind};
        co_await one.open();
        co_await other.open();
        for (int i = 0; i != 10; ++i)
            kind.push("job" + std::to_string(i));
        auto all = ids(co_await one.take(5));
        for (const auto& id : ids(co_await other.take(10)))
            all.push_back(id);
        std::sort(all.begin(), all.end());
        BOOST_TEST(all.size() == 10u);
        BOOST_TEST((std::unique(all.begin(), all.end()) == all.end()));
    });
}

BOOST_AUTO_TEST_CASE(a_success_is_removed)
{
    with_jobs({"a"}, [](source_kind& kind, member& one) -> asio::awaitable<void> {
        const auto job = co_await one.take_one();
        BOOST_TEST(co_await one.settle(job, success()));
        BOOST_TEST(kind.running() == 0);
        BOOST_TEST(kind.waiting() == 0);
        BOOST_TEST(kind.given_up() == 0);
    });
}

BOOST_AUTO_TEST_CASE(what_is_given_up_is_kept_for_people)
{
    with_jobs({"a", "b"}, [](source_kind& kind, member& one) -> asio::awaitable<void> {
        const auto a = co_await one.take_one(), b = co_await one.take_one();
        BOOST_TEST(co_await one.settle(a, failure("no such address")));
        BOOST_TEST(kind.given_up() == 1);
        BOOST_TEST(co_await one.settle(b, outcome{outcome::kind::broken, "not a letter"}));
        BOOST_TEST(kind.given_up() == 2);
        BOOST_TEST(kind.running() == 0);
        BOOST_TEST((co_await one.take(5)).empty());
    });
}

BOOST_AUTO_TEST_CASE(a_retry_without_a_delay_goes_behind_the_others_and_counts)
{
    with_jobs({"a", "b"}, [](source_kind& kind, member& one) -> asio::awaitable<void> {
        const auto a = co_await one.take_one();
        BOOST_TEST(co_await one.settle(a, retry("busy", 0ms)));
        const auto again = co_await one.take(2);
        BOOST_REQUIRE(again.size() == 2u);
        if (kind.keeps_order())
            BOOST_TEST(again[0].id() == "b");
        for (const auto& each : again)
            BOOST_TEST(each.attempt == (each.id() == "a" ? 2u : 1u));
    });
}

BOOST_AUTO_TEST_CASE(a_retry_with_a_delay_waits_for_its_time)
{
    with_jobs({"a"}, [](source_kind& kind, member& one) -> asio::awaitable<void> {
        const auto a = co_await one.take_one();
        BOOST_TEST(co_await one.settle(a, retry("busy", 1h)));
        BOOST_TEST(kind.scheduled() == 1);
        BOOST_TEST((co_await one.take(5)).empty());
        kind.make_due();
        const auto again = co_await one.take_one();
        BOOST_TEST(again.id() == "a");
        BOOST_TEST(again.attempt == 2u);
    });
}

BOOST_AUTO_TEST_CASE(a_job_that_is_given_back_is_the_next_and_not_counted)
{
    with_jobs({"a", "b"}, [](source_kind&, member& one) -> asio::awaitable<void> {
        const auto a = co_await one.take_one();
        BOOST_TEST(co_await one.settle(a, release()));
        const auto again = co_await one.take_one();
        BOOST_TEST(again.id() == "a");
        BOOST_TEST(again.attempt == 1u);
    });
}

BOOST_AUTO_TEST_CASE(jobs_that_are_given_back_together_come_back_together)
{
    with_jobs({"a", "b", "c", "d"}, [](source_kind& kind, member& one) -> asio::awaitable<void> {
        const auto jobs = co_await one.take(3);
        BOOST_REQUIRE(jobs.size() == 3u);
        const auto back = release();
        std::vector<acknowledgement> all;
        for (const auto& job : jobs)
            all.push_back({&job, &back});
        const auto answer = co_await one.source->ack_and_fetch(all, 0);
        BOOST_TEST(answer.lost.empty());
        auto again = ids(co_await one.take(3));
        if (!kind.keeps_order())
            std::sort(again.begin(), again.end());
        BOOST_TEST(again == (std::vector<std::string>{"a", "b", "c"}), boost::test_tools::per_element());
    });
}

BOOST_AUTO_TEST_CASE(what_is_settled_already_is_lost_and_stays_as_it_is)
{
    with_jobs({"a"}, [](source_kind& kind, member& one) -> asio::awaitable<void> {
        const auto a = co_await one.take_one();
        BOOST_TEST(co_await one.settle(a, failure("once")));
        BOOST_TEST(!(co_await one.settle(a, failure("once"), true)));
        BOOST_TEST(!(co_await one.settle(a, retry("twice", 0ms), true)));
        BOOST_TEST(kind.given_up() == 1);
        BOOST_TEST((co_await one.take(5)).empty());
    });
}

BOOST_AUTO_TEST_CASE(one_call_settles_and_takes)
{
    with_jobs({"a", "b", "c"}, [](source_kind& kind, member& one) -> asio::awaitable<void> {
        const auto jobs = co_await one.take(2);
        BOOST_REQUIRE(jobs.size() == 2u);
        const auto done = success(), failed = failure("no");
        std::vector<acknowledgement> all;
        all.push_back({&jobs[0], &done});
        all.push_back({&jobs[1], &failed});
        const auto answer = co_await one.source->ack_and_fetch(all, 5);
        BOOST_TEST(answer.lost.empty());
        BOOST_TEST(ids(answer.fetched) == (std::vector<std::string>{"c"}), boost::test_tools::per_element());
        BOOST_TEST(kind.running() == 1);
        BOOST_TEST(kind.given_up() == 1);
    });
}

BOOST_AUTO_TEST_SUITE_END()
