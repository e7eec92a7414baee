// SPDX-License-Identifier: MIT
#include "inspector_test.hpp"

#include <coworker/batches.hpp>
#include <coworker/schedules.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

struct removal_test : inspector_test
{
    const raw_json data{"{}"};

    /// Pushes a job into the managed queue.
    asio::awaitable<void> put(std::string id, managed_push_options options = {})
    {
        options.jid = id;
        co_await mail.async_push("Mail", data, options);
    }

    asio::awaitable<std::size_t> count(queue_ref queue, job_state state)
    {
        const auto page = co_await subject.async_jobs(queue, state);
        co_return page.jobs.size();
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(queue_removal, removal_test)

BOOST_AUTO_TEST_CASE(purges_one_state_of_a_list_queue)
{
    run([&]() -> asio::awaitable<void> {
        add_failed("f", "no");
        push_raw(R"(["a",1])");
        push_raw(R"(["b",1])");
        server("HSET", "hworker-attempts-numbers", R"(["a",1])", 2);
        co_await numbers.async_push(1, {.id = "s", .delay = 1h});
        auto done = co_await subject.async_purge(list, job_state::waiting);
        BOOST_TEST(done.purged == 2u);
        BOOST_TEST(length() == 0);
        BOOST_TEST(server("EXISTS", "hworker-attempts-numbers").integer == 0);
        BOOST_TEST((co_await count(list, job_state::scheduled)) == 1u);
        done = co_await subject.async_purge(list, job_state::scheduled);
        BOOST_TEST(done.purged == 1u);
        done = co_await subject.async_purge(list, job_state::failed);
        BOOST_TEST(done.purged == 1u);
        done = co_await subject.async_purge(list, job_state::broken);
        BOOST_TEST(done.purged == 0u);
        BOOST_TEST(server("KEYS", "hworker-failures-numbers").elements.empty());
    });
}

BOOST_AUTO_TEST_CASE(goes_on_where_a_killed_purge_has_stopped)
{
    run([&]() -> asio::awaitable<void> {
        for (int i = 0; i != 2'500; ++i) {
            const auto payload = "[\"" + std::to_string(i) + "\",1]";
            server("RPUSH", "hworker-purged-numbers", payload);
            server("HSET", "hworker-attempts-numbers", payload, 1);
        }
        push_raw(R"(["a",1])");
        const auto done = co_await subject.async_purge(list, job_state::waiting);
        BOOST_TEST(done.purged == 1u);
        BOOST_TEST(server("EXISTS", "hworker-purged-numbers", "hworker-attempts-numbers").integer == 0);
    });
}

BOOST_AUTO_TEST_CASE(purges_the_jobs_of_all_partitions)
{
    run([&]() -> asio::awaitable<void> {
        list_queue<int> divided{redis, "numbers", {.partitions = 3}};
        for (int i = 0; i != 30; ++i)
            co_await divided.async_push(i);
        const auto done = co_await subject.async_purge(list, job_state::waiting);
        BOOST_TEST(done.purged == 30u);
        const auto left = co_await subject.async_queue(list);
        BOOST_TEST(left->waiting == 0u);
    });
}

BOOST_AUTO_TEST_CASE(loses_no_job_that_is_pushed_during_two_purges)
{
    run([&]() -> asio::awaitable<void> {
        constexpr int jobs = 400;
        std::size_t purged = 0;
        const auto executor = co_await asio::this_coro::executor;
        const auto push_all = [&]() -> asio::awaitable<void> {
            for (int i = 0; i != jobs; ++i) {
                co_await numbers.async_push(i);
                co_await put(std::to_string(i));
            }
        };
        const auto purge_some = [&]() -> asio::awaitable<void> {
            for (int i = 0; i != 20; ++i) {
                auto done = co_await subject.async_purge(list, job_state::waiting);
                purged += done.purged;
                done = co_await subject.async_purge(managed, job_state::waiting);
                purged += done.purged;
            }
        };
        co_await asio::experimental::make_parallel_group(asio::co_spawn(executor, push_all, asio::deferred),
                                                         asio::co_spawn(executor, purge_some, asio::deferred),
                                                         asio::co_spawn(executor, purge_some, asio::deferred))
            .async_wait(asio::experimental::wait_for_all(), asio::use_awaitable);
        const auto queues = co_await subject.async_queues({list, managed});
        BOOST_TEST(purged > 0u);
        BOOST_TEST(purged + queues[0].waiting + queues[1].waiting == 2u * jobs);
        const auto found = co_await subject.async_check(managed);
        BOOST_TEST(found.findings.empty());
    });
}

BOOST_AUTO_TEST_CASE(purges_managed_jobs_as_if_they_were_cancelled)
{
    run([&]() -> asio::awaitable<void> {
        const batches all{redis};
        co_await all.async_open({.id = "B"});
        co_await put("free", {.tags = {"t"}});
        co_await put("one", {.unique = unique_rule{.key = "u"}});
        co_await put("in batch", {.batch = "B"});
        co_await all.async_seal("B");
        co_await put("ordered", {.order_key = "o"});
        co_await put("limited", {.limits = {"api"}});
        co_await put("waited for");
        co_await put("waits", {.depends = {"waited for"}});
        co_await put("later", {.delay = 1h});
        const auto done = co_await subject.async_purge(managed, job_state::waiting);
        BOOST_TEST(done.purged == 5u);
        BOOST_TEST(done.kept == 1u); // another job waits for it
        const auto batch = co_await all.async_status("B");
        BOOST_TEST(batch->cancelled == 1u);
        BOOST_TEST(batch->ended.has_value());
        const auto again = co_await mail.async_push("Mail", data, {.unique = unique_rule{.key = "u"}});
        BOOST_TEST(!again.empty());
        auto rest = co_await subject.async_purge(managed, job_state::depends);
        BOOST_TEST(rest.purged == 1u);
        rest = co_await subject.async_purge(managed, job_state::waiting);
        BOOST_TEST(rest.purged == 2u);
        BOOST_TEST((co_await count(managed, job_state::scheduled)) == 1u);
        rest = co_await subject.async_purge(managed, job_state::scheduled);
        BOOST_TEST(rest.purged == 1u);
        co_await fail_managed(3, "timeout", "no answer");
        rest = co_await subject.async_purge(managed, job_state::failed);
        BOOST_TEST(rest.purged == 3u);
        BOOST_TEST(server("KEYS", "ql:j:*").elements.empty());
        const auto found = co_await subject.async_check(managed);
        BOOST_TEST(found.findings.empty());
    });
}

BOOST_AUTO_TEST_CASE(purges_a_long_chain_of_jobs_that_wait_for_each_other)
{
    run([&]() -> asio::awaitable<void> {
        co_await put("0");
        for (int i = 1; i != 400; ++i)
            co_await put(std::to_string(i), {.depends = {std::to_string(i - 1)}});
        const auto done = co_await subject.async_purge(managed, job_state::depends);
        BOOST_TEST(done.purged == 399u);
        BOOST_TEST(done.kept == 0u);
    });
}

BOOST_AUTO_TEST_CASE(purges_no_jobs_that_run_or_are_complete)
{
    run([&]() -> asio::awaitable<void> {
        const std::pair<queue_ref, job_state> refused[] = {{list, job_state::running},
                                                           {list, job_state::depends},
                                                           {managed, job_state::running},
                                                           {managed, job_state::complete},
                                                           {managed, job_state::broken}};
        for (const auto& [queue, state] : refused) {
            const auto why = co_await error_of(
                [&, each = queue, in = state] { return subject.async_purge(each, in, asio::use_awaitable); });
            BOOST_TEST(why == errc::invalid_option);
        }
    });
}

BOOST_AUTO_TEST_CASE(deletes_a_managed_queue_with_all_that_belongs_to_it)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_set_heartbeat(50s);
        co_await mail.async_set_max_concurrency(3);
        co_await mail.async_set_limits({"api"});
        const schedules plans{redis};
        co_await plans.async_set("nightly", {.every = 60s}, "mail", "Mail", data);
        co_await plans.async_set("other", {.every = 60s}, "letters", "Mail", data);
        co_await mail.async_recur("Mail", data, 60s);
        co_await put("limited", {.limits = {"one"}});
        co_await put("parent", {.priority = -5});
        co_await put("child", {.depends = {"parent"}});
        co_await put("grandchild", {.depends = {"child"}});
        co_await put("unique", {.delay = 1h, .unique = unique_rule{.key = "u", .unique_for = 1h}});
        co_await put("ended", {.priority = 10});
        const auto popped = co_await pop("w");
        co_await complete_job(jobs, popped.at(0));
        co_await fail_managed(1, "timeout", "no answer");
        const queue_deletion with_jobs{.with_jobs = true};
        const auto held = co_await pop("w");
        BOOST_REQUIRE(held.size() == 1u);
        auto done = co_await subject.async_delete_queue(managed, with_jobs);
        BOOST_TEST(done.error() == errc::queue_in_use);
        co_await complete_job(jobs, held.at(0));
        done = co_await subject.async_delete_queue(managed, queue_deletion{});
        BOOST_TEST(done.error() == errc::queue_not_empty);
        done = co_await subject.async_delete_queue(managed, with_jobs);
        BOOST_TEST(done.has_value());
        BOOST_TEST((co_await plans.async_list()).size() == 1u);
        co_await plans.async_remove("other");
        for (const auto& key : server("KEYS", "ql:*mail*").elements)
            BOOST_ERROR(key.text + " is left");
        for (const auto& key : server("KEYS", "ql:j:*").elements)
            if (!key.text.ends_with("-history"))
                BOOST_TEST(server("HGET", key.text, "state").text == "complete", key.text);
        const auto found = co_await subject.async_check(managed);
        BOOST_TEST(found.findings.empty());
    });
}

BOOST_AUTO_TEST_CASE(deletes_no_queue_that_is_used_unless_that_is_wanted)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        const auto source = numbers.make_source();
        co_await source->open();
        const auto taken = co_await source->ack_and_fetch({}, 1);
        BOOST_REQUIRE(taken.fetched.size() == 1u);
        auto done = co_await subject.async_delete_queue(list, queue_deletion{.with_jobs = true});
        BOOST_TEST(done.error() == errc::queue_in_use);
        done =
            co_await subject.async_delete_queue(list, queue_deletion{.with_jobs = true, .while_used = true});
        BOOST_TEST(done.has_value());
        BOOST_TEST(server("KEYS", "hworker-*-numbers").elements.empty());
    });
}

BOOST_AUTO_TEST_SUITE_END()
