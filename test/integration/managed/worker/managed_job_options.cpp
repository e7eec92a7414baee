// SPDX-License-Identifier: MIT
#include "support/managed_worker_test.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Options that a job brings along, as workers use them. What Redis does with them: test/scripts/managed/own_options.test.
BOOST_AUTO_TEST_SUITE(managed_job_options)

namespace {

struct job_options_test : managed_worker_test
{
    asio::awaitable<void> push(std::string jid, managed_push_options options)
    {
        options.jid = std::move(jid);
        const raw_json data{"{}"};
        co_await mail.async_push("Letter", data, options);
    }

    /// Lets a worker run what is there until something has become of so many jobs.
    template<class Handler>
    asio::awaitable<void> work(Handler handler, event_kind end, std::size_t count, handle_options options)
    {
        worker subject{redis, {.observers = {events.observe()}}};
        subject.handle(mail, handler, options);
        background running{io.get_executor(), subject.async_run(asio::use_awaitable)};
        co_await events.wait_for(end, count);
        subject.stop();
        co_await running.join();
    }
    /// Not as a default argument: g++ 12 would destroy the options twice.
    template<class Handler>
    asio::awaitable<void> work(Handler handler, event_kind end, std::size_t count)
    {
        return work(std::move(handler), end, count, handle_options{});
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(metadata_travel_to_the_handler, job_options_test)
{
    std::map<std::string, std::string> seen;
    bool others_have_none = false;
    run([&]() -> asio::awaitable<void> {
        managed_push_options options;
        options.metadata = {"traceparent", "00-4bf9-00f0-01", "tenant", "4\"2 é"};
        options.priority = 1;
        co_await push("a", options);
        co_await push("b", {});
        const auto handler = [&](raw_json, job_context& context) {
            const auto& details = *context.details<managed_details>();
            if (context.id() == "a")
                seen = details.metadata;
            else
                others_have_none = details.metadata.empty() && !details.timeout && !details.expires_at;
            return success();
        };
        co_await work(handler, event_kind::succeeded, 2);
    });
    const std::map<std::string, std::string> expected{{"tenant", "4\"2 é"},
                                                      {"traceparent", "00-4bf9-00f0-01"}};
    BOOST_TEST((seen == expected));
    BOOST_TEST(others_have_none);
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(a_job_can_have_a_timeout_of_its_own, job_options_test)
{
    run([&]() -> asio::awaitable<void> {
        managed_push_options options;
        options.timeout = 20ms;
        options.retries = 0;
        co_await push("a", options);
        const auto handler = [](raw_json, job_context& context) -> asio::awaitable<void> {
            asio::steady_timer timer{context.get_executor(), 1h};
            co_await timer.async_wait(asio::use_awaitable);
        };
        handle_options slow;
        slow.timeout = 1h;
        co_await work(handler, event_kind::failed, 1, slow);
    });
    BOOST_TEST(failed("Letter:timeout") == std::vector<std::string>{"a"});
}

BOOST_FIXTURE_TEST_CASE(many_expired_jobs_are_in_nobody_s_way, job_options_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<new_managed_job> many(1'000);
        for (auto& each : many) {
            each.kind = "Letter";
            each.options.expiry = 0ms;
        }
        co_await mail.async_push_many(many);
        managed_push_options fresh;
        fresh.expiry = 1h;
        co_await push("last", fresh);
        co_await work([](raw_json) { return success(); }, event_kind::succeeded, 1);
    });
    BOOST_TEST(events.count(event_kind::started) == 1u);
    BOOST_TEST(failed("Letter:expired").size() == 1'000u);
}

BOOST_FIXTURE_TEST_CASE(a_job_can_wait_before_its_retries_as_it_likes, job_options_test)
{
    run([&]() -> asio::awaitable<void> {
        managed_push_options options;
        options.backoff = exponential_backoff{.initial = 1h, .factor = 2, .maximum = 24h, .jitter = 0};
        co_await push("a", options);
        handle_options at_once;
        at_once.backoff = no_backoff;
        co_await work([](raw_json) { return retry("later"); }, event_kind::retried, 1, at_once);
    });
    BOOST_TEST(state("a") == "scheduled");
    const auto due = std::stod(server("ZSCORE", "ql:q:mail-scheduled", "a").text);
    BOOST_TEST(due - std::stod(server("TIME").texts().at(0)) > 3000);
}

BOOST_FIXTURE_TEST_CASE(options_that_make_no_sense_are_refused, job_options_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<managed_push_options> wrong(7);
        wrong[0].timeout = 0ms;
        wrong[1].expiry = -1ms;
        wrong[2].retention = -1ms;
        wrong[3].backoff = exponential_backoff{.jitter = 2};
        wrong[4].metadata = {"", "value"};
        wrong[5].metadata = {"name", std::string(8192, 'x')};
        for (int i = 0; i != 65; ++i)
            wrong[6].metadata.set(std::to_string(i), "");
        for (const auto& options : wrong) {
            error_code refused;
            try {
                co_await push("a", options);
            } catch (const system_error& error) {
                refused = error.code();
            }
            BOOST_TEST((refused == errc::invalid_option));
        }
    });
    BOOST_TEST(server("DBSIZE").integer == 0);
}

BOOST_AUTO_TEST_SUITE_END()
