// SPDX-License-Identifier: MIT
#include "support/expect.hpp"
#include "support/managed_worker_test.hpp"

#include "coworker/batches.hpp"
#include "coworker/flow.hpp"
#include "coworker/managed_client.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <list>
#include <map>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Jobs that are pushed together and wait for each other.
BOOST_AUTO_TEST_SUITE(managed_flow)

namespace {

struct flow_test : managed_worker_test
{
    managed_client jobs{redis};
    managed_queue press{redis, "press"};
    std::vector<std::string> ran;

    /// Adds up what the parents returned; one without parents returns 1.
    asio::awaitable<int> sum_of_parents(job_context& context)
    {
        ran.emplace_back(context.id());
        int sum = 0;
        const auto parents = context.details<managed_details>()->parents;
        for (const auto& parent : parents)
            sum += co_await context.async_parent_result<int>(parent);
        co_return parents.empty() ? 1 : sum;
    }

    handlers_by_kind handlers()
    {
        handlers_by_kind all;
        all.on<std::string>("Sum",
                            [this](std::string, job_context& context) { return sum_of_parents(context); });
        return all;
    }

    /// Whether each job ran once, behind those for which it waits.
    bool ran_before(const std::string& first, const std::string& second) const
    {
        return std::find(ran.begin(), ran.end(), first) < std::find(ran.begin(), ran.end(), second);
    }

    template<class Test>
    void run_beside(Test test)
    {
        run([&]() -> asio::awaitable<void> {
            worker subject{redis, observed()};
            subject.handle(mail, handlers());
            subject.handle(press, handlers());
            auto running = start(subject);
            co_await test();
            co_await stop(subject, running);
        });
        BOOST_TEST(broken() == "");
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(runs_a_graph_in_its_order, flow_test)
{
    run_beside([&]() -> asio::awaitable<void> {
        flow graph{redis};
        const auto a = graph.add(mail, "Sum", "a");
        const auto b = graph.add(press, "Sum", "b", a);
        const auto c = graph.add(mail, "Sum", "c", a);
        const auto d = graph.add(press, "Sum", "d", {b, c, a});
        co_await graph.async_push();
        BOOST_TEST(co_await jobs.async_wait_for<int>(d) == 3);
        BOOST_TEST(ran.size() == 4u);
        BOOST_TEST((ran_before(a, b) && ran_before(a, c) && ran_before(b, d) && ran_before(c, d)));
    });
}

BOOST_FIXTURE_TEST_CASE(runs_a_chain, flow_test)
{
    run_beside([&]() -> asio::awaitable<void> {
        flow chain{redis};
        for (int i = 0; i != 300; ++i) // more than one step pushes
            chain.then(mail, "Sum", "x");
        co_await chain.async_push();
        BOOST_TEST(co_await jobs.async_wait_for<int>(chain.ids().back()) == 1);
        BOOST_TEST(ran == chain.ids(), boost::test_tools::per_element());
    });
}

BOOST_FIXTURE_TEST_CASE(changes_nothing_when_it_is_pushed_again, flow_test)
{
    run_beside([&]() -> asio::awaitable<void> {
        flow chain{redis};
        const auto first = chain.then(mail, "Sum", "a");
        const auto second = chain.then(mail, "Sum", "b");
        co_await chain.async_push();
        BOOST_TEST(co_await jobs.async_wait_for<int>(second) == 1);
        co_await chain.async_push();
        BOOST_TEST(server("HGET", "ql:j:" + first, "state").text == "complete");
        (void)co_await jobs.async_cancel({second}); // stays, as it is complete
        server("DEL", "ql:j:" + second);            // it was not pushed, say
        co_await chain.async_push();
        BOOST_TEST(co_await jobs.async_wait_for<int>(second) == 1);
        BOOST_TEST(ran.size() == 3u);
        server("ZREM", "ql:completed", "none");
    });
}

BOOST_FIXTURE_TEST_CASE(fails_behind_a_job_that_is_cancelled, flow_test)
{
    run([&]() -> asio::awaitable<void> {
        flow chain{redis, {.on_parent_failure = parent_failure::fail}};
        const auto first = chain.then(mail, "Sum", "a");
        chain.then(mail, "Sum", "b");
        managed_push_options skipped;
        skipped.on_parent_failure = parent_failure::skip;
        chain.then(mail, "Sum", "c", skipped);
        co_await chain.async_push();
        (void)co_await jobs.async_cancel({first});
    });
    BOOST_TEST(server("LLEN", "ql:f:parent-failed").integer == 1);
    BOOST_TEST(server("KEYS", "ql:j:*-dependencies").texts().empty());
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(refuses_what_makes_no_sense, flow_test)
{
    client another{redis.get_executor(), {.url = "unix:///tmp/nowhere"}};
    const managed_queue elsewhere{another, "mail"};
    const managed_queue other_prefix{redis, "mail", {.prefix = "other:"}};
    flow graph{redis};
    const auto a = graph.add(mail, "Sum", "a");
    BOOST_TEST((error_in([&] { graph.add(elsewhere, "Sum", "b"); }) == errc::invalid_option));
    BOOST_TEST((error_in([&] { graph.add(other_prefix, "Sum", "b"); }) == errc::invalid_option));
    managed_push_options how;
    how.depends = a;
    BOOST_TEST((error_in([&] { graph.add(mail, "Sum", "b", {}, how); }) == errc::invalid_option));
    managed_push_options unique;
    unique.unique.key = "u";
    BOOST_TEST((error_in([&] { graph.add(mail, "Sum", "b", {}, unique); }) == errc::invalid_option));
    BOOST_TEST((error_in([&] { flow{redis, {.result_retention = 0ms}}; }) == errc::invalid_option));
    BOOST_TEST(graph.ids().size() == 1u);
}

BOOST_AUTO_TEST_SUITE_END()
