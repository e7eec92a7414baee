// SPDX-License-Identifier: MIT
#include "list/consistency.hpp"
#include "storm_scene.hpp"
#include "support/qless_client.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;

/// Everything at once, for two minutes: processes killed, frozen and stopped, a Redis killed, frozen and full, scripts
/// forgotten, connections cut, answers lost. And then an account of every job.
BOOST_AUTO_TEST_SUITE(storm)

namespace {

struct list_storm : storm_scene
{
    list_storm() : storm_scene{"q"} {}

    std::string broken()
    {
        std::string found, cursor = "0";
        run([&]() -> asio::awaitable<void> {
            client redis{io.get_executor(), options()};
            do {
                auto page =
                    co_await detail::check_list_queue(detail::connection_of(redis), "q", cursor, false, 500);
                for (const auto& item : page.items)
                    if (item.broken)
                        found += item.kind + ' ' + item.member + '\n';
                cursor = page.next;
            } while (cursor != "0");
            co_await redis.async_stop();
        });
        return found;
    }
};

struct managed_storm : storm_scene, qless_client
{
    managed_storm() : storm_scene{"managed:q"}, qless_client{server}
    {
        set_option("heartbeat", std::to_string(lease.count() / 1000));
        set_option("grace-period", "0.5");
        set_option("jobs-history-count", "10000000"); // so that all are there to be looked at
    }

    void put_numbers(std::size_t begin, std::size_t end)
    {
        for (; begin != end; ++begin) {
            const auto number = std::to_string(begin);
            qless("put", "", "q", "job-" + number, "Job", number, "0", "retries", 1000);
        }
    }

    bool is_anything_left() { return !server.has_none("ql:q:q-work", "ql:q:q-locks", "ql:q:q-scheduled"); }
    std::int64_t completed() { return server("ZCARD", "ql:completed").integer; }

    /// Jobs whose history does not say exactly once that they are done.
    std::size_t not_done_once()
    {
        std::size_t count = 0;
        for (const auto& jid : server("ZRANGE", "ql:completed", 0, -1).texts()) {
            const auto all = ' ' + history(jid) + ' ';
            const auto first = all.find(" done ");
            if (first == std::string::npos || all.find(" done ", first + 1) != std::string::npos)
                ++count;
        }
        return count;
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(no_list_job_is_lost_or_done_twice, list_storm)
{
    BOOST_TEST_INFO_SCOPE("STORM_SEED=" << seed());
    rage();
    const auto jobs = accepted();
    check_that_all_work([&](std::size_t begin, std::size_t end) { push_numbers(begin, end); });
    wait_until("nothing is left to do", [&] {
        return server.has_none("hworker-jobs-q", "hworker-progress-q", "hworker-scheduled-q");
    });
    wait_until("the workers that were killed last are struck off",
               [&] { return server("HLEN", "hworker-workers-q").integer == worker_count(); });
    check_that_nothing_is_lost(jobs);
    for (const char* part : {"twins", "failed", "broken", "workers"})
        BOOST_TEST(server("EXISTS", "hworker-" + std::string{part} + "-q").integer == 0,
                   "something is left in " << part);
    // Each has been acknowledged once: no outcome of a run that had lost its lease has counted.
    BOOST_TEST(acknowledged() == static_cast<std::int64_t>(record.jobs()));
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(no_managed_job_is_lost_or_done_twice, managed_storm)
{
    BOOST_TEST_INFO_SCOPE("STORM_SEED=" << seed());
    rage();
    const auto jobs = accepted();
    check_that_all_work([&](std::size_t begin, std::size_t end) { put_numbers(begin, end); });
    wait_until("nothing is left to do", [&] { return !is_anything_left(); });
    check_that_nothing_is_lost(jobs);
    BOOST_TEST(!is_anything_left());
    BOOST_TEST(server("SCARD", "ql:failures").integer == 0);
    BOOST_TEST(completed() == static_cast<std::int64_t>(record.jobs()));
    BOOST_TEST(not_done_once() == 0u);
    BOOST_TEST(qless_client::broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
