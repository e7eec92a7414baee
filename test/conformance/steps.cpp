// SPDX-License-Identifier: MIT
#include "conformance/worker_test.hpp"
#include "support/failing_source.hpp"

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Steps of jobs: carried out once, also when the answer to a call is lost.
BOOST_AUTO_TEST_SUITE(steps)

namespace {

/// A job with a step, run until its third attempt, on a source one call of which fails. Returns what the runs have seen.
asio::awaitable<std::vector<int>> run_steps(source_kind& kind, const failing_call& which)
{
    const auto plan = std::make_shared<failing_call>(which);
    auto how = kind.leased_for(15s);
    how.backoff = [](unsigned) { return std::chrono::milliseconds{0}; };
    int carried_out = 0;
    std::vector<int> seen;
    test_worker worker{kind};
    worker.subject.handle_source<std::string>(
        std::make_unique<failing_source>(kind.make_source(), plan),
        [&](std::string, job_context& context) -> asio::awaitable<outcome> {
            const int value = co_await context.step("one", [&] { return ++carried_out; });
            co_await context.step("two", [] {});
            seen.push_back(value);
            if (seen.size() < 3)
                co_return retry("again");
            co_return success();
        },
        how);
    const auto before = kind.succeeded();
    background running{kind.io.get_executor(), worker.subject.async_run()};
    kind.push("job" + std::to_string(before));
    co_await eventually("it has succeeded", [&] { return kind.succeeded() == before + 1; });
    worker.subject.stop();
    BOOST_TEST(co_await running.join_and_tell() == "", which.name << ": " << which.code.message());
    if (which.name.empty()) // not in the first attempt, and once in each other one
        BOOST_TEST(plan->calls["read_steps"] == 2);
    co_return seen;
}

} // namespace

BOOST_AUTO_TEST_CASE(have_one_value_in_all_attempts)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        if (!kind.make_source()->can().keeps_steps)
            co_return;
        const std::vector<int> once(3, 1);
        const error_code in_doubt = errc::in_doubt, refused = errc::command_refused;
        const failing_call nothing;
        const auto seen = co_await run_steps(kind, nothing);
        BOOST_TEST(seen == once, boost::test_tools::per_element());
        for (const bool is_carried_out : {false, true}) {
            const failing_call storing{"store_steps", in_doubt, is_carried_out, {}};
            const auto in_spite_of_that = co_await run_steps(kind, storing);
            BOOST_TEST(in_spite_of_that == once, boost::test_tools::per_element());
        }
        for (const auto& code : {in_doubt, refused}) {
            const failing_call reading{"read_steps", code, false, {}};
            const auto in_the_next_attempt = co_await run_steps(kind, reading);
            BOOST_TEST(in_the_next_attempt == once, boost::test_tools::per_element());
        }
        // Nobody knows of it, so the next attempt carries it out again.
        const failing_call storing{"store_steps", refused, false, {}};
        const auto again = co_await run_steps(kind, storing);
        BOOST_TEST(again == std::vector<int>(3, 2), boost::test_tools::per_element());
        BOOST_TEST(kind.given_up() == 0);
        BOOST_TEST(kind.left_of_workers() == "");
    });
}

BOOST_AUTO_TEST_SUITE_END()
