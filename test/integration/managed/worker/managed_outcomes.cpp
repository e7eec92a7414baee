// SPDX-License-Identifier: MIT
#include "support/managed_worker_test.hpp"

#include <boost/test/unit_test.hpp>

#include <stdexcept>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(managed_outcomes)

namespace {

struct outcome_test : managed_worker_test
{
    /// Runs one job, "a" of kind "Letter", under a handler until something has become of it.
    template<class Handler>
    void run_job(Handler handler, event_kind end, handle_options options = {})
    {
        run([&]() -> asio::awaitable<void> {
            worker subject{redis, observed()};
            subject.handle(mail, handler, options);
            auto running = start(subject);
            co_await events.wait_for(end);
            co_await stop(subject, running);
        });
        BOOST_TEST(broken() == "");
    }

    std::string message() { return std::string{failure_of("a").at("message").as_string()}; }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(success_completes_the_job_and_keeps_its_data, outcome_test)
{
    const std::string data = R"({ "big" : 12345678901234567890, "list": [] })";
    put("a", "Letter", data);
    run_job([](raw_json) { return success(); }, event_kind::succeeded);
    BOOST_TEST(state("a") == "complete");
    BOOST_TEST(field("a", "data") == data);
    BOOST_TEST(field("a", "worker") == "");
}

BOOST_FIXTURE_TEST_CASE(success_can_leave_other_data_behind, outcome_test)
{
    put("a", "Letter", R"({"n":1})");
    run_job([](raw_json) { return success(raw_json{R"({"n":2})"}); }, event_kind::succeeded);
    BOOST_TEST(field("a", "data") == R"({"n":2})");
}

BOOST_FIXTURE_TEST_CASE(data_that_are_not_json_fail_the_job_rather_than_hang_it, outcome_test)
{
    put("a", "Letter", R"({"n":1})");
    run_job([](raw_json) { return success(raw_json{"{n:2"}); }, event_kind::failed);
    BOOST_TEST(state("a") == "failed");
    BOOST_TEST(field("a", "data") == R"({"n":1})");
    BOOST_TEST(message().find("not JSON") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_failure_is_filed_under_its_group, outcome_test)
{
    put("a", "Letter");
    run_job([](raw_json) { return failure("no such address", "bounced"); }, event_kind::failed);
    BOOST_TEST(state("a") == "failed");
    BOOST_TEST(failed("bounced") == std::vector<std::string>{"a"});
    BOOST_TEST(message() == "no such address");
    BOOST_TEST(failure_of("a").at("worker").as_string() == redis.client_name());
}

BOOST_FIXTURE_TEST_CASE(a_group_that_begins_with_a_colon_is_the_kind_s_own, outcome_test)
{
    put("a", "Letter");
    run_job([](raw_json) { return failure("no", ":bounced"); }, event_kind::failed);
    BOOST_TEST(failed("Letter:bounced") == std::vector<std::string>{"a"});
}

BOOST_FIXTURE_TEST_CASE(a_failure_without_a_group_has_a_place_as_well, outcome_test)
{
    put("a", "Letter");
    run_job([](raw_json) { return failure("no"); }, event_kind::failed);
    BOOST_TEST(failed("Letter:failure") == std::vector<std::string>{"a"});
}

BOOST_FIXTURE_TEST_CASE(exceptions_are_grouped_by_their_type, outcome_test)
{
    put("a", "Letter");
    run_job(
        [](raw_json) -> asio::awaitable<void> {
            throw std::out_of_range{"page 7"};
            co_return;
        },
        event_kind::failed, {.exceptions = on_exception::fail});
    BOOST_TEST(failed("Letter:std::out_of_range") == std::vector<std::string>{"a"});
    BOOST_TEST(message() == "page 7");
}

BOOST_FIXTURE_TEST_CASE(a_message_that_is_not_utf8_leaves_a_job_that_can_be_read, outcome_test)
{
    put("a", "Letter");
    run_job([](raw_json) { return failure("caf\xe9"); }, event_kind::failed);
    BOOST_TEST(message() == "caf\xef\xbf\xbd");
}

BOOST_FIXTURE_TEST_CASE(a_retry_with_a_delay_waits_and_runs_again, outcome_test)
{
    put("a", "Letter");
    std::vector<unsigned> attempts;
    std::string seen_failure;
    run_job(
        [&](raw_json, job_context& context) {
            attempts.push_back(context.attempt());
            seen_failure = context.details<managed_details>()->failure;
            return context.attempt() == 1 ? retry("busy", 30ms, "line") : success();
        },
        event_kind::succeeded);
    BOOST_TEST(attempts == (std::vector<unsigned>{1, 2}), boost::test_tools::per_element());
    BOOST_TEST(seen_failure.find(R"("message":"busy")") != std::string::npos);
    BOOST_TEST(seen_failure.find(R"("group":"line")") != std::string::npos);
    BOOST_TEST(state("a") == "complete");
    const auto retried = events.of(event_kind::retried);
    BOOST_REQUIRE(retried.size() == 1u);
    BOOST_TEST(retried[0].delay.count() == 30);
}

BOOST_FIXTURE_TEST_CASE(a_retry_uses_the_back_off_of_the_queue, outcome_test)
{
    put("a", "Letter");
    run_job([](raw_json) { return retry("busy"); }, event_kind::retried,
            {.backoff = [](unsigned) { return 3'600'000ms; }});
    BOOST_TEST(state("a") == "scheduled");
    const auto due = std::stod(server("ZSCORE", "ql:q:mail-scheduled", "a").text);
    const auto now = std::stod(server("TIME").texts().at(0));
    BOOST_TEST(due - now > 3500.0);
    BOOST_TEST(due - now < 3605.0);
}

BOOST_FIXTURE_TEST_CASE(the_job_s_own_retries_decide_when_it_fails, outcome_test)
{
    put("a", "Letter", "{}", "retries", "2");
    int runs = 0;
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(mail,
                       [&](raw_json) {
                           ++runs;
                           return retry("busy", 0ms);
                       },
                       {.max_attempts = 1}); // of no effect here
        auto running = start(subject);
        co_await eventually("the job has failed", [&] { return state("a") == "failed"; });
        co_await stop(subject, running);
    });
    BOOST_TEST(runs == 3);
    BOOST_TEST(events.count(event_kind::retried) == 2u);
    BOOST_TEST_REQUIRE(events.of(event_kind::failed).size() == 1u);
    BOOST_TEST(events.of(event_kind::failed)[0].message == "busy (given up after 3 attempts)");
    BOOST_TEST(failed("Letter:retry") == std::vector<std::string>{"a"});
    BOOST_TEST(message() == "busy");
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(what_is_always_thrown_fails_when_the_job_s_own_retries_are_used_up, outcome_test)
{
    put("a", "Letter", "{}", "retries", "2");
    run_job([](raw_json) { throw std::runtime_error{"never"}; }, event_kind::failed,
            {.max_attempts = 1, .backoff = no_backoff});
    BOOST_TEST(state("a") == "failed");
    BOOST_TEST(events.count(event_kind::retried) == 2u);
    BOOST_TEST(events.of(event_kind::failed).at(0).message == "never (given up after 3 attempts)");
    BOOST_TEST(failed("Letter:std::runtime_error") == std::vector<std::string>{"a"});
}

BOOST_FIXTURE_TEST_CASE(a_job_advances_to_another_queue, outcome_test)
{
    put("a", "Letter", R"({"n":1})");
    run_job([](raw_json) { return forward("print", {.data = raw_json{R"({"n":2})"}}); },
            event_kind::forwarded);
    BOOST_TEST(state("a") == "waiting");
    BOOST_TEST(field("a", "queue") == "print");
    BOOST_TEST(field("a", "data") == R"({"n":2})");
    BOOST_TEST(history("a") == "put popped done put");
    BOOST_TEST(events.of(event_kind::forwarded).at(0).message == "print");
}

BOOST_FIXTURE_TEST_CASE(a_job_advances_after_a_delay_and_behind_others, outcome_test)
{
    put("a", "Letter");
    qless("put", "", "other", "paper", "Buy", "{}", "0");
    run_job([](raw_json) { return forward("print", {.delay = 1h, .depends = {"paper"}}); },
            event_kind::forwarded);
    BOOST_TEST(state("a") == "depends");
    BOOST_TEST(server("SMEMBERS", "ql:j:a-dependencies").texts() == std::vector<std::string>{"paper"});
    BOOST_TEST(field("a", "scheduled") != "");
}

BOOST_FIXTURE_TEST_CASE(advancing_to_no_queue_fails_the_job, outcome_test)
{
    put("a", "Letter");
    run_job([](raw_json) { return forward(""); }, event_kind::failed);
    BOOST_TEST(state("a") == "failed");
    BOOST_TEST(message().find("without the name of a queue") != std::string::npos);
}

BOOST_FIXTURE_TEST_CASE(a_job_of_a_list_queue_cannot_advance, outcome_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        worker subject{redis, observed()};
        subject.handle(numbers, [](int) { return forward("print"); });
        co_await work(subject, 1);
        const auto jobs = co_await jobs_in(job_state::failed);
        BOOST_REQUIRE(jobs.size() == 1u);
        BOOST_TEST(jobs[0].message.find("only managed queues have a next queue") != std::string::npos);
    });
}

BOOST_FIXTURE_TEST_CASE(a_timeout_is_a_group_of_its_own, outcome_test)
{
    put("a", "Letter");
    run_job([](raw_json) -> asio::awaitable<void> { co_await let_pass(60s); }, event_kind::failed,
            {.timeout = 50ms, .exceptions = on_exception::fail});
    BOOST_TEST(failed("Letter:timeout") == std::vector<std::string>{"a"});
}

BOOST_AUTO_TEST_SUITE_END()
