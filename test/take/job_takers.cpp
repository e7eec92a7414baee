// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/expect.hpp"
#include "support/qless_client.hpp"

#include "coworker/job_taker.hpp"
#include "coworker/managed_details.hpp"
#include "coworker/managed_queue.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/use_awaitable.hpp>

/// A job is whose who has its token, whichever job taker is asked.
BOOST_AUTO_TEST_SUITE(job_takers)

using namespace coworker::test;
using namespace coworker;
using namespace std::chrono_literals;

namespace {

/// A list queue and a managed one, each with what a test does to both.
struct taker_test : client_test, qless_client
{
    managed_queue mail{redis, "mail"};
    const queue_ref lists = queue_ref::list("numbers");
    const queue_ref managed = queue_ref::managed("mail");
    std::vector<queue_ref> both{lists, managed};
    job_taker subject{redis};

    taker_test() : qless_client{client_test::server} {}

    asio::awaitable<void> push(const queue_ref& queue, int number)
    {
        if (queue.is_managed())
            co_await mail.async_push("Letter", number);
        else
            co_await numbers.async_push(number);
    }

    /// Jobs that nobody has.
    asio::awaitable<std::uint64_t> count_waiting(queue_ref queue)
    {
        const inspector look{redis};
        const auto page = co_await look.async_jobs(queue, job_state::waiting);
        co_return page.jobs.size();
    }

    static take_options named(const char* worker, std::size_t count = 1, std::chrono::milliseconds wait = 0ms)
    {
        take_options options;
        options.worker = worker;
        options.count = count;
        options.wait = wait;
        return options;
    }

    /// Acknowledges a job, which goes well unless its lease was lost.
    asio::awaitable<void> end(queue_ref queue, std::string token, outcome how, bool is_held = true)
    {
        std::vector<ended_job> jobs;
        jobs.emplace_back(token, std::move(how));
        const auto results = co_await subject.async_acknowledge(queue, std::move(jobs));
        BOOST_TEST(results.at(0).has_value() == is_held);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(takes_renews_and_ends_jobs_of_both_kinds_of_queue, taker_test)
{
    run([&]() -> asio::awaitable<void> {
        for (const auto& queue : both) {
            co_await push(queue, 1);
            co_await push(queue, 2);
            const auto jobs = co_await subject.async_take(queue, named("w", 5));
            BOOST_TEST_REQUIRE(jobs.size() == 2u);
            BOOST_TEST(jobs[0].data == "1");
            BOOST_TEST(jobs[1].data == "2");
            BOOST_TEST(jobs[0].attempt == 1u);
            BOOST_TEST(jobs[0].lease > 0ms);
            BOOST_TEST(jobs[0].kind == (queue.is_managed() ? "Letter" : ""));
            // Somebody else goes on with them.
            job_taker other{redis};
            const text_list tokens{jobs[0].token, jobs[1].token};
            const auto renewed = co_await other.async_renew(queue, tokens);
            BOOST_TEST_REQUIRE(renewed.at(0).has_value());
            BOOST_TEST_REQUIRE(renewed.at(1).has_value());
            std::vector<ended_job> ended;
            ended.emplace_back(renewed[0]->token, success());
            ended.emplace_back(renewed[1]->token, failure("no luck"));
            const auto done = co_await other.async_acknowledge(queue, ended);
            BOOST_TEST(done.at(0).has_value());
            BOOST_TEST(done.at(1).has_value());
            const auto again = co_await other.async_acknowledge(queue, ended);
            BOOST_TEST(again.at(0).error() == errc::lease_lost);
            BOOST_TEST(again.at(1).error() == errc::lease_lost);
            const inspector look{redis};
            const auto failed = co_await look.async_jobs(queue, job_state::failed);
            BOOST_TEST_REQUIRE(failed.jobs.size() == 1u);
            BOOST_TEST(failed.jobs[0].message == "no luck");
        }
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(refuses_the_token_of_a_run_whose_lease_was_lost, taker_test)
{
    run([&]() -> asio::awaitable<void> {
        for (const auto& queue : both) {
            co_await push(queue, 1);
            const auto first = co_await subject.async_take(queue, named("w"));
            BOOST_TEST_REQUIRE(first.size() == 1u);
            co_await end(queue, first[0].token, release());
            // The same worker has it again.
            const auto second = co_await subject.async_take(queue, named("w"));
            BOOST_TEST_REQUIRE(second.size() == 1u);
            BOOST_TEST(second[0].id == first[0].id);
            const auto stale = co_await subject.async_renew(queue, text_list{first[0].token});
            BOOST_TEST((stale.at(0).error() == errc::lease_lost));
            co_await end(queue, first[0].token, success(), false);
            co_await end(queue, second[0].token, success());
        }
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(waits_for_a_job_and_serves_those_who_wait_in_turn, taker_test)
{
    run([&]() -> asio::awaitable<void> {
        for (const auto& queue : both) {
            std::vector<std::string> taken;
            const auto wait_for_one = [&](const char* worker) -> asio::awaitable<void> {
                const auto jobs = co_await subject.async_take(queue, named(worker, 1, 1min));
                taken.push_back(worker + jobs.at(0).data);
                co_await end(queue, jobs.at(0).token, success());
            };
            background a{io.get_executor(), wait_for_one("a")};
            background b{io.get_executor(), wait_for_one("b")};
            co_await wait_until_armed(3);
            co_await push(queue, 1);
            co_await a.join();
            BOOST_TEST(!b.has_ended());
            co_await push(queue, 2);
            co_await b.join();
            const std::vector<std::string> in_turn{"a1", "b2"};
            BOOST_TEST(taken == in_turn, boost::test_tools::per_element());
        }
    });
}

BOOST_FIXTURE_TEST_CASE(returns_without_jobs_when_the_time_is_over_or_it_is_stopped, taker_test)
{
    run([&]() -> asio::awaitable<void> {
        for (const auto& queue : both) {
            job_taker other{redis};
            auto jobs = co_await other.async_take(queue);
            BOOST_TEST(jobs.empty());
            jobs = co_await other.async_take(queue, named("w", 1, 10ms));
            BOOST_TEST(jobs.empty());
            const auto wait = [&]() -> asio::awaitable<void> {
                jobs = co_await other.async_take(queue, named("w", 1, 1min));
            };
            background waiting{io.get_executor(), wait()};
            co_await wait_until_armed(3);
            other.stop();
            co_await waiting.join();
            BOOST_TEST(jobs.empty());
        }
    });
}

BOOST_FIXTURE_TEST_CASE(releases_what_it_has_taken_for_somebody_who_has_gone, taker_test)
{
    run([&]() -> asio::awaitable<void> {
        for (const auto& queue : both) {
            co_await subject.async_take(
                queue); // the next one has no need to ask for the number of partitions
            co_await push(queue, 1);
            background taking{io.get_executor(), subject.async_take(queue, named("w", 1, 1min),
                                                                    with_diagnostics(asio::use_awaitable))};
            co_await asio::post(io, asio::use_awaitable); // the call is under way, and has no answer yet
            taking.cancel();
            const auto told = co_await taking.join_and_tell();
            BOOST_TEST(told != "");
            const auto waiting = co_await count_waiting(queue);
            BOOST_TEST(waiting == 1u);
            const auto jobs = co_await subject.async_take(queue);
            BOOST_TEST_REQUIRE(jobs.size() == 1u);
            BOOST_TEST(jobs[0].attempt == 1u);
            if (queue.is_managed())
                BOOST_TEST(history(jobs[0].id) == "put popped timed-out popped");
        }
    });
    BOOST_TEST(client_test::server("HGET", "hworker-counters-numbers", "release").text == "1");
}

BOOST_FIXTURE_TEST_CASE(returns_jobs_of_workers_that_have_vanished_when_their_leases_end, taker_test)
{
    set_option("grace-period", "0");
    run([&]() -> asio::awaitable<void> {
        job_taker_options quick;
        quick.lease = 3s;
        for (const auto& queue : both) {
            set_option("heartbeat", "1");
            co_await push(queue, 1);
            std::string token;
            {
                job_taker vanishing{redis, quick};
                const auto jobs = co_await vanishing.async_take(queue);
                BOOST_TEST_REQUIRE(jobs.size() == 1u);
                token = jobs[0].token;
            }
            set_option("heartbeat", "60"); // of the next lease
            job_taker other{redis, quick};
            const auto jobs = co_await other.async_take(queue, named("w", 1, 1min));
            BOOST_TEST_REQUIRE(jobs.size() == 1u);
            BOOST_TEST(jobs[0].attempt == 2u);
            co_await end(queue, token, success(), false);
            co_await end(queue, jobs[0].token, success());
        }
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(retries_after_the_jobs_back_off_and_gives_up_after_its_attempts, taker_test)
{
    run([&]() -> asio::awaitable<void> {
        job_taker_options twice;
        twice.max_attempts = 2;
        twice.backoff = no_backoff;
        job_taker other{redis, twice};
        co_await push(lists, 1);
        for (const auto attempt : {1u, 2u}) {
            const auto jobs = co_await other.async_take(lists);
            BOOST_TEST_REQUIRE(jobs.size() == 1u);
            BOOST_TEST(jobs[0].attempt == attempt);
            std::vector<ended_job> ended;
            ended.emplace_back(jobs[0].token, retry("later"));
            const auto done = co_await other.async_acknowledge(lists, std::move(ended));
            BOOST_TEST(done.at(0).has_value());
        }
        const auto failed = co_await jobs_in(job_state::failed);
        BOOST_TEST_REQUIRE(failed.size() == 1u);
        BOOST_TEST(failed[0].message == "later (given up after 2 attempts)");

        managed_push_options own;
        own.backoff.emplace().initial = 1h;
        own.metadata = text_map{"tenant", "42"};
        co_await mail.async_push("Letter", 1, own);
        const auto jobs = co_await subject.async_take(managed);
        BOOST_TEST_REQUIRE(jobs.size() == 1u);
        const auto& details = dynamic_cast<const managed_details&>(*jobs[0].details);
        BOOST_TEST(details.metadata.at("tenant") == "42");
        co_await end(managed, jobs[0].token, retry("later"));
        BOOST_TEST(state(jobs[0].id) == "scheduled");
    });
}

BOOST_FIXTURE_TEST_CASE(fails_what_cannot_be_run, taker_test)
{
    run([&]() -> asio::awaitable<void> {
        push_raw("no job");
        co_await push(lists, 2);
        const auto jobs = co_await subject.async_take(lists, named("w", 2));
        BOOST_TEST_REQUIRE(jobs.size() == 1u);
        BOOST_TEST(jobs[0].data == "2");
        const auto undecodable = co_await jobs_in(job_state::broken);
        BOOST_TEST(undecodable.size() == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(refuses_what_makes_no_sense, taker_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await push(lists, 1);
        const auto jobs = co_await subject.async_take(lists);
        BOOST_TEST_REQUIRE(jobs.size() == 1u);
        const auto& token = jobs[0].token;
        for (const std::string& wrong : {std::string{}, std::string{"x"}, token.substr(1), token + '1'}) {
            const auto told = co_await error_of(subject.async_renew(lists, text_list{wrong}));
            BOOST_TEST((told == errc::invalid_option));
        }
        auto told = co_await error_of(subject.async_renew(managed, text_list{token}));
        BOOST_TEST((told == errc::invalid_option));
        for (const auto& options : {named("w", 0), named("w", 129), named(""),
                                    named("coworker:0123456789abcdef0123456789abcdef")}) {
            told = co_await error_of(subject.async_take(managed, options));
            BOOST_TEST((told == errc::invalid_option));
        }
        told = co_await error_of(subject.async_take(queue_ref::list("")));
        BOOST_TEST((told == errc::invalid_queue_name));
    });
}

BOOST_AUTO_TEST_SUITE_END()
