// SPDX-License-Identifier: MIT
#include "http_client.hpp"
#include "work_test.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <cmath>
#include <ctime>
#include <sched.h>
#include <sys/mount.h>

/// --metrics of coworker work and coworker monitor.
BOOST_FIXTURE_TEST_SUITE(metrics_option, coworker::test::work_test)

using namespace coworker::test;

namespace {

/// Where a program has said that its metrics are.
std::uint16_t metrics_port(running_program& program)
{
    const auto line = program.wait_for("metrics: http://127.0.0.1:");
    return static_cast<std::uint16_t>(std::stoul(line.substr(line.rfind(':') + 1)));
}

/// What is there under a path.
http_reply fetch(std::uint16_t port, const std::string& path)
{
    boost::asio::io_context io;
    http_reply reply;
    std::exception_ptr error;
    boost::asio::co_spawn(
        io,
        [&]() -> boost::asio::awaitable<void> {
            http_client client{io.get_executor(), port};
            reply = co_await client.get(path);
        },
        [&](std::exception_ptr thrown) { error = thrown; });
    io.run();
    if (error)
        std::rethrow_exception(error);
    return reply;
}

} // namespace

BOOST_AUTO_TEST_CASE(tells_what_a_worker_has_done)
{
    running_program worker{work({"mail", "--metrics", "localhost:0"}, "cat")};
    const auto port = metrics_port(worker);
    worker.wait_for("working on mail");
    push({"mail"}, "1\n");
    worker.wait_for("succeeded");
    const auto page = fetch(port, "/metrics");
    BOOST_TEST(page.status == 200u);
    BOOST_TEST(page.field("content-type") == "text/plain; version=0.0.4; charset=utf-8");
    for (const auto* line :
         {R"(coworker_worker_jobs_total{queue="mail",outcome="succeeded"} 1)", "coworker_worker_connected 1",
          R"(coworker_worker_run_seconds_count{queue="mail"} 1)",
          R"(coworker_worker_wait_seconds_count{queue="mail"} 1)", "process_cpu_seconds_total ",
          R"(coworker_build_info{version=")"})
        BOOST_TEST(page.body.find(line) != std::string::npos, page.body);
    BOOST_TEST(fetch(port, "/v1/queues").status == 404u);
    BOOST_TEST(ends_well(worker));
}

BOOST_AUTO_TEST_CASE(keeps_nobody_waiting_for_clients_that_say_nothing)
{
    running_program worker{work({"mail", "--metrics", "localhost:0"}, "cat")};
    const auto port = metrics_port(worker);
    worker.wait_for("working on mail");
    boost::asio::io_context io;
    std::vector<http_client> silent;
    for (int i = 0; i != 100; ++i) // more than are served at the same time
        silent.emplace_back(io.get_executor(), port);
    const auto begin = std::chrono::steady_clock::now();
    BOOST_TEST(fetch(port, "/metrics").status == 200u);
    BOOST_TEST((std::chrono::steady_clock::now() - begin < std::chrono::seconds{10}));
    BOOST_TEST(ends_well(worker));
}

/// As in a unit with ProcSubset=pid. Needs the right to mount.
BOOST_AUTO_TEST_CASE(tells_when_it_started_where_it_sees_its_own_processes_only)
{
    if (::geteuid() != 0) {
        BOOST_TEST_MESSAGE("files cannot be hidden from a process here");
        return;
    }
    const auto before = std::time(nullptr);
    running_program worker{work({"mail", "--metrics", "localhost:0"}, "cat"), [] {
                               ::unshare(CLONE_NEWNS);
                               ::mount("none", "/", nullptr, MS_REC | MS_PRIVATE, nullptr);
                               ::mount("/dev/null", "/proc/stat", nullptr, MS_BIND, nullptr);
                           }};
    const auto page = fetch(metrics_port(worker), "/metrics");
    const std::string name = "\nprocess_start_time_seconds ";
    const auto place = page.body.find(name);
    BOOST_TEST_REQUIRE(place != std::string::npos, page.body);
    BOOST_TEST(std::abs(std::stod(page.body.substr(place + name.size())) - static_cast<double>(before)) < 60);
    BOOST_TEST(ends_well(worker));
}

BOOST_AUTO_TEST_CASE(tells_what_a_monitor_has_returned)
{
    running_program watcher{
        {"monitor", "--redis", server.url(), "--metrics", "localhost:0", "mail", "--lease", "1s"}};
    const auto port = metrics_port(watcher);
    server("HSET", "hworker-progress-mail", R"(["an-id",1])", R"("2020-01-01T00:00:00.000000Z")");
    watcher.wait_for("recovered");
    const auto page = fetch(port, "/metrics");
    BOOST_TEST(page.body.find(R"(coworker_worker_recovered_jobs_total{queue="mail"} 1)") != std::string::npos,
               page.body);
    BOOST_TEST(ends_well(watcher));
}

BOOST_AUTO_TEST_CASE(says_where_it_cannot_serve_metrics)
{
    for (const auto* place : {"9100", "x:y", "example.com"}) {
        const auto end = coworker({"work", "mail", "--metrics", place, "--", "cat"});
        BOOST_TEST(end.code == 2);
        BOOST_TEST(end.complains("HOST:PORT"));
    }
    running_program worker{work({"mail", "--metrics", "localhost:0"}, "cat")};
    const auto place = "127.0.0.1:" + std::to_string(metrics_port(worker));
    const auto taken = coworker({"work", "mail", "--metrics", place, "--", "cat"});
    BOOST_TEST(taken.code == 1);
    BOOST_TEST(taken.complains("cannot serve metrics on " + place));
    worker.wait_for("working on mail");
    BOOST_TEST(ends_well(worker));
}

BOOST_AUTO_TEST_SUITE_END()
