// SPDX-License-Identifier: MIT
#include "support/expect.hpp"
#include "support/managed_worker_test.hpp"

#include "coworker/managed_client.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>
#include <sstream>
#include <string>
#include <vector>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// What becomes of jobs when one that they wait for fails or is cancelled, and what they read of those.
BOOST_AUTO_TEST_SUITE(managed_parents)

namespace {

struct parents_test : managed_worker_test
{
    managed_client jobs{redis};
    std::vector<std::string> ran;

    /// Pushes a job whose data is its id, with these parents, which are separated by blanks.
    asio::awaitable<void> push(std::string id, std::string kind, std::string parents = "",
                               std::optional<parent_failure> what = std::nullopt)
    {
        std::vector<std::string> all;
        std::istringstream words{parents};
        for (std::string parent; words >> parent;)
            all.push_back(parent);
        managed_push_options how;
        how.jid = id;
        how.depends = all;
        how.on_parent_failure = what;
        how.reads_parents = !parents.empty();
        co_await mail.async_push(kind, id, how);
    }

    /// Runs a worker beside the test. "Fine" returns the length of its text, "Bad" fails.
    template<class Test>
    void run_beside(Test test, handlers_by_kind handlers = {})
    {
        handlers.on<std::string>("Fine", [this](const std::string& id) {
            ran.push_back(id);
            return static_cast<int>(id.size());
        });
        handlers.on<std::string>("Bad", [this](const std::string& id) {
            ran.push_back(id);
            return failure("no");
        });
        run([&]() -> asio::awaitable<void> {
            worker subject{redis, observed()};
            subject.handle(mail, std::move(handlers));
            auto running = start(subject);
            co_await test();
            co_await stop(subject, running);
        });
        BOOST_TEST(broken() == "");
    }

    std::string state(const std::string& id) { return server("HGET", "ql:j:" + id, "state").text; }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(children_do_what_they_said_when_their_parent_fails, parents_test)
{
    run_beside([&]() -> asio::awaitable<void> {
        // the parent comes last, so that none of the others is put behind its end
        co_await push("gate", "Fine");
        qless("pause", "mail");
        co_await push("p", "Bad");
        co_await push("fails", "Fine", "p", parent_failure::fail);
        co_await push("skipped", "Fine", "p", parent_failure::skip);
        co_await push("goes", "Fine", "p", parent_failure::go_on);
        co_await push("waits", "Fine", "p");
        co_await push("grandchild", "Fine", "fails", parent_failure::go_on);
        qless("unpause", "mail");
        (void)co_await jobs.async_wait_for<int>("goes");
        (void)co_await jobs.async_wait_for<int>("grandchild");
    });
    BOOST_TEST(state("fails") == "failed");
    BOOST_TEST(state("skipped") == "");
    BOOST_TEST(state("waits") == "depends");
    BOOST_TEST(server("HGET", "ql:j:goes", "failed_parents").text == R"(["p"])");
    BOOST_TEST(server("LRANGE", "ql:f:parent-failed", "0", "-1").texts() == std::vector<std::string>{"fails"},
               boost::test_tools::per_element());
    BOOST_TEST(server("EXISTS", "ql:coworker:ended-parents", "ql:coworker:affected:p").integer == 0);
}

BOOST_FIXTURE_TEST_CASE(a_handler_reads_what_its_parents_returned, parents_test)
{
    std::vector<std::string> parents;
    int sum = 0;
    error_code of_failed, of_missing;
    handlers_by_kind handlers;
    handlers.on<std::string>("Sum", [&](std::string, job_context& context) -> asio::awaitable<outcome> {
        parents = context.details<managed_details>()->parents;
        sum = co_await context.async_parent_result<int>("four");
        sum += (co_await context.async_parent_result<std::optional<int>>("three3")).value_or(0);
        const auto failed = co_await error_of([&] { return context.async_parent_result<int>("bad"); });
        const auto missing = co_await error_of([&] { return context.async_parent_result<int>("none"); });
        of_failed = failed.code.value_or(error_code{});
        of_missing = missing.code.value_or(error_code{});
        co_return success();
    });
    run_beside(
        [&]() -> asio::awaitable<void> {
            co_await push("four", "Fine");
            co_await push("three3", "Fine");
            co_await push("bad", "Bad");
            co_await push("sum", "Sum", "four three3 bad", parent_failure::go_on);
            co_await jobs.async_wait_for("sum");
        },
        std::move(handlers));
    const std::vector<std::string> expected{"four", "three3", "bad"};
    BOOST_TEST(parents == expected, boost::test_tools::per_element());
    BOOST_TEST(sum == 10);
    BOOST_TEST((of_failed == errc::job_failed));
    BOOST_TEST((of_missing == errc::job_not_found));
}

BOOST_FIXTURE_TEST_CASE(a_job_says_for_how_long_its_result_is_kept, parents_test)
{
    run_beside([&]() -> asio::awaitable<void> {
        managed_push_options how;
        how.result_retention = 240h;
        how.jid = "long";
        co_await mail.async_push("Fine", std::string{"x"}, how);
        (void)co_await jobs.async_wait_for<int>("long");
    });
    BOOST_TEST(server("TTL", "ql:coworker:result:long").integer > 239 * 3600);
}

/// More than one call sees to, and nobody takes jobs of their queue, nor of any other: the monitor sees to the rest.
BOOST_FIXTURE_TEST_CASE(the_monitor_sees_to_what_is_left, parents_test)
{
    run_beside([&]() -> asio::awaitable<void> {
        qless("put", "", "other", "p", "k", "{}", "0");
        for (int i = 0; i != 1001; ++i)
            qless("put", "", "other", "c" + std::to_string(i), "k", "{}", "0", "depends", R"(["p"])",
                  "options", R"({"on_parent_failure":"skip"})");
        qless("cancel", "p");
        BOOST_TEST(server("ZCARD", "ql:q:other-depends").integer == 801);
        co_await eventually("all are seen to", [&] {
            return server("EXISTS", "ql:q:other-depends", "ql:coworker:ended-parents").integer == 0;
        });
    });
}

/// A thousand and more that wait for one are freed in steps. Workers of qless, which may be left alone, could not go on.
BOOST_FIXTURE_TEST_CASE(a_worker_that_stops_frees_all_that_waited_for_its_job, parents_test)
{
    run([&]() -> asio::awaitable<void> {
        qless("pause", "other"); // nothing else is to be done there
        co_await push("p", "Stop");
        for (int i = 0; i != 1500; ++i)
            qless("put", "", "other", "c" + std::to_string(i), "k", "{}", "0", "depends", R"(["p"])");
        worker subject{redis, observed()};
        handlers_by_kind handlers;
        handlers.on<std::string>("Stop", [&](const std::string&) { subject.stop(); });
        subject.handle(mail, std::move(handlers));
        auto running = start(subject);
        co_await running.join();
    });
    BOOST_TEST(server("ZCARD", "ql:q:other-work").integer == 1500);
    BOOST_TEST(
        server("EXISTS", "ql:q:other-depends", "ql:coworker:ended-parents", "ql:coworker:freed:p").integer ==
        0);
}

BOOST_FIXTURE_TEST_CASE(a_call_of_complete_frees_all_that_waited, parents_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await push("p", "Fine");
        for (int i = 0; i != 1500; ++i)
            qless("put", "", "other", "c" + std::to_string(i), "k", "{}", "0", "depends", R"(["p"])");
        qless("pop", "mail", "w", "1");
        const text_list words{"server", "p", "w", "mail", "{}"};
        const auto done = co_await jobs.async_call("complete", words);
        BOOST_TEST(done.text == "complete");
    });
    BOOST_TEST(server("ZCARD", "ql:q:other-work").integer == 1500);
    BOOST_TEST(server("EXISTS", "ql:q:other-depends", "ql:coworker:ended-parents").integer == 0);
}

BOOST_FIXTURE_TEST_CASE(what_makes_no_sense_is_refused, parents_test)
{
    run([&]() -> asio::awaitable<void> {
        managed_push_options how;
        how.result_retention = 0ms;
        const auto at_once = co_await error_of([&] { return mail.async_push("k", 1, how); });
        BOOST_TEST((at_once == errc::invalid_option));
        managed_push_options many;
        many.reads_parents = true;
        many.depends = std::vector<std::string>(1001, "x");
        const auto too_many = co_await error_of([&] { return mail.async_push("k", 1, many); });
        BOOST_TEST((too_many == errc::invalid_option));
        many.reads_parents = false;
        (void)co_await mail.async_push("k", 1, many);
    });
}

BOOST_AUTO_TEST_SUITE_END()
