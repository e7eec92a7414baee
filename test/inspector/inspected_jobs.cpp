// SPDX-License-Identifier: MIT
#include "inspector_test.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(inspected_jobs)

namespace {

/// All pages of a state, three jobs at a time.
asio::awaitable<std::vector<std::string>> all_ids(inspector& subject, queue_ref queue, job_state state)
{
    std::vector<std::string> found;
    std::string cursor;
    do {
        auto page = co_await subject.async_jobs(queue, state, cursor, 3);
        for (auto& job : page.jobs)
            found.push_back(job.id);
        cursor = page.next;
    } while (!cursor.empty());
    co_return found;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(waiting_jobs_are_paged_as_they_will_run, inspector_test)
{
    for (int i = 0; i != 8; ++i)
        push_raw("[\"id" + std::to_string(i) + "\"," + std::to_string(i) + "]");
    run([&]() -> asio::awaitable<void> {
        const auto found = co_await all_ids(subject, list, job_state::waiting);
        BOOST_TEST(found == ids({"id0", "id1", "id2", "id3", "id4", "id5", "id6", "id7"}),
                   boost::test_tools::per_element());
        const auto page = co_await subject.async_jobs(list, job_state::waiting, {}, 1);
        BOOST_TEST(page.jobs.at(0).data == "0");
        BOOST_TEST(page.jobs.at(0).payload == R"(["id0",0])");
        BOOST_TEST(page.jobs.at(0).queue == list);
    });
}

BOOST_FIXTURE_TEST_CASE(failed_jobs_are_paged_newest_first_and_stay_in_place_when_more_fail, inspector_test)
{
    for (int i = 0; i != 5; ++i)
        add_failed("id" + std::to_string(i), "no route\nto host");
    run([&]() -> asio::awaitable<void> {
        const auto first = co_await subject.async_jobs(list, job_state::failed, {}, 2);
        BOOST_TEST(ids_of(first) == ids({"id4", "id3"}), boost::test_tools::per_element());
        BOOST_TEST(first.jobs[0].message == "no route\nto host");
        BOOST_TEST(first.jobs[0].attempts == 3u);
        BOOST_TEST(first.jobs[0].ended_at.has_value());
        add_failed("newer", "no");
        const auto second = co_await subject.async_jobs(list, job_state::failed, first.next, 2);
        BOOST_TEST(ids_of(second) == ids({"id2", "id1"}), boost::test_tools::per_element());
        const auto third = co_await subject.async_jobs(list, job_state::failed, second.next, 2);
        BOOST_TEST(ids_of(third) == ids({"id0"}), boost::test_tools::per_element());
        BOOST_TEST(third.next.empty());
    });
}

BOOST_FIXTURE_TEST_CASE(scheduled_jobs_are_paged_by_time_and_stay_in_place, inspector_test)
{
    const std::vector<int> due{9'000, 9'000, 9'000, 9'000, 9'500};
    for (std::size_t i = 0; i != due.size(); ++i) {
        const auto id = std::to_string(i);
        server("ZADD", "hworker-scheduled-numbers", due[i], "00000000000" + id + ":[\"" + id + "\",1]");
    }
    run([&]() -> asio::awaitable<void> {
        const auto first = co_await subject.async_jobs(list, job_state::scheduled, {}, 3);
        BOOST_TEST(ids_of(first) == ids({"0", "1", "2"}), boost::test_tools::per_element());
        BOOST_TEST(first.jobs[0].due_at->time_since_epoch().count() == 9'000'000);
        server("ZADD", "hworker-scheduled-numbers", 5, "x:[\"earlier\",1]");
        const auto second = co_await subject.async_jobs(list, job_state::scheduled, first.next, 3);
        BOOST_TEST(ids_of(second) == ids({"3", "4"}), boost::test_tools::per_element());
    });
}

BOOST_FIXTURE_TEST_CASE(running_and_broken_jobs_are_shown, inspector_test)
{
    server("HSET", "hworker-workers-numbers", 7, "coworker:1");
    server("HSET", "hworker-progress-numbers", R"(["r",1])", R"("2026-11-21T09:54:29.612715000007Z")",
           "false", "x");
    server("HSET", "hworker-broken-numbers", "nonsense", R"("2026-11-21T09:54:29.612715000000Z")");
    run([&]() -> asio::awaitable<void> {
        const auto running = co_await subject.async_jobs(list, job_state::running);
        BOOST_REQUIRE(running.jobs.size() == 1u);
        BOOST_TEST(running.jobs[0].worker == "coworker:1");
        BOOST_TEST(running.jobs[0].started_at.has_value());
        job_filter which;
        which.state = job_state::running;
        for (const char* name : {"coworker:1", "coworker:2"}) {
            which.worker = name;
            const auto held = co_await subject.async_find(list, which);
            BOOST_TEST(ids_of(held) == (which.worker == "coworker:1" ? ids({"r"}) : ids({})),
                       boost::test_tools::per_element());
        }
        const auto broken = co_await subject.async_jobs(list, job_state::broken);
        BOOST_REQUIRE(broken.jobs.size() == 1u);
        BOOST_TEST(broken.jobs[0].payload == "nonsense");
        BOOST_TEST(broken.jobs[0].id.empty());
        const auto none = co_await error_of(
            [&] { return subject.async_jobs(list, job_state::depends, {}, 1, asio::use_awaitable); });
        BOOST_TEST(none == errc::invalid_option);
    });
}

BOOST_FIXTURE_TEST_CASE(managed_jobs_are_paged_by_state_and_stay_in_place, inspector_test)
{
    run([&]() -> asio::awaitable<void> {
        const raw_json data{R"({"n":1})"};
        for (int i = 0; i != 7; ++i) {
            managed_push_options options;
            options.jid = "j" + std::to_string(i);
            options.priority = -i;
            co_await mail.async_push("Mail", data, options);
        }
        const auto first = co_await subject.async_jobs(managed, job_state::waiting, {}, 3);
        BOOST_TEST(ids_of(first) == ids({"j0", "j1", "j2"}), boost::test_tools::per_element());
        (void)co_await pop("w", 2);
        const auto second = co_await subject.async_jobs(managed, job_state::waiting, first.next, 3);
        BOOST_TEST(ids_of(second) == ids({"j3", "j4", "j5"}), boost::test_tools::per_element());
        const auto running = co_await subject.async_jobs(managed, job_state::running);
        BOOST_TEST(running.jobs.size() == 2u);
        BOOST_TEST(running.jobs.at(0).worker == "w");
        BOOST_TEST(running.jobs.at(0).attempts == 1u);
        BOOST_TEST(running.jobs.at(0).kind == "Mail");
        BOOST_TEST(running.jobs.at(0).data == R"({"n":1})");
        BOOST_TEST(running.jobs.at(0).record->priority <= 0);
        const auto rest = co_await all_ids(subject, managed, job_state::waiting);
        BOOST_TEST(rest.size() == 5u);
    });
}

BOOST_FIXTURE_TEST_CASE(failed_managed_jobs_are_paged_newest_first_and_stay_in_place, inspector_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fail_managed(3, "timeout", "no answer");
        co_await fail_managed(1, "refused", "no");
        const auto first = co_await subject.async_jobs(managed, job_state::failed, {}, 2);
        BOOST_TEST(ids_of(first) == ids({"refused0", "timeout2"}), boost::test_tools::per_element());
        co_await subject.async_act(job_action::remove, managed, "timeout2");
        const auto second = co_await subject.async_jobs(managed, job_state::failed, first.next, 1);
        BOOST_TEST(ids_of(second) == ids({"timeout1"}), boost::test_tools::per_element());
        const auto third = co_await subject.async_jobs(managed, job_state::failed, second.next, 2);
        BOOST_TEST(ids_of(third) == ids({"timeout0"}), boost::test_tools::per_element());
        BOOST_TEST(third.next.empty());
    });
}

BOOST_FIXTURE_TEST_CASE(groups_of_failures_are_counted_by_name, inspector_test)
{
    run([&]() -> asio::awaitable<void> {
        BOOST_TEST((co_await subject.async_failure_groups()).groups.empty());
        co_await fail_managed(3, "timeout", "no answer");
        co_await fail_managed(1, "refused", "no");
        const auto first = co_await subject.async_failure_groups({}, 1);
        BOOST_REQUIRE(first.groups.size() == 1u);
        BOOST_TEST(first.groups[0].group == "refused");
        BOOST_TEST(first.groups[0].count == 1u);
        const auto rest = co_await subject.async_failure_groups(first.next);
        BOOST_REQUIRE(rest.groups.size() == 1u);
        BOOST_TEST(rest.groups[0].group == "timeout");
        BOOST_TEST(rest.groups[0].count == 3u);
        BOOST_TEST(rest.next.empty());
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_is_found_by_its_id, inspector_test)
{
    for (int i = 0; i != 2'500; ++i)
        push_raw("[\"id" + std::to_string(i) + "\"," + std::to_string(i) + "]");
    add_failed("failed-one", "no");
    run([&]() -> asio::awaitable<void> {
        const auto late = co_await subject.async_job(list, "id2400");
        BOOST_REQUIRE(late.has_value());
        BOOST_TEST(late->data == "2400");
        const auto failed = co_await subject.async_job(list, "failed-one");
        BOOST_REQUIRE(failed.has_value());
        BOOST_TEST((failed->state == job_state::failed));
        BOOST_TEST((co_await subject.async_job(list, "none")).error() == errc::job_not_found);
        co_await fail_managed(1, "g", "m");
        const auto managed_one = co_await subject.async_job(queue_ref::managed(""), "g0");
        BOOST_REQUIRE(managed_one.has_value());
        BOOST_TEST(managed_one->message == "m");
        BOOST_TEST(managed_one->queue == managed);
        BOOST_TEST((co_await subject.async_job(managed, "none")).error() == errc::job_not_found);
    });
}

BOOST_FIXTURE_TEST_CASE(a_search_is_bounded_and_goes_on, inspector_test)
{
    for (int i = 0; i != 2'500; ++i)
        push_raw("[\"id" + std::to_string(i) + R"(",{"to":")" + (i % 1'000 == 7 ? "ada" : "bob") + "\"}]");
    run([&]() -> asio::awaitable<void> {
        job_filter ada;
        ada.state = job_state::waiting;
        ada.contains = R"("ada")";
        std::vector<std::string> found;
        std::string cursor;
        int calls = 0;
        do {
            const auto page = co_await subject.async_find(list, ada, cursor, 1000);
            for (const auto& job : page.jobs)
                found.push_back(job.id);
            cursor = page.next;
            ++calls;
        } while (!cursor.empty());
        BOOST_TEST(found == ids({"id7", "id1007", "id2007"}), boost::test_tools::per_element());
        BOOST_TEST(calls == 3);
    });
}

BOOST_FIXTURE_TEST_CASE(managed_jobs_are_found_by_text_tag_and_message, inspector_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await fail_managed(3, "timeout", "no answer\nfrom anybody");
        co_await fail_managed(2, "refused", "no");
        managed_push_options tagged;
        tagged.jid = "t";
        tagged.tags = "urgent";
        const raw_json data{R"({"to":"ada"})"};
        co_await mail.async_push("Mail", data, tagged);

        job_filter which;
        which.message = "no answer";
        auto page = co_await subject.async_find(managed, which);
        BOOST_TEST(ids_of(page) == ids({"timeout2", "timeout1", "timeout0"}),
                   boost::test_tools::per_element());
        which = {};
        which.group = "refused";
        page = co_await subject.async_find(queue_ref::managed(""), which);
        BOOST_TEST(ids_of(page) == ids({"refused1", "refused0"}), boost::test_tools::per_element());
        which = {};
        which.state = job_state::waiting;
        which.tag = "urgent";
        which.contains = "ada";
        page = co_await subject.async_find(managed, which);
        BOOST_TEST(ids_of(page) == ids({"t"}), boost::test_tools::per_element());
        const auto refused =
            co_await error_of([&] { return subject.async_find(list, which, {}, 1, asio::use_awaitable); });
        BOOST_TEST(refused == errc::invalid_option);
    });
}

BOOST_FIXTURE_TEST_CASE(a_job_that_is_held_back_names_the_limit, inspector_test)
{
    run([&]() -> asio::awaitable<void> {
        const limit_settings none{.max_running = 0}, one{.max_running = 1};
        co_await jobs.async_set_limit("gpu", none);
        co_await jobs.async_set_limit("tenant:*", one);
        const auto push = [&](std::string id, limit_list limits, std::string key) -> asio::awaitable<void> {
            managed_push_options options;
            options.jid = id;
            options.limits = std::move(limits);
            if (!key.empty())
                options.order_key = key;
            co_await mail.async_push("Mail", raw_json{"1"}, options);
        };
        co_await push("free", {}, "");
        co_await push("one", {"gpu"}, "");
        co_await push("first of both", {"tenant:7", "gpu"}, "");
        co_await push("second of both", {"tenant:7", "gpu"}, "");
        co_await push("first of key", {"gpu"}, "key");
        co_await push("second of key", {"gpu"}, "key");
        co_await push("open", {"tenant:8"}, "");
        const auto held_by = [&](std::string id) -> asio::awaitable<std::string> {
            const auto found = co_await subject.async_job(managed, id);
            if (!found || !found->options)
                co_return "no job";
            co_return (found->options->held_back ? "held back by " : "free ") + found->options->held_by;
        };
        const auto taken = co_await pop("w", 10);
        BOOST_TEST(taken.size() == 2u);
        BOOST_TEST(co_await held_by("free") == "free ");
        BOOST_TEST(co_await held_by("open") == "free ");
        BOOST_TEST(co_await held_by("one") == "held back by gpu");
        BOOST_TEST(co_await held_by("first of both") == "held back by gpu");
        BOOST_TEST(co_await held_by("second of both") == "held back by gpu");
        BOOST_TEST(co_await held_by("first of key") == "held back by gpu");
        BOOST_TEST(co_await held_by("second of key") ==
                   "held back by gpu"); // which holds back the one before it
        co_await push("next", {"tenant:8"}, "");
        (void)co_await pop("w", 10);
        BOOST_TEST(co_await held_by("next") == "held back by tenant:8");
        co_await jobs.async_set_limit("gpu", one);
        BOOST_TEST(co_await held_by("one") == "held back by "); // it waits for a worker
        (void)co_await pop("w", 10);
        co_await jobs.async_remove_limit("gpu");
        (void)co_await pop("w", 10); // the one before it runs
        BOOST_TEST(co_await held_by("second of key") == "held back by ");
    });
}

BOOST_AUTO_TEST_SUITE_END()
