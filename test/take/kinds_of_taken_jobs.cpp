// SPDX-License-Identifier: MIT
#include "support/command_calls.hpp"
#include "taken_job_test.hpp"

#include <boost/asio/use_awaitable.hpp>

/// Workers elsewhere that take jobs of some kinds only.
BOOST_AUTO_TEST_SUITE(kinds_of_taken_jobs)

using namespace coworker::test;
using namespace coworker;
using namespace std::chrono_literals;

namespace {

take_options of_kinds(std::vector<taken_kind> kinds, std::chrono::milliseconds wait = 0ms)
{
    take_options options;
    options.kinds = std::move(kinds);
    options.wait = wait;
    return options;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(others_are_left_waiting, taken_job_test)
{
    put("a", "Letter");
    put("b", "Report");
    run([&]() -> asio::awaitable<void> {
        const auto reports = of_kinds({"Report", "Parcel"});
        const auto job = co_await take_one(reports);
        BOOST_TEST(job.id == "b");
        co_await end(job.token, success());
        const auto none = co_await subject.async_take(queue, reports);
        BOOST_TEST(none.empty());
        BOOST_TEST(state("a") == "waiting");
        const auto all = of_kinds({});
        const auto other = co_await take_one(all);
        BOOST_TEST(other.id == "a");
        co_await end(other.token, success());
    });
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(so_are_other_versions, taken_job_test)
{
    put("a", "Letter");
    put("b", "Letter", "{}", "options", R"({"version":2})");
    run([&]() -> asio::awaitable<void> {
        const auto second = of_kinds({taken_kind{"Letter", std::vector{2U, 3U}}});
        const auto job = co_await take_one(second);
        BOOST_TEST(job.id == "b");
        const auto first = of_kinds({"Letter"});
        const auto other = co_await take_one(first);
        BOOST_TEST(other.id == "a");
        co_await end(job.token, success());
        co_await end(other.token, success());
    });
}

/// Each waits for jobs of its kind, and a job that nobody takes wakes none of them again and again.
BOOST_FIXTURE_TEST_CASE(those_who_wait_get_jobs_of_their_kind, taken_job_test)
{
    put("strange", "Strange");
    run([&]() -> asio::awaitable<void> {
        std::string letter, report;
        const auto wait_for = [&](const char* kind, std::string& got) -> asio::awaitable<void> {
            const auto options = of_kinds({kind}, 20s);
            const auto job = co_await take_one(options);
            got = job.id;
            co_await end(job.token, success());
        };
        background letters{io.get_executor(), wait_for("Letter", letter)};
        background reports{io.get_executor(), wait_for("Report", report)};
        co_await let_pass(100ms);
        const auto before = calls_of(server, "evalsha");
        co_await let_pass(300ms);
        BOOST_TEST(calls_of(server, "evalsha") - before < 20);
        put("r", "Report");
        co_await reports.join();
        BOOST_TEST(report == "r");
        BOOST_TEST(letter == "");
        put("l", "Letter");
        co_await letters.join();
        BOOST_TEST(letter == "l");
    });
    BOOST_TEST(state("strange") == "waiting");
}

BOOST_FIXTURE_TEST_CASE(what_makes_no_sense_is_refused, taken_job_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto nameless = of_kinds({""}), version = of_kinds({taken_kind{"Letter", std::vector{0U}}}),
                   letters = of_kinds({"Letter"});
        const auto list = queue_ref::list("mail");
        const auto no_name = co_await error_of([&] { return subject.async_take(queue, nameless); });
        const auto no_version = co_await error_of([&] { return subject.async_take(queue, version); });
        const auto no_kinds = co_await error_of([&] { return subject.async_take(list, letters); });
        BOOST_TEST(no_name == errc::invalid_option);
        BOOST_TEST(no_version == errc::invalid_option);
        BOOST_TEST(no_kinds == errc::invalid_option);
    });
}

BOOST_AUTO_TEST_SUITE_END()
