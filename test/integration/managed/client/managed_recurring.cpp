// SPDX-License-Identifier: MIT
#include "integration/managed/client/managed_test.hpp"

#include <boost/test/unit_test.hpp>

#include <limits>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(managed_recurring)

BOOST_FIXTURE_TEST_CASE(a_recurring_job_spawns_jobs, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto jid = co_await mail.async_recur("Report", json_text("[1.50]"), 90s,
                                                   {.priority = 0.5, .tags = {"red"}, .backlog = 2});
        BOOST_TEST(jid.size() == 32u);
        const auto popped = co_await pop("w", 5);
        BOOST_TEST(jids_of(popped) == listed(jid + "-1"));
        BOOST_TEST(popped[0].spawned_from == jid);
        BOOST_TEST(popped[0].data == "[1.50]");
        BOOST_TEST(popped[0].priority == 0.5);
        BOOST_TEST(popped[0].retries == 5);
        BOOST_TEST(popped[0].tags == listed("red"));
        const auto job = (co_await jobs.async_recurring(jid)).value();
        BOOST_TEST(job.kind == "Report");
        BOOST_TEST(job.queue == "mail");
        BOOST_TEST((job.interval == 90s));
        BOOST_TEST(job.count == 1);
        BOOST_TEST(job.backlog == 2);
        BOOST_TEST(job.data_as<std::vector<double>>()->front() == 1.5);
    });
}

BOOST_FIXTURE_TEST_CASE(a_recurring_job_is_changed_and_ended, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_recur("k", nothing, 1h, {.jid = "r", .offset = 1h});
        BOOST_TEST((co_await jobs.async_update_recurring("r", {.kind = "l",
                                                               .data = "[2]",
                                                               .queue = "other",
                                                               .interval = 15s,
                                                               .priority = -1,
                                                               .retries = 0,
                                                               .backlog = 3}))
                       .has_value());
        const auto job = (co_await jobs.async_recurring("r")).value();
        BOOST_TEST(job.kind == "l");
        BOOST_TEST(job.data == "[2]");
        BOOST_TEST(job.queue == "other");
        BOOST_TEST((job.interval == 15s));
        BOOST_TEST(job.priority == -1);
        BOOST_TEST(job.retries == 0);
        BOOST_TEST(job.backlog == 3);
        BOOST_TEST((co_await jobs.async_update_recurring("r", {})).has_value());
        BOOST_TEST((co_await jobs.async_tag_recurring("r", {"a", "b"})).value() == listed("a", "b"));
        BOOST_TEST((co_await jobs.async_untag_recurring("r", {"a"})).value() == listed("b"));
        BOOST_TEST((co_await jobs.async_untag_recurring("r", {"b"})).value().empty());
        co_await jobs.async_unrecur("r");
        co_await jobs.async_unrecur("r");
        BOOST_TEST((co_await jobs.async_recurring("r")).error() == errc::recurring_job_not_found);
        BOOST_TEST((co_await jobs.async_update_recurring("r", {.priority = 1})).error() ==
                   errc::recurring_job_not_found);
        BOOST_TEST((co_await jobs.async_tag_recurring("r", "a")).error() == errc::recurring_job_not_found);
        BOOST_TEST((co_await jobs.async_untag_recurring("r", "a")).error() == errc::recurring_job_not_found);
    });
}

BOOST_FIXTURE_TEST_CASE(what_cannot_be_right_is_refused_before_anything_is_sent, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto refused = [&](std::chrono::seconds interval, recur_options options) {
            return error_of(
                [=, queue = &mail] { return queue->async_recur("k", nothing, interval, options); });
        };
        constexpr auto infinity = std::numeric_limits<double>::infinity();
        BOOST_TEST(co_await refused(0s, {}) == errc::invalid_option);
        BOOST_TEST(co_await refused(-1s, {}) == errc::invalid_option);
        BOOST_TEST(co_await refused(1s, {.offset = -1s}) == errc::invalid_option);
        BOOST_TEST(co_await refused(1s, {.jid = ""}) == errc::invalid_job_id);
        BOOST_TEST(co_await refused(1s, {.priority = infinity}) == errc::invalid_option);
        BOOST_TEST(co_await refused(1s, {.tags = ""}) == errc::invalid_option);
        const auto refused_change = [&](recurring_changes changes) {
            return error_of([=, all = &jobs] { return all->async_update_recurring("r", changes); });
        };
        BOOST_TEST(co_await refused_change({.kind = ""}) == errc::invalid_option);
        BOOST_TEST(co_await refused_change({.data = "x"}) == errc::not_serializable);
        BOOST_TEST(co_await refused_change({.queue = ""}) == errc::invalid_queue_name);
        BOOST_TEST(co_await refused_change({.interval = 0s}) == errc::invalid_option);
        BOOST_TEST(co_await refused_change({.priority = infinity}) == errc::invalid_option);
        BOOST_TEST(number_of_keys() == 0);
    });
}

BOOST_AUTO_TEST_SUITE_END()
