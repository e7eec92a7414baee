// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/expect.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Jobs with options of their own, and ids that are remembered.
BOOST_AUTO_TEST_SUITE(unique_push)

namespace {

raw_push push_of(const char* json, const char* id = nullptr, std::chrono::milliseconds unique_for = 0ms)
{
    push_options how;
    if (id)
        how.id = id;
    how.unique_for = unique_for;
    return {raw_json{json}, how};
}

std::string flags_of(const std::vector<push_result>& results)
{
    std::string flags;
    for (const auto& result : results)
        flags += result.pushed ? '1' : '0';
    return flags;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(each_job_has_options_of_its_own, client_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<raw_push> jobs{push_of("1"), push_of("2", "a", 1h), push_of("3", "a", 1h),
                                   push_of("4", "a"), push_of("5", "b", 2h)};
        jobs.push_back(push_of("6", "later"));
        jobs.back().options.delay = 1h;
        jobs.push_back(push_of("7", "dated", 1h));
        jobs.back().options.at = std::chrono::sys_days{std::chrono::year{2100} / 1 / 1};
        const auto results = co_await numbers.async_push_each_json(jobs);
        BOOST_TEST(flags_of(results) == "1101111");
        BOOST_TEST(queued_at(results[0].id).has_value());
        BOOST_TEST(results[2].id == "a");
        const std::vector<std::string> expected{"[\"" + results[0].id + "\",1]", R"(["a",2])", R"(["a",4])",
                                                R"(["b",5])"};
        BOOST_TEST(payloads() == expected, boost::test_tools::per_element());
        const auto scheduled = co_await jobs_in(job_state::scheduled);
        BOOST_TEST_REQUIRE(scheduled.size() == 2u);
        BOOST_TEST(scheduled[0].id == "later");
        BOOST_TEST((scheduled[1].due_at == std::chrono::sys_days{std::chrono::year{2100} / 1 / 1}));
        BOOST_TEST(server("SISMEMBER", "hworker-queues", "numbers").integer == 1);
        const auto again = co_await numbers.async_push_each_json(std::move(jobs));
        BOOST_TEST(flags_of(again) == "1001010");
    });
}

BOOST_FIXTURE_TEST_CASE(many_jobs_with_options_keep_their_order, client_test)
{
    run([&]() -> asio::awaitable<void> {
        for (const auto unique_for : {0ms, 3'600'000ms}) {
            server("FLUSHALL");
            std::vector<raw_push> jobs;
            for (int i = 0; i != 1000; ++i) {
                const auto number = std::to_string(i);
                jobs.push_back(push_of(number.c_str(), ("id" + number).c_str(), unique_for));
            }
            const auto results = co_await numbers.async_push_each_json(std::move(jobs));
            BOOST_TEST_REQUIRE(results.size() == 1000u);
            const auto waiting = payloads();
            BOOST_TEST_REQUIRE(waiting.size() == 1000u);
            for (std::size_t i = 0; i != 1000; ++i) {
                const auto number = std::to_string(i);
                BOOST_REQUIRE(results[i].pushed);
                BOOST_REQUIRE(waiting[i] == "[\"id" + number + "\"," + number + "]");
            }
        }
        BOOST_TEST((co_await numbers.async_push_each_json({})).empty());
    });
}

BOOST_FIXTURE_TEST_CASE(all_jobs_are_checked_before_any_is_sent, client_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto error_with = [this](raw_push bad) {
            std::vector<raw_push> jobs{push_of("1"), std::move(bad)};
            return error_of([this, jobs] { return numbers.async_push_each_json(jobs, asio::use_awaitable); });
        };
        const auto no_json = co_await error_with(push_of("{"));
        BOOST_TEST(no_json == errc::not_serializable);
        const auto no_id = co_await error_with(push_of("1", nullptr, 1h));
        BOOST_TEST(no_id == errc::invalid_option);
        const auto negative = co_await error_with(push_of("1", "x", -1ms));
        BOOST_TEST(negative == errc::invalid_option);
        const auto empty = co_await error_with(push_of("1", ""));
        BOOST_TEST(empty == errc::invalid_job_id);
        BOOST_TEST(server("DBSIZE").integer == 0);
    });
}

BOOST_AUTO_TEST_SUITE_END()
