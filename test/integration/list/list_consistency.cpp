// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"

#include "list/consistency.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(list_consistency)

namespace {

asio::awaitable<std::vector<detail::list_finding>> check_all(client& redis, bool repair)
{
    std::vector<detail::list_finding> all;
    std::string cursor = "0";
    do {
        auto page =
            co_await detail::check_list_queue(detail::connection_of(redis), "numbers", cursor, repair, 20);
        all.insert(all.end(), page.items.begin(), page.items.end());
        cursor = page.next;
    } while (cursor != "0");
    co_return all;
}

/// Succeeds, is tried again at once or later, or fails, by what it is given and how often it ran.
outcome handle(int number, job_context& context)
{
    switch (number % 5) {
    case 0:
        return context.attempt() < 2 ? retry("again") : success();
    case 1:
        return context.attempt() < 3 ? retry("later", 1ms) : success();
    case 2:
        return failure("never");
    default:
        return success();
    }
}

} // namespace

BOOST_FIXTURE_TEST_CASE(nothing_is_found_nor_lost_in_a_queue_at_work, client_test)
{
    run([&]() -> asio::awaitable<void> {
        constexpr int jobs = 10'000, duplicates = 100;
        std::vector<int> many;
        for (int i = 0; i != jobs; ++i)
            many.push_back(i);
        co_await numbers.async_push_many(many);
        for (int i = 0; i != duplicates; ++i)
            push_raw(R"(["twin",3])");
        const auto is_done = [&] {
            return server("EXISTS", "hworker-jobs-numbers", "hworker-progress-numbers",
                          "hworker-scheduled-numbers", "hworker-duplicates-numbers")
                       .integer == 0;
        };
        worker steady{redis, observed({.concurrency = 20})};
        steady.handle(numbers, handle);
        auto steady_run = start(steady);
        client other{io.get_executor(), options()};
        list_queue<int> same_numbers{other, "numbers"};
        int checks = 0;
        while (!is_done() && checks < 200) {
            worker passing{other,
                           {.concurrency = 20}}; // it signs on and off while all is checked and repaired
            passing.handle(same_numbers, handle);
            auto passing_run = start(passing);
            for (int i = 0; i != 3; ++i, ++checks) {
                const auto found = co_await check_all(redis, checks % 2 == 1);
                for (const auto& each : found)
                    BOOST_TEST(each.kind + ' ' + each.key + ' ' + each.member == "");
            }
            co_await stop(passing, passing_run);
        }
        BOOST_TEST(checks >= 3);
        co_await eventually("all jobs to end", is_done);
        co_await stop(steady, steady_run);
        const auto sizes = co_await numbers.async_sizes();
        BOOST_TEST(sizes.total_succeeded + sizes.total_failed == jobs + duplicates);
        BOOST_TEST(sizes.total_failed == jobs / 5);
        co_await other.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
