// SPDX-License-Identifier: MIT
#include "integration/managed/client/managed_test.hpp"

#include <boost/test/unit_test.hpp>

#include <cmath>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(managed_dependencies)

BOOST_FIXTURE_TEST_CASE(an_unknown_job_is_not_found, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        BOOST_TEST((co_await jobs.async_get("x")).error() == errc::job_not_found);
        BOOST_TEST((co_await jobs.async_multiget({"x", "y"})).empty());
        BOOST_TEST((co_await jobs.async_timeout("x")).error() == errc::job_not_found);
        BOOST_TEST((co_await jobs.async_set_priority("x", 1)).error() == errc::job_not_found);
        BOOST_TEST((co_await jobs.async_log("x", "hello")).error() == errc::job_not_found);
        BOOST_TEST((co_await jobs.async_tag("x", "t")).error() == errc::job_not_found);
        BOOST_TEST((co_await jobs.async_untag("x", "t")).error() == errc::job_not_found);
        BOOST_TEST((co_await jobs.async_track("x")).error() == errc::job_not_found);
        BOOST_TEST((co_await jobs.async_untrack("x")).error() == errc::job_not_found);
        BOOST_TEST((co_await jobs.async_add_dependencies("x", "y")).error() == errc::job_not_found);
        BOOST_TEST((co_await jobs.async_remove_dependencies("x", "y")).error() == errc::job_not_found);
        BOOST_TEST((co_await jobs.async_remove_all_dependencies("x")).error() == errc::job_not_found);
        BOOST_TEST((co_await jobs.async_cancel("x")).has_value()); // qless does not mind
        BOOST_TEST(number_of_keys() == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(an_empty_jid_is_refused, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto refused = [&](auto function) -> asio::awaitable<void> {
            BOOST_TEST(co_await error_of(function) == errc::invalid_job_id);
        };
        co_await refused([&] { return jobs.async_get(""); });
        co_await refused([&] { return jobs.async_multiget({"a", ""}); });
        co_await refused([&] { return jobs.async_cancel({"a", ""}); });
        co_await refused([&] { return jobs.async_timeout(""); });
        co_await refused([&] { return jobs.async_set_priority("", 1); });
        co_await refused([&] { return jobs.async_log("", "m"); });
        co_await refused([&] { return jobs.async_tag("", "t"); });
        co_await refused([&] { return jobs.async_track(""); });
        co_await refused([&] { return jobs.async_add_dependencies("", "a"); });
        co_await refused([&] { return jobs.async_add_dependencies("a", ""); });
        co_await refused([&] { return jobs.async_remove_dependencies("a", ""); });
        co_await refused([&] { return jobs.async_remove_all_dependencies(""); });
        co_await refused([&] { return jobs.async_recurring(""); });
        co_await refused([&] { return jobs.async_unrecur(""); });
        BOOST_TEST(number_of_keys() == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_are_cancelled_together_with_those_that_wait_for_them, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_push("k", nothing, {.jid = "a"});
        co_await mail.async_push("k", nothing, {.jid = "b", .depends = "a"});
        BOOST_TEST((co_await jobs.async_cancel("a")).error() == errc::still_depended_on);
        BOOST_TEST((co_await jobs.async_get("a")).has_value());
        BOOST_TEST((co_await jobs.async_cancel({"a", "b", "unknown"})).has_value());
        BOOST_TEST((co_await jobs.async_get("a")).error() == errc::job_not_found);
        BOOST_TEST((co_await jobs.async_get("b")).error() == errc::job_not_found);
        BOOST_TEST((co_await jobs.async_cancel({})).has_value());
    });
}

BOOST_FIXTURE_TEST_CASE(a_timed_out_job_is_handed_out_next, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto popped = co_await pop_new(2);
        co_await mail.async_push("k", nothing, {.jid = "urgent", .priority = 1e6});
        BOOST_TEST((co_await jobs.async_timeout({"1", "urgent"})).error() == errc::job_not_running);
        BOOST_TEST((co_await complete_job(jobs, popped[1])).has_value());
        BOOST_TEST((co_await jobs.async_timeout("1")).has_value());
        BOOST_TEST((co_await jobs.async_get("1")).value().worker == "w");
        BOOST_TEST(((co_await jobs.async_get("1")).value().state == managed_state::stalled));
        BOOST_TEST(!(co_await jobs.async_get("1")).value().expires);
        BOOST_TEST(jids_of(co_await pop("v")) == listed("1"));
        BOOST_TEST((co_await heartbeat_job(jobs, popped[0])).error() == errc::lease_lost);
    });
}

BOOST_FIXTURE_TEST_CASE(a_priority_is_changed, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        for (const auto* jid : {"a", "b"})
            co_await mail.async_push("k", nothing, {.jid = jid});
        BOOST_TEST((co_await jobs.async_set_priority("b", 0.25)).has_value());
        BOOST_TEST((co_await jobs.async_get("b")).value().priority == 0.25);
        BOOST_TEST(jids_of(co_await mail.async_peek(2)) == listed("b", "a"));
        const auto error = co_await error_of([&] { return jobs.async_set_priority("a", std::nan("")); });
        BOOST_TEST(error == errc::invalid_option);
    });
}

BOOST_FIXTURE_TEST_CASE(a_message_is_added_to_the_history, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_push("k", nothing, {.jid = "j"});
        BOOST_TEST((co_await jobs.async_log("j", "looked at", R"({"by": "ada"})")).has_value());
        BOOST_TEST((co_await jobs.async_log("j", "again")).has_value());
        const auto history = (co_await jobs.async_get("j")).value().history;
        BOOST_TEST_REQUIRE(history.size() == 3u);
        BOOST_TEST(history[1].what == "looked at");
        BOOST_TEST(history[1].details == R"({"by":"ada"})");
        BOOST_TEST(history[2].details.empty());
        const auto refused = [&](std::string_view message, std::string_view details) {
            return error_of([=, this_jobs = &jobs] { return this_jobs->async_log("j", message, details); });
        };
        BOOST_TEST(co_await refused("m", "[1]") == errc::not_serializable);
        BOOST_TEST(co_await refused("m", " 7") == errc::not_serializable);
        BOOST_TEST(co_await refused("m", "{") == errc::not_serializable);
        BOOST_TEST(co_await refused("", "{}") == errc::invalid_option);
    });
}

BOOST_FIXTURE_TEST_CASE(dependencies_are_added_and_removed, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        for (const auto* jid : {"a", "b"})
            co_await mail.async_push("k", nothing, {.jid = jid});
        co_await mail.async_push("k", nothing, {.jid = "j", .depends = "a"});
        BOOST_TEST((co_await jobs.async_add_dependencies("j", {"b", "unknown"})).has_value());
        BOOST_TEST((co_await jobs.async_get("j")).value().dependencies.size() == 2u);
        BOOST_TEST((co_await jobs.async_remove_dependencies("j", "a")).has_value());
        BOOST_TEST((co_await jobs.async_get("j")).value().dependencies == listed("b"));
        BOOST_TEST((co_await jobs.async_get("a")).value().dependents.empty());
        BOOST_TEST((co_await jobs.async_remove_all_dependencies("j")).has_value());
        BOOST_TEST(((co_await jobs.async_get("j")).value().state == managed_state::waiting));
        BOOST_TEST((co_await jobs.async_add_dependencies("j", "a")).error() ==
                   errc::not_waiting_for_dependencies);
        BOOST_TEST((co_await jobs.async_remove_all_dependencies("j")).error() ==
                   errc::not_waiting_for_dependencies);
        const auto error = co_await error_of([&] { return jobs.async_remove_dependencies("j", "all"); });
        BOOST_TEST(error == errc::invalid_job_id);
    });
}

BOOST_FIXTURE_TEST_CASE(tags_are_added_removed_and_looked_up, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        for (const auto* jid : {"a", "b", "c"})
            co_await mail.async_push("k", nothing, {.jid = jid, .tags = {"mail", "post"}});
        BOOST_TEST((co_await jobs.async_tag("a", {"red", "b/c"})).value() ==
                   listed("mail", "post", "red", "b/c"));
        BOOST_TEST((co_await jobs.async_untag("a", {"mail", "unknown"})).value() ==
                   listed("post", "red", "b/c"));
        BOOST_TEST((co_await jobs.async_untag("b", {"mail", "post"})).value().empty());
        const auto page = co_await jobs.async_tagged("post", 0, 1);
        BOOST_TEST(page.total == 2u);
        BOOST_TEST(page.jids == listed("a"));
        BOOST_TEST((co_await jobs.async_tagged("post", 1)).jids == listed("c"));
        BOOST_TEST((co_await jobs.async_tagged("unknown")).total == 0u);
        BOOST_TEST((co_await jobs.async_top_tags()) == listed("post"));
        BOOST_TEST((co_await jobs.async_top_tags(1)).empty());
        BOOST_TEST(co_await error_of([&] { return jobs.async_tag("a", {"x", ""}); }) == errc::invalid_option);
        BOOST_TEST(co_await error_of([&] { return jobs.async_tag("a", "\xff"); }) == errc::not_serializable);
        BOOST_TEST(co_await error_of([&] { return jobs.async_tagged(""); }) == errc::invalid_option);
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_are_tracked, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        for (const auto* jid : {"a", "b"}) {
            co_await mail.async_push("k", nothing, {.jid = jid});
            BOOST_TEST((co_await jobs.async_track(jid)).value());
        }
        BOOST_TEST(!(co_await jobs.async_track("a")).value());
        co_await jobs.async_cancel("b");
        const auto tracked = co_await jobs.async_tracked();
        BOOST_TEST(jids_of(tracked.jobs) == listed("a"));
        BOOST_TEST(tracked.expired == listed("b"));
        BOOST_TEST((co_await jobs.async_untrack("a")).value());
        BOOST_TEST(!(co_await jobs.async_untrack("a")).value());
        BOOST_TEST((co_await jobs.async_tracked()).jobs.empty());
    });
}

BOOST_AUTO_TEST_SUITE_END()
