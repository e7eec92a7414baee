// SPDX-License-Identifier: MIT
#include "inspector_test.hpp"

#include "support/cluster_client_test.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(divided_queues)

namespace {

/// A queue `mails` with three partitions, and beside them what was pushed by programs that know nothing of partitions.
struct divided_test : inspector_test
{
    divided_test() { server("SET", "hworker-partitions-mails", "3"); }

    /// Waiting jobs: one in the queue itself, and 1, 2 and 3 in the partitions.
    void add_waiting()
    {
        server("LPUSH", "hworker-jobs-mails", R"(["whole",1])");
        for (int part = 0; part != 3; ++part)
            for (int job = 0; job <= part; ++job)
                server("LPUSH", key("jobs", part), payload(part, job));
    }

    void add_failed_in(int part, const std::string& payload, const std::string& message)
    {
        server("LPUSH", key("failed", part), payload);
        server("HSET", key("failures", part), payload, R"("2026-11-21T09:54:29.612715000000Z" 3 )" + message);
    }

    static std::string key(const std::string& kind, int part)
    {
        return "hworker-" + kind + "-{mails:" + std::to_string(part) + '}';
    }
    static std::string payload(int part, int job)
    {
        return "[\"" + std::to_string(part) + std::to_string(job) + "\",1]";
    }

    const queue_ref mails = queue_ref::list("mails");
};

/// All jobs, in pages of this size.
asio::awaitable<std::vector<job_info>> read_all(const inspector& subject, queue_ref queue, job_state state,
                                                std::size_t count)
{
    std::vector<job_info> jobs;
    std::string cursor;
    do {
        auto page = co_await subject.async_jobs(queue, state, cursor, count);
        BOOST_TEST(page.jobs.size() <= count);
        jobs.insert(jobs.end(), page.jobs.begin(), page.jobs.end());
        cursor = std::move(page.next);
    } while (!cursor.empty());
    co_return jobs;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_divided_queue_is_shown_as_one, divided_test)
{
    add_waiting();
    add_failed_in(2, R"(["f",1])", "no");
    server("SET", "hworker-paused-{mails:1}", "1");
    run([&]() -> asio::awaitable<void> {
        const auto page = co_await subject.async_queues(queue_kind::list);
        BOOST_TEST_REQUIRE(page.queues.size() == 1u);
        const auto& seen = page.queues[0];
        BOOST_TEST(seen.queue == mails);
        BOOST_TEST(seen.partitions == 3u);
        BOOST_TEST(seen.waiting == 7u);
        BOOST_TEST(seen.failed.value() == 1u);
        BOOST_TEST(seen.paused);
        BOOST_TEST(seen.latency.has_value());
        const auto one = co_await subject.async_queue(mails);
        BOOST_TEST(one.value().waiting == 7u);
        const auto found = co_await subject.async_discover();
        BOOST_TEST(found.names == ids({"mails"}), boost::test_tools::per_element());
    });
}

BOOST_FIXTURE_TEST_CASE(its_partitions_are_shown_on_request, divided_test)
{
    add_waiting();
    run([&]() -> asio::awaitable<void> {
        const auto parts = co_await subject.async_partitions(mails);
        BOOST_TEST_REQUIRE(parts.size() == 3u);
        const char* const names[] = {"{mails:0}", "{mails:1}", "{mails:2}"};
        const std::uint64_t waiting[] = {1, 2, 3};
        for (std::size_t i = 0; i != parts.size(); ++i) {
            BOOST_TEST(parts[i].queue.name() == names[i]);
            BOOST_TEST(parts[i].waiting == waiting[i]);
            BOOST_TEST(parts[i].partitions == 0u);
        }
        const auto by_name = co_await subject.async_queue(queue_ref::list("{mails:2}"));
        BOOST_TEST(by_name.value().waiting == 3u);
        BOOST_TEST((co_await subject.async_partitions(list)).empty());
    });
}

BOOST_FIXTURE_TEST_CASE(what_only_looks_like_a_partition_is_a_queue, divided_test)
{
    server("LPUSH", "hworker-jobs-{mails:3}", R"(["1",1])");  // there are three
    server("LPUSH", "hworker-jobs-{mails:01}", R"(["1",1])"); // no partition is called so
    server("LPUSH", "hworker-jobs-{other:0}", R"(["1",1])");  // not divided
    server("SET", "hworker-partitions-text", "many");
    run([&]() -> asio::awaitable<void> {
        std::set<std::string> names;
        for (const auto& queue : (co_await subject.async_queues(queue_kind::list)).queues)
            names.insert(queue.queue.name());
        const std::set<std::string> expected{"mails", "text", "{mails:01}", "{mails:3}", "{other:0}"};
        BOOST_TEST(names == expected, boost::test_tools::per_element());
        const auto text = co_await subject.async_queue(queue_ref::list("text"));
        BOOST_TEST(text.value().partitions == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_queue_of_which_only_partitions_are_known_is_found, divided_test)
{
    // As in a database with too many keys to look at them all at once.
    server("SADD", "hworker-queues", "{mails:0}", "{mails:2}");
    run([&]() -> asio::awaitable<void> {
        const auto page = co_await subject.async_queues(queue_kind::list);
        BOOST_TEST_REQUIRE(page.queues.size() == 1u);
        BOOST_TEST(page.queues[0].queue == mails);
    });
    BOOST_TEST(server("SISMEMBER", "hworker-queues", "mails").integer == 1);
}

BOOST_FIXTURE_TEST_CASE(pages_of_jobs_go_through_all_partitions, divided_test)
{
    add_waiting();
    run([&]() -> asio::awaitable<void> {
        for (const std::size_t count : {1u, 2u, 3u, 100u}) {
            const auto waiting = co_await read_all(subject, mails, job_state::waiting, count);
            std::vector<std::string> found;
            for (const auto& job : waiting)
                found.push_back(job.id + ' ' + job.queue.name());
            const auto expected = ids({"whole mails", "00 {mails:0}", "10 {mails:1}", "11 {mails:1}",
                                       "20 {mails:2}", "21 {mails:2}", "22 {mails:2}"});
            BOOST_TEST(found == expected, boost::test_tools::per_element());
        }
        const auto whole = co_await subject.async_jobs(mails, job_state::waiting);
        BOOST_TEST(whole.jobs.size() == 7u); // in one page
        BOOST_TEST(whole.next.empty());
        const auto error = co_await error_of(
            [&] { return subject.async_jobs(mails, job_state::waiting, "4/", 1, asio::use_awaitable); });
        BOOST_TEST(error == errc::invalid_option);
    });
}

BOOST_FIXTURE_TEST_CASE(jobs_are_found_in_any_partition, divided_test)
{
    add_waiting();
    run([&]() -> asio::awaitable<void> {
        const auto job = co_await subject.async_job(mails, "21");
        BOOST_TEST(job.value().queue.name() == "{mails:2}");
        const auto none = co_await subject.async_job(mails, "33");
        BOOST_TEST(none.error() == errc::job_not_found);
        job_filter which;
        which.state = job_state::waiting;
        which.ids = {"11", "22", "whole"};
        const auto page = co_await subject.async_find(mails, which);
        BOOST_TEST(ids_of(page) == ids({"whole", "11", "22"}), boost::test_tools::per_element());
    });
}

BOOST_FIXTURE_TEST_CASE(failures_of_all_partitions_are_grouped_and_retried, divided_test)
{
    for (int part = 0; part != 3; ++part) {
        add_failed_in(part, payload(part, 0), "no route");
        add_failed_in(part, payload(part, 1), "only " + std::to_string(part));
    }
    run([&]() -> asio::awaitable<void> {
        const auto page = co_await subject.async_failures(mails);
        BOOST_TEST_REQUIRE(page.groups.size() == 4u);
        BOOST_TEST(page.groups[0].message == "no route");
        BOOST_TEST(page.groups[0].count == 3u);
        job_filter which;
        which.message = "no route";
        const auto count = co_await subject.async_act_on_all(job_action::retry, mails, which);
        BOOST_TEST(count == 3u);
    });
    for (int part = 0; part != 3; ++part) { // each in its own partition
        BOOST_TEST(server("LINDEX", key("jobs", part), 0).text == payload(part, 0));
        BOOST_TEST(server("LLEN", key("failed", part)).integer == 1);
    }
}

BOOST_FIXTURE_TEST_CASE(jobs_are_acted_on_wherever_they_are, divided_test)
{
    add_waiting();
    run([&]() -> asio::awaitable<void> {
        const auto page = co_await subject.async_jobs(mails, job_state::waiting);
        const std::vector<std::string> keys{page.jobs.at(6).key, "w[\"none\",1]", page.jobs.at(0).key};
        const auto results = co_await subject.async_act(job_action::remove, mails, keys);
        const action_result expected[] = {action_result::done, action_result::not_found, action_result::done};
        BOOST_TEST_REQUIRE(results.size() == 3u);
        BOOST_TEST(std::equal(results.begin(), results.end(), std::begin(expected)));
        BOOST_TEST((co_await subject.async_queue(mails)).value().waiting == 5u);
    });
}

BOOST_FIXTURE_TEST_CASE(all_partitions_are_paused_and_resumed, divided_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await subject.async_pause(mails);
        for (const char* const name : {"mails", "{mails:0}", "{mails:1}", "{mails:2}"})
            BOOST_TEST(server("EXISTS", std::string{"hworker-paused-"} + name).integer == 1);
        co_await subject.async_resume(mails);
        BOOST_TEST(!(co_await subject.async_queue(mails)).value().paused);
    });
}

BOOST_FIXTURE_TEST_CASE(a_divided_queue_is_deleted_with_its_partitions, divided_test)
{
    add_waiting();
    server("HSET", "hworker-counters-{mails:0}", "succeeded", "1");
    run([&]() -> asio::awaitable<void> {
        (void)co_await subject.async_queues(queue_kind::list); // makes it known
        const auto refused = co_await subject.async_delete_queue(mails);
        BOOST_TEST(refused.error() == errc::queue_not_empty);
        BOOST_TEST(server("EXISTS", "hworker-counters-{mails:0}").integer == 1); // nothing was deleted
        const auto done = co_await subject.async_delete_queue(mails, true);
        BOOST_TEST(done.has_value());
        const auto gone = co_await subject.async_queue(mails);
        BOOST_TEST(gone.error() == errc::queue_not_found);
    });
    BOOST_TEST(server("KEYS", "hworker-*").elements.empty());
}

BOOST_FIXTURE_TEST_CASE(the_history_is_that_of_all_partitions, divided_test)
{
    const auto minute =
        std::chrono::floor<std::chrono::minutes>(std::chrono::system_clock::now()).time_since_epoch();
    const auto when = std::to_string(std::chrono::seconds{minute - 1min}.count());
    server("RPUSH", "hworker-history-mails", when + " 1 0 0");
    server("RPUSH", "hworker-history-{mails:0}", when + " 2 3 4");
    server("RPUSH", "hworker-history-{mails:2}", when + " 5 6 7");
    run([&]() -> asio::awaitable<void> {
        const auto history = co_await subject.async_history(mails);
        BOOST_TEST_REQUIRE(history.minutes.size() == 1u);
        BOOST_TEST(history.minutes[0].succeeded == 8u);
        BOOST_TEST(history.minutes[0].failed == 9u);
        BOOST_TEST(history.minutes[0].retried == 11u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_is_shown_with_one_load_for_all_partitions, divided_test)
{
    server("SADD", "hworker-queues", "{mails:0}", "{mails:1}", "{mails:2}");
    for (const char* const part : {"{mails:0}", "{mails:2}"}) {
        const std::string name{part};
        server("HSET", "hworker-progress-" + name, R"(["1",1])", R"("2026-11-21T09:54:29.612715000000Z" w1)");
    }
    run([&]() -> asio::awaitable<void> {
        const auto list_of_workers = co_await subject.async_workers(queue_kind::list);
        const auto& workers = list_of_workers.workers;
        BOOST_TEST_REQUIRE(workers.size() == 1u); // those whose name is not known
        BOOST_TEST_REQUIRE(workers[0].loads.size() == 1u);
        BOOST_TEST(workers[0].loads[0].queue == mails);
        BOOST_TEST(workers[0].loads[0].running == 2u);
    });
}

BOOST_FIXTURE_TEST_CASE(all_partitions_are_checked, divided_test)
{
    server("HSET", "hworker-progress-{mails:0}", R"(["1",1])", "nonsense");
    server("HSET", "hworker-progress-{mails:2}", R"(["1",1])", "nonsense");
    run([&]() -> asio::awaitable<void> {
        std::set<std::string> keys;
        std::string cursor;
        do {
            const auto page = co_await subject.async_check(mails, cursor);
            for (const auto& found : page.findings)
                keys.insert(found.key);
            cursor = page.next;
        } while (!cursor.empty());
        const std::set<std::string> expected{"hworker-progress-{mails:0}", "hworker-progress-{mails:2}"};
        BOOST_TEST(keys == expected, boost::test_tools::per_element());
    });
}

BOOST_FIXTURE_TEST_CASE(partitions_on_several_nodes_are_one_queue, cluster_client_test)
{
    constexpr int partitions = 6;
    home_of("hworker-partitions-mails")("SET", "hworker-partitions-mails", partitions);
    std::set<const redis_server*> nodes;
    for (int i = 0; i != partitions; ++i) {
        const auto key = "hworker-jobs-{mails:" + std::to_string(i) + '}';
        home_of(key)("LPUSH", key, "[\"" + std::to_string(i) + "\",1]");
        nodes.insert(&home_of(key));
    }
    BOOST_TEST(nodes.size() == 3u);
    const auto mails = queue_ref::list("mails");
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const inspector subject{redis};
        const auto found =
            co_await find_all<queue_page>([&] { return subject.async_queues(queue_kind::list); });
        BOOST_TEST_REQUIRE(found.queues.size() == 1u);
        BOOST_TEST(found.queues[0].queue == mails);
        BOOST_TEST(found.queues[0].waiting == 6u);
        BOOST_TEST((co_await subject.async_partitions(mails)).size() == 6u);
        const auto jobs = co_await subject.async_jobs(mails, job_state::waiting);
        BOOST_TEST(jobs.jobs.size() == 6u);
        co_await subject.async_pause(mails);
        const auto paused = co_await subject.async_queue(mails);
        BOOST_TEST(paused.value().paused);
        const auto deleted = co_await subject.async_delete_queue(mails, true);
        BOOST_TEST(deleted.has_value());
        const auto gone = co_await subject.async_queue(mails);
        BOOST_TEST(gone.error() == errc::queue_not_found);
    });
}

/// Such as one of `gateway_options::types` that nobody has pushed to yet: the others are shown all the same.
BOOST_FIXTURE_TEST_CASE(one_that_nobody_has_divided_is_empty_in_a_cluster, cluster_client_test)
{
    home_of(key("jobs", low))("LPUSH", key("jobs", low), R"(["1",1])");
    const auto mails = queue_ref::list("mails");
    run_with_client([&](client& redis) -> asio::awaitable<void> {
        const inspector subject{redis};
        const std::vector<queue_ref> both{mails, queue_ref::list(tagged(low))};
        const auto found = co_await subject.async_queues(both);
        BOOST_TEST_REQUIRE(found.size() == 2u);
        BOOST_TEST(found[0].queue == mails);
        BOOST_TEST(found[0].waiting == 0u);
        BOOST_TEST(found[0].partitions == 0u);
        BOOST_TEST(found[1].waiting == 1u);
        const auto one = co_await subject.async_queue(mails);
        BOOST_TEST(one.error() == errc::queue_not_found);
        BOOST_TEST((co_await subject.async_partitions(mails)).empty());
        BOOST_TEST((co_await subject.async_jobs(mails, job_state::waiting)).jobs.empty());
        BOOST_TEST((co_await subject.async_history(mails)).minutes.empty());
        const auto job = co_await subject.async_job(mails, "1");
        BOOST_TEST(job.error() == errc::job_not_found);
        job_filter failed;
        failed.state = job_state::failed;
        const auto done = co_await subject.async_act_on_all(job_action::retry, mails, failed);
        BOOST_TEST(done == 0u);
        BOOST_TEST(co_await error_of([&]() -> asio::awaitable<void> {
                       co_await subject.async_pause(mails);
                   }) == errc::invalid_queue_name); // when it is divided, it would not be paused
        BOOST_TEST(home_of("hworker-paused-mails")("EXISTS", "hworker-paused-mails").integer == 0);
    });
}

BOOST_AUTO_TEST_SUITE_END()
