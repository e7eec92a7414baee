// SPDX-License-Identifier: MIT
#include "coworker/testing.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::testing;

/// Effects in the test kit.
BOOST_AUTO_TEST_SUITE(effects_in_memory)

BOOST_AUTO_TEST_CASE(a_run_has_the_effects_that_were_handed_over)
{
    const auto run = run_handler<int>(
        [](int number, job_context& context) {
            context.effects().add({"INCRBY", "sum", std::to_string(number)});
        },
        5);
    BOOST_TEST_REQUIRE(run.effects.size() == 1U);
    BOOST_TEST((run.effects[0].words == std::vector<std::string>{"INCRBY", "sum", "5"}));
    BOOST_TEST(!run.effects[0].pushed);
}

BOOST_AUTO_TEST_CASE(a_run_that_does_not_succeed_has_none)
{
    const auto handler = [](int, job_context& context) {
        context.effects().add({"INCR", "n"});
        return failure("no");
    };
    BOOST_TEST(run_handler<int>(handler, 5).effects.empty());
}

BOOST_AUTO_TEST_CASE(jobs_are_pushed_with_the_success_only)
{
    memory_queue<int> orders{"orders"}, receipts{"receipts"};
    orders.push(1);
    std::size_t seen_before = 0;
    const auto handler = [&](int order, job_context& context) -> outcome {
        const auto id = context.effects().push(receipts, order * 10);
        BOOST_TEST(!id.empty());
        seen_before += receipts.pushed().size();
        return context.attempt() == 1 ? retry("again", std::chrono::milliseconds{0}) : success();
    };
    const auto runs = drain(orders, handler);
    BOOST_TEST(runs.size() == 2U);
    BOOST_TEST(seen_before == 0U);
    BOOST_TEST(receipts.pushed() == std::vector<int>{10});
    BOOST_TEST(runs[0].effects.empty());
    BOOST_TEST_REQUIRE(runs[1].effects.size() == 1U);
    BOOST_TEST(runs[1].effects[0].pushed.value().queue == "receipts");
    BOOST_TEST(runs[1].effects[0].pushed.value().job.text == "10");
    BOOST_TEST(receipts.raw().pushed().at(0).id == runs[1].effects[0].pushed.value().id);
}

BOOST_AUTO_TEST_CASE(jobs_may_be_pushed_to_the_queue_that_is_drained)
{
    memory_queue<int> queue;
    queue.push(3);
    const auto runs = drain(queue, [&](int left, job_context& context) {
        if (left > 0)
            (void)context.effects().push(queue, left - 1);
    });
    BOOST_TEST(runs.size() == 4U);
}

BOOST_AUTO_TEST_CASE(commands_that_are_not_permitted_are_refused)
{
    job_effects effects;
    BOOST_CHECK_THROW(effects.add({"GET", "x"}), system_error);
    BOOST_CHECK_THROW(effects.add({"incr", "x"}), system_error);
    BOOST_CHECK_THROW(effects.add(std::vector<std::string>(1001, "DEL")), system_error);
    BOOST_CHECK_THROW(effects.add({"SET", "x", std::string(9'000'000, 'x')}), system_error);
    for (int i = 0; i != 1333; ++i)
        effects.add({"INCR", "x"});
    BOOST_CHECK_THROW(effects.add({"INCR", "x"}), system_error);
    effects.clear();
    effects.add({"INCR", "x"});
    BOOST_TEST(effects.bytes() == 5U);
}

BOOST_AUTO_TEST_SUITE_END()
