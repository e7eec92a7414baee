// SPDX-License-Identifier: MIT
#include "suspended_job_test.hpp"

#include "coworker/flow.hpp"
#include "coworker/inspector.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <map>
#include <string>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Jobs that are pushed to wait for a signal, as for a parent.
BOOST_AUTO_TEST_SUITE(managed_awaited_signals)

namespace {

managed_push_options waiting_for(const std::string& signal, const std::string& jid)
{
    managed_push_options how;
    how.wait_for_signal = signal;
    how.jid = jid;
    return how;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(the_signal_lets_the_job_run_and_its_handler_gets_it, suspended_job_test)
{
    std::optional<int> got;
    run_with(
        [&](raw_json, job_context& context) -> asio::awaitable<void> {
            got = co_await context.signal<int>("approved", 0ms);
        },
        [&]() -> asio::awaitable<void> {
            const auto how = waiting_for("approved", "a");
            co_await mail.async_push("Order", 1, how);
            const inspector view{redis};
            auto seen = co_await view.async_job(queue_ref::managed("mail"), "a");
            BOOST_TEST((seen.value().state == job_state::depends));
            BOOST_TEST(seen->options->wait_for_signal == "approved");
            BOOST_TEST(seen->options->awaits_signal);
            const auto sent = co_await jobs.async_signal("a", "approved", 7);
            BOOST_TEST(sent.has_value());
            co_await events.wait_for(event_kind::succeeded);
            seen = co_await view.async_job(queue_ref::managed({}), "a"); // a complete job is in no queue
            BOOST_TEST(!seen.value().options->awaits_signal);
        });
    BOOST_TEST(got.value() == 7);
}

BOOST_FIXTURE_TEST_CASE(a_job_of_a_flow_waits_for_its_parent_and_a_signal, suspended_job_test)
{
    std::vector<std::string> ran;
    run_with([&](raw_json, job_context& context) { ran.emplace_back(context.kind()); },
             [&]() -> asio::awaitable<void> {
                 flow order{redis};
                 const std::string made = order.add(mail, "Make", 1);
                 managed_push_options how;
                 how.wait_for_signal = "approved";
                 const std::string shipped = order.add(mail, "Ship", 2, made, how);
                 co_await order.async_push();
                 co_await events.wait_for(event_kind::succeeded);
                 BOOST_TEST(state(shipped) == "depends");
                 const auto sent = co_await jobs.async_signal(shipped, "approved", 7);
                 BOOST_TEST(sent.has_value());
                 co_await eventually("both have run", [&] { return ran.size() == 2; });
             });
    BOOST_TEST(ran == (std::vector<std::string>{"Make", "Ship"}), boost::test_tools::per_element());
}

/// Parents end and signals are sent at the same time, by two clients: each job runs once.
BOOST_FIXTURE_TEST_CASE(no_signal_is_lost_in_a_race_with_parents, suspended_job_test)
{
    constexpr int count = 30;
    std::map<std::string, int> runs;
    run_with([&](raw_json, job_context& context) { ++runs[std::string{context.id()}]; },
             [&]() -> asio::awaitable<void> {
                 client second{io.get_executor(), options()};
                 const managed_client sender{second};
                 for (int i = 0; i != count; ++i) {
                     const auto number = std::to_string(i);
                     auto parent = managed_push_options{};
                     parent.jid = "parent" + number;
                     parent.delay = 1h;
                     co_await mail.async_push("Parent", 1, parent);
                     auto how = waiting_for("go", "child" + number);
                     how.depends = {"parent" + number};
                     co_await mail.async_push("Child", 1, how);
                 }
                 const inspector view{redis};
                 const auto free_parents = [&]() -> asio::awaitable<void> {
                     for (int i = 0; i != count; ++i) {
                         const text_list ids{"parent" + std::to_string(i)};
                         co_await view.async_act(job_action::run_now, queue_ref::managed("mail"), ids);
                     }
                 };
                 background freeing{io.get_executor(), free_parents()};
                 for (int i = count - 1; i >= 0; --i) {
                     const std::string child = "child" + std::to_string(i);
                     const auto sent = co_await sender.async_signal(child, "go", i);
                     BOOST_TEST(sent.has_value());
                 }
                 co_await freeing.join();
                 co_await eventually("all have run", [&] { return runs.size() == 2 * count; });
                 co_await second.async_stop();
             });
    for (const auto& [jid, times] : runs)
        BOOST_TEST(times == 1, jid);
}

BOOST_AUTO_TEST_SUITE_END()
