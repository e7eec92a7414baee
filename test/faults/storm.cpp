// SPDX-License-Identifier: MIT
#include "fault_test.hpp"
#include "list/consistency.hpp"
#include "storm_scene.hpp"
#include "support/cutting_proxy.hpp"
#include "support/qless_client.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <future>
#include <thread>

using namespace coworker;
using namespace coworker::test;

/// Everything at once, for two minutes: processes killed, frozen and stopped, a Redis killed, frozen and full, scripts
/// forgotten, connections cut, answers lost. And then an account of every job.
BOOST_AUTO_TEST_SUITE(storm)

namespace {

/// A `cutting_proxy` with a thread of its own, for tests that do not run a context.
class proxy_thread
{
public:
    proxy_thread(std::string path, std::string server_path)
        : proxy_{io_.get_executor(), std::move(path), std::move(server_path)}, thread_{[this] { io_.run(); }}
    {}
    ~proxy_thread()
    {
        call([this] { proxy_.close(); });
        work_.reset();
    }

    std::string url() { return proxy_.url(); }
    void cut()
    {
        call([this] { proxy_.cut(); });
    }
    /// From the next script call on, no answer comes back, until `cut`.
    void lose_answers()
    {
        call([this] { proxy_.swallow_answer_to("EVALSHA"); });
    }

private:
    void call(std::function<void()> function)
    {
        std::packaged_task<void()> task{std::move(function)};
        auto done = task.get_future();
        asio::post(io_, std::move(task));
        done.get();
    }

    asio::io_context io_{1};
    asio::executor_work_guard<asio::io_context::executor_type> work_{io_.get_executor()};
    cutting_proxy proxy_;
    std::jthread thread_; ///< last: ends before what it uses
};

/// One Redis, which most processes reach through a proxy.
struct server_storm : fault_test
{
    proxy_thread proxy{server.folder().file("proxy.sock"), server.socket_path()};
    storm_scene processes{
        *this,
        {.url_of = [this](std::size_t place) { return place == 0 ? server.url() : proxy.url(); },
         .ask =
             [this](const std::vector<std::string>& words) { return server.raw().command(words).parts(); }}};

    explicit server_storm(std::string queue) : fault_test{{.append_only = true}, std::move(queue)} {}

    void rage()
    {
        processes.rage({
            {"Redis killed", 2, [this] { restart_server(); }},
            {"Redis frozen", 2, [this] { freeze_server(); }},
            {"memory full", 2, [this] { fill_memory(); }},
            {"scripts forgotten", 2, [this] { server("SCRIPT", "FLUSH"); }},
            {"all connections closed", 1, [this] { server("CLIENT", "KILL", "TYPE", "pubsub"); }},
            {"proxy cut", 4, [this] { proxy.cut(); }},
            {"answers lost for a moment", 4, [this] { lose_answers(processes.some(5, 200)); }},
            {"answers lost for long", 1, [this] { lose_answers(processes.some(500, 3'000)); }},
        });
    }

    void restart_server()
    {
        server.kill();
        std::this_thread::sleep_for(processes.some(0, 1'000));
        server.restart();
    }

    void freeze_server()
    {
        server.freeze();
        std::this_thread::sleep_for(processes.some(100, 2 * storm_scene::lease.count()));
        server.thaw();
    }

    void fill_memory()
    {
        server("CONFIG", "SET", "maxmemory", "1mb");
        processes.later(processes.some(100, 1'000), [this] { server("CONFIG", "SET", "maxmemory", "0"); });
    }

    void lose_answers(std::chrono::milliseconds time)
    {
        proxy.lose_answers();
        processes.later(time, [this] { proxy.cut(); });
    }

    void check_account() { processes.check_account({server.folder().path()}); }
};

struct list_storm : server_storm
{
    list_storm() : server_storm{"q"} {}

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

struct managed_storm : server_storm, qless_client
{
    managed_storm() : server_storm{"managed:q"}, qless_client{server}
    {
        set_option("heartbeat", std::to_string(storm_scene::lease.count() / 1000));
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
};

} // namespace

BOOST_FIXTURE_TEST_CASE(no_list_job_is_lost_or_done_twice, list_storm)
{
    BOOST_TEST_INFO_SCOPE("STORM_SEED=" << processes.seed());
    rage();
    processes.stop_producers();
    processes.check_that_all_work([&](std::size_t begin, std::size_t end) { push_numbers(begin, end); });
    wait_until("nothing is left to do", [&] {
        return server.has_none("hworker-jobs-q", "hworker-progress-q", "hworker-scheduled-q");
    });
    wait_until("the workers that were killed last are struck off",
               [&] { return server("HLEN", "hworker-workers-q").integer == processes.worker_count(); });
    check_account();
    for (const char* part : {"duplicates", "failed", "broken", "workers"})
        BOOST_TEST(server("EXISTS", "hworker-" + std::string{part} + "-q").integer == 0,
                   "something is left in " << part);
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(no_managed_job_is_lost_or_done_twice, managed_storm)
{
    BOOST_TEST_INFO_SCOPE("STORM_SEED=" << processes.seed());
    rage();
    processes.stop_producers();
    processes.check_that_all_work([&](std::size_t begin, std::size_t end) { put_numbers(begin, end); });
    wait_until("nothing is left to do", [&] { return !is_anything_left(); });
    check_account();
    BOOST_TEST(!is_anything_left());
    BOOST_TEST(server("SCARD", "ql:failures").integer == 0);
    BOOST_TEST(qless_client::broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
