// SPDX-License-Identifier: MIT
#include "support/managed_worker_test.hpp"

#include <boost/test/unit_test.hpp>

#include <map>
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

    std::string message(const std::string& jid)
    {
        return std::string{failure_of(jid).at("message").as_string()};
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(each_outcome_is_stored, outcome_test)
{
    const std::string data = R"({ "big" : 12345678901234567890, "list": [] })";
    const std::map<std::string, std::string> groups{
        {"no json", "Letter:failure"},     {"grouped", "bounced"},
        {"of its kind", "Letter:bounced"}, {"thrown", "Letter:std::out_of_range"},
        {"alone", "Letter:failure"},       {"bytes", "Letter:bytes"}};
    put("kept", "Letter", data);
    put("changed", "Letter", data);
    for (const auto& [jid, group] : groups)
        put(jid, "Letter", data);
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        const auto handler = [&](raw_json, job_context& context) -> asio::awaitable<outcome> {
            const auto jid = context.id();
            if (jid == "thrown")
                throw std::out_of_range{"page 7"};
            co_return jid == "changed" ? success(raw_json{R"({"n":2})"})
            : jid == "no json"         ? success(raw_json{"{n:2"})
            : jid == "grouped"         ? failure("no such address", "bounced")
            : jid == "of its kind"     ? failure("no", ":bounced")
            : jid == "alone"           ? failure("no")
            : jid == "bytes"           ? failure("caf\xe9", ":bytes")
                                       : success();
        };
        subject.handle(mail, handler, {.exceptions = on_exception::fail});
        auto running = start(subject);
        co_await events.wait_for(event_kind::succeeded, 2);
        co_await events.wait_for(event_kind::failed, groups.size());
        co_await stop(subject, running);
    });
    BOOST_TEST(broken() == "");
    BOOST_TEST(state("kept") == "complete");
    BOOST_TEST(field("kept", "data") == data);
    BOOST_TEST(field("kept", "worker") == "");
    BOOST_TEST(field("changed", "data") == R"({"n":2})");
    for (const auto& [jid, group] : groups) {
        BOOST_TEST(state(jid) == "failed", jid);
        BOOST_TEST(field(jid, "data") == data, jid);
        BOOST_TEST(failure_of(jid).at("group").as_string() == group, jid);
        BOOST_TEST(failure_of(jid).at("worker").as_string() == redis.client_name(), jid);
    }
    BOOST_TEST(message("no json").find("not JSON") != std::string::npos);
    BOOST_TEST(message("grouped") == "no such address");
    BOOST_TEST(message("thrown") == "page 7");
    BOOST_TEST(message("bytes") == "caf\xef\xbf\xbd"); // so that the job can be read
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
    BOOST_TEST(message("a") == "busy");
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

BOOST_FIXTURE_TEST_CASE(jobs_advance_to_another_queue, outcome_test)
{
    for (const auto* jid : {"goes", "waits", "lost"})
        put(jid, "Letter", R"({"n":1})");
    qless("put", "", "other", "paper", "Buy", "{}", "0");
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(mail, [](raw_json, job_context& context) {
            return context.id() == "goes"    ? forward("print", {.data = raw_json{R"({"n":2})"}})
                   : context.id() == "waits" ? forward("print", {.delay = 1h, .depends = {"paper"}})
                                             : forward("");
        });
        auto running = start(subject);
        co_await events.wait_for(event_kind::forwarded, 2);
        co_await events.wait_for(event_kind::failed);
        co_await stop(subject, running);
    });
    BOOST_TEST(broken() == "");
    BOOST_TEST(state("goes") == "waiting");
    BOOST_TEST(field("goes", "queue") == "print");
    BOOST_TEST(field("goes", "data") == R"({"n":2})");
    BOOST_TEST(history("goes") == "put popped done put");
    BOOST_TEST(events.of(event_kind::forwarded).at(0).message == "print");
    BOOST_TEST(state("waits") == "depends");
    BOOST_TEST(server("SMEMBERS", "ql:j:waits-dependencies").texts() == std::vector<std::string>{"paper"});
    BOOST_TEST(field("waits", "scheduled") != "");
    BOOST_TEST(message("lost").find("without the name of a queue") != std::string::npos);
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
