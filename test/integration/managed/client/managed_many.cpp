// SPDX-License-Identifier: MIT
#include "integration/managed/client/managed_test.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Thousands of whatever a call takes: more than Lua can unpack at once.
BOOST_AUTO_TEST_SUITE(managed_many)

namespace {

constexpr std::size_t thousands = 10'000;

texts numbered(std::string_view name, std::size_t count = thousands)
{
    texts list;
    for (std::size_t i = 0; i != count; ++i)
        list.push_back(std::string{name} + std::to_string(i));
    return list;
}

std::vector<new_managed_job> jobs_called(const texts& jids)
{
    std::vector<new_managed_job> many;
    for (const auto& jid : jids) {
        many.emplace_back().kind = "k";
        many.back().options.jid = jid;
    }
    return many;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_job_has_thousands_of_tags, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto tags = numbered("tag"), more = numbered("more");
        co_await mail.async_push("k", nothing, {.jid = "j", .tags = tags});
        BOOST_TEST((co_await jobs.async_get("j")).value().tags == tags);
        BOOST_TEST((co_await jobs.async_tag("j", more)).value().size() == 2 * thousands);
        BOOST_TEST((co_await jobs.async_untag("j", tags)).value() == more);
        BOOST_TEST((co_await jobs.async_cancel("j")).has_value());
        BOOST_TEST(server("EXISTS", "ql:t:more77").integer == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_waits_for_thousands, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto needed = numbered("needed");
        const auto many = jobs_called(needed);
        co_await mail.async_push_many(many);
        co_await mail.async_push("k", nothing, {.jid = "j", .depends = needed});
        BOOST_TEST((co_await jobs.async_get("j")).value().dependencies.size() == thousands);
        BOOST_TEST((co_await jobs.async_cancel(needed)).error() == errc::still_depended_on);
        const texts half{needed.begin(), needed.begin() + thousands / 2};
        BOOST_TEST((co_await jobs.async_remove_dependencies("j", half)).has_value());
        BOOST_TEST((co_await jobs.async_add_dependencies("j", half)).has_value());
        BOOST_TEST((co_await jobs.async_remove_all_dependencies("j")).has_value());
        BOOST_TEST(((co_await jobs.async_get("j")).value().state == managed_state::waiting));
        BOOST_TEST((co_await jobs.async_cancel(needed)).has_value());
        BOOST_TEST((co_await mail.async_counts()).length() == 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(thousands_wait_for_a_job, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_push("k", nothing, {.jid = "first"});
        const auto waiting = numbered("waiting");
        auto many = jobs_called(waiting);
        for (auto& job : many)
            job.options.depends = listed("first");
        co_await mail.async_push_many(many);
        BOOST_TEST((co_await jobs.async_get("first")).value().dependents.size() == thousands);
        const auto popped = co_await pop("w", 10);
        BOOST_TEST(jids_of(popped) == listed("first"));
        BOOST_TEST((co_await complete_job(jobs, popped[0])).has_value());
        const managed_queue other{redis, "other"};
        for (std::size_t last = 0, now = 1; now != last;) { // in steps, with takes from any queue
            last = std::exchange(now, (co_await mail.async_counts()).waiting);
            BOOST_TEST((co_await pop_jobs(jobs, "other", "w", 1)).empty());
        }
        BOOST_TEST((co_await mail.async_counts()).waiting == thousands);
    });
}

BOOST_FIXTURE_TEST_CASE(thousands_of_jobs_are_named_in_a_call, managed_test)
{
    run([&]() -> asio::awaitable<void> {
        const auto names = numbered("job");
        const auto many = jobs_called(names);
        co_await mail.async_push_many(many);
        BOOST_TEST(jids_of(co_await jobs.async_multiget(names)) == names);
        BOOST_TEST((co_await pop("w", thousands)).size() == thousands);
        BOOST_TEST((co_await mail.async_jobs(managed_state::running, 0, thousands)).size() == thousands);
        BOOST_TEST((co_await jobs.async_worker("w")).running.size() == thousands);
        BOOST_TEST((co_await jobs.async_timeout(names)).has_value());
        const auto again = co_await pop("w", thousands);
        texts failures;
        for (const auto& job : again)
            for (const auto* word : {"4", job.jid.c_str(), "w", "g", "m"})
                failures.emplace_back(word);
        const auto done = co_await call_qless(jobs, "fail_many", failures);
        for (const auto& each : done.value().list)
            BOOST_REQUIRE(each.kind == qless_reply::type::text);
        BOOST_TEST((co_await jobs.async_failed("g", 0, thousands)).jids.size() == thousands);
        BOOST_TEST(co_await mail.async_unfail("g", thousands) == thousands);
        BOOST_TEST((co_await mail.async_counts()).length() == thousands);
        co_await jobs.async_deregister_workers(names);
    });
}

BOOST_AUTO_TEST_SUITE_END()
