// SPDX-License-Identifier: MIT
#include "inspector_test.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(inspector_actions)

BOOST_FIXTURE_TEST_CASE(failures_are_grouped_by_message, inspector_test)
{
    for (int i = 0; i != 1'500; ++i)
        add_failed("a" + std::to_string(i), i % 3 == 0 ? "no route\nto host" : "no memory");
    run([&]() -> asio::awaitable<void> {
        auto page = co_await subject.async_failures(list);
        BOOST_REQUIRE(page.groups.size() == 2u);
        BOOST_TEST(page.groups[0].message == "no memory");
        BOOST_TEST(page.groups[0].count == 1'000u);
        BOOST_TEST(page.groups[0].newest_id == "a1499");
        BOOST_TEST(page.groups[0].newest_at.has_value());
        BOOST_TEST(page.groups[1].message == "no route");
        BOOST_TEST(page.groups[1].count == 500u);
        BOOST_TEST(page.next.empty());
        co_await fail_managed(3, "timeout", "no answer");
        co_await fail_managed(1, "refused", "no");
        page = co_await subject.async_failures(queue_ref::managed(""));
        BOOST_REQUIRE(page.groups.size() == 2u);
        BOOST_TEST(page.groups[0].group == "timeout");
        BOOST_TEST(page.groups[0].message == "no answer");
        BOOST_TEST(page.groups[0].count == 3u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_group_of_failures_is_retried, inspector_test)
{
    for (int i = 0; i != 700; ++i)
        add_failed("a" + std::to_string(i), i % 2 == 0 ? "no route" : "no memory");
    run([&]() -> asio::awaitable<void> {
        job_filter which;
        which.message = "no route";
        const auto first = co_await subject.async_act_on_some(job_action::retry, list, which);
        BOOST_TEST(first.ids.size() == 128u);
        BOOST_TEST(first.ids[0] == "a0");
        BOOST_TEST(!first.next.empty());
        const auto rest = co_await subject.async_act_on_all(job_action::retry, list, which);
        BOOST_TEST(rest == 350u - 128u);
        BOOST_TEST(length() == 350);
        BOOST_TEST(server("LLEN", "hworker-failed-numbers").integer == 350);
        BOOST_TEST(server("HLEN", "hworker-failures-numbers").integer == 350);

        co_await fail_managed(3, "timeout", "no answer");
        co_await fail_managed(2, "refused", "no");
        which = {};
        which.group = "timeout";
        BOOST_TEST((co_await subject.async_act_on_all(job_action::retry, managed, which)) == 3u);
        BOOST_TEST((co_await mail.async_counts()).length() == 3u);
        BOOST_TEST((co_await subject.async_act_on_all(job_action::remove, managed, job_filter{})) == 2u);
        BOOST_TEST(server("EXISTS", "ql:failures").integer == 0);
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_of_a_list_queue_are_acted_on_by_key, inspector_test)
{
    add_failed("f", "no");
    server("HSET", "hworker-broken-numbers", "junk", R"("t")");
    push_raw(R"(["w",1])");
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1, {.id = "s", .delay = 1h});
        text_list keys;
        const std::vector<job_state> states{job_state::failed, job_state::broken, job_state::waiting,
                                            job_state::scheduled};
        for (const auto state : states) {
            const auto page = co_await subject.async_jobs(list, state);
            BOOST_REQUIRE(page.jobs.size() == 1u);
            keys.push_back(page.jobs[0].key);
        }
        keys.push_back("no key");
        const auto retried = co_await subject.async_act(job_action::retry, list, keys);
        BOOST_REQUIRE(retried.size() == 5u);
        BOOST_TEST((retried[0] == action_result::done));
        BOOST_TEST((retried[1] == action_result::done));
        BOOST_TEST((retried[2] == action_result::refused));
        BOOST_TEST((retried[3] == action_result::refused));
        const auto again = co_await subject.async_act(job_action::retry, list, keys);
        BOOST_TEST((again[0] == action_result::not_found));
        const auto run_now = co_await subject.async_act(job_action::run_now, list, keys);
        BOOST_TEST((run_now[3] == action_result::done));
        BOOST_TEST(length() == 4);
        const auto removed = co_await subject.async_act(job_action::remove, list, keys);
        BOOST_TEST((removed[2] == action_result::done));
        BOOST_TEST((removed[4] == action_result::not_found));
        BOOST_TEST(length() == 3);
        const auto released = co_await error_of(
            [&] { return subject.async_act(job_action::release, list, keys, asio::use_awaitable); });
        BOOST_TEST(released == errc::invalid_option);
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_of_a_managed_queue_are_acted_on_by_id, inspector_test)
{
    run([&]() -> asio::awaitable<void> {
        const raw_json data{"{}"};
        managed_push_options parent, child, later;
        parent.jid = "parent";
        parent.priority = 5;
        co_await mail.async_push("Mail", data, parent);
        child.jid = "child";
        child.depends = "parent";
        co_await mail.async_push("Mail", data, child);
        later.jid = "later";
        later.delay = 1h;
        co_await mail.async_push("Mail", data, later);

        auto done = co_await subject.async_act(job_action::remove, managed, "parent");
        BOOST_TEST((done.at(0) == action_result::depended_on));
        done = co_await subject.async_act(job_action::run_now, managed, "later");
        BOOST_TEST((done.at(0) == action_result::done));
        BOOST_TEST((co_await mail.async_counts()).waiting == 2u);
        (void)co_await pop("w");
        done = co_await subject.async_act(job_action::release, managed, "parent");
        BOOST_TEST((done.at(0) == action_result::done));
        done = co_await subject.async_act(job_action::retry, managed, "parent");
        BOOST_TEST((done.at(0) == action_result::refused));
        const text_list all{"parent", "child", "later", "none"};
        done = co_await subject.async_act(job_action::remove, managed, all);
        BOOST_TEST((done.at(0) == action_result::done));
        BOOST_TEST((done.at(1) == action_result::done));
        BOOST_TEST((done.at(2) == action_result::done));
        BOOST_TEST((done.at(3) == action_result::not_found));
        BOOST_TEST(server("KEYS", "ql:j:*").elements.empty());
    });
}

/// A script call does some of them only.
BOOST_FIXTURE_TEST_CASE(failed_jobs_of_a_large_group_are_acted_on_by_id, inspector_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fail_managed(3, "timeout", "no answer");
        server("EVAL", "for i = 1, 60000 do redis.call('LPUSH', KEYS[1], i) end", 1, "ql:f:timeout");
        const text_list all{"timeout0", "none", "timeout1", "timeout2"};
        const auto done = co_await subject.async_act(job_action::retry, managed, all);
        BOOST_REQUIRE(done.size() == 4u);
        for (const std::size_t place : {0u, 2u, 3u})
            BOOST_TEST((done[place] == action_result::done));
        BOOST_TEST((done[1] == action_result::not_found));
        BOOST_TEST((co_await mail.async_counts()).length() == 3u);
    });
}

BOOST_FIXTURE_TEST_CASE(many_schedules_are_shown_in_their_order, inspector_test)
{
    run([&]() -> asio::awaitable<void> {
        constexpr std::size_t schedules = 120; // more than are read together
        const raw_json data{"{}"};
        for (std::size_t i = 0; i != schedules; ++i) {
            recur_options options;
            options.jid = std::to_string(i);
            options.offset = std::chrono::seconds{static_cast<int>(i) * 100 + 100};
            co_await mail.async_recur("Mail", data, 60s, options);
        }
        server("DEL", "ql:r:5"); // ended while it is looked at
        const auto page = co_await subject.async_schedules(managed, {}, 1000);
        BOOST_REQUIRE(page.schedules.size() == schedules - 1);
        for (std::size_t i = 0; i != schedules - 1; ++i)
            BOOST_TEST(page.schedules[i].job.jid == std::to_string(i < 5 ? i : i + 1));
    });
}

BOOST_FIXTURE_TEST_CASE(schedules_tags_and_statistics_are_shown, inspector_test)
{
    run([&]() -> asio::awaitable<void> {
        const raw_json data{"{}"};
        const std::vector<std::string> names{"b", "a"};
        for (const auto& id : names) {
            recur_options options;
            options.jid = id;
            options.offset = id == "a" ? 100s : 200s;
            co_await mail.async_recur("Mail", data, 60s, options);
        }
        const auto page = co_await subject.async_schedules(managed);
        BOOST_REQUIRE(page.schedules.size() == 2u);
        BOOST_TEST(page.schedules[0].job.jid == "a");
        BOOST_TEST((page.schedules[0].next_run < page.schedules[1].next_run));
        const auto now = co_await subject.async_server_time();
        BOOST_TEST((page.schedules[0].next_run > now));
        const auto one = co_await subject.async_schedule("a");
        BOOST_REQUIRE(one.has_value());
        BOOST_TEST(one->job.queue == "mail");
        BOOST_TEST((one->next_run == page.schedules[0].next_run));
        BOOST_TEST((co_await subject.async_schedule("none")).error() == errc::recurring_job_not_found);
        managed_push_options tagged;
        tagged.tags = "urgent";
        co_await mail.async_push("Mail", data, tagged);
        co_await mail.async_push("Mail", data, tagged);
        const auto tags = co_await subject.async_tags();
        BOOST_TEST(tags == ids({"urgent"}), boost::test_tools::per_element());
        co_await fail_managed(1, "g", "m");
        const auto today = co_await subject.async_statistics(managed);
        BOOST_TEST(today.failures == 1);
        BOOST_TEST(today.wait.count >= 1u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_check_finds_and_repairs, inspector_test)
{
    server("HSET", "hworker-counters-numbers", "success", "many");
    server("ZADD", "ql:q:mail-work", 1, "ghost");
    server("ZADD", "ql:queues", 1, "mail");
    server("ZADD", "ql:tags", "7", "drifted");
    run([&]() -> asio::awaitable<void> {
        auto page = co_await subject.async_check(list);
        BOOST_REQUIRE(page.findings.size() == 1u);
        BOOST_TEST(page.findings[0].kind == "bad_counter");
        BOOST_TEST(!page.findings[0].repaired);
        BOOST_TEST(page.next.empty());
        page = co_await subject.async_check(list, {}, true);
        BOOST_TEST(page.findings.at(0).repaired);
        page = co_await subject.async_check(list);
        BOOST_TEST(page.findings.empty());
        const auto check_managed = [&](bool repair) -> asio::awaitable<std::vector<finding>> {
            std::vector<finding> all;
            std::string cursor;
            do {
                auto part = co_await subject.async_check(queue_ref::managed(""), cursor, repair);
                all.insert(all.end(), part.findings.begin(), part.findings.end());
                cursor = part.next;
            } while (!cursor.empty());
            co_return all;
        };
        auto found = co_await check_managed(false);
        BOOST_TEST_REQUIRE(found.size() == 2u);
        const std::size_t ghost = found[0].member == "ghost" ? 0 : 1;
        BOOST_TEST(found[ghost].broken);
        BOOST_TEST(found[ghost].key == "ql:q:mail-work");
        BOOST_TEST(found[ghost].member == "ghost");
        BOOST_TEST(!found[ghost].repaired);
        BOOST_TEST(!found[1 - ghost].broken); // drift
        found = co_await check_managed(true);
        BOOST_TEST(found.at(0).repaired);
        found = co_await check_managed(false);
        BOOST_TEST(found.empty());
        const auto nonsense = co_await error_of([&] {
            return subject.async_check(queue_ref::managed(""), "nonsense", false, 50, asio::use_awaitable);
        });
        BOOST_TEST(nonsense == errc::command_refused);
    });
}

BOOST_AUTO_TEST_SUITE_END()
