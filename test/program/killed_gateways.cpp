// SPDX-License-Identifier: MIT
#include "http_client.hpp"
#include "program_test.hpp"
#include "support/coroutine.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/json/array.hpp>
#include <boost/test/unit_test.hpp>

#include <array>
#include <fstream>
#include <map>
#include <random>
#include <sstream>

/// Workers over HTTP vanish with the jobs that they have taken, and gateways are killed: no job is lost, and none is
/// acknowledged twice.
BOOST_AUTO_TEST_SUITE(killed_gateways)

using namespace coworker::test;
namespace asio = boost::asio;
using namespace std::chrono_literals;

namespace {

constexpr int jobs = 200, workers = 6, kills = 6;

struct killing_test : program_test
{
    struct gateway
    {
        std::string log;
        process program;
        std::uint16_t port = 0;
    };

    temporary_folder folder;
    asio::io_context io{1};
    std::mt19937 random{std::random_device{}()};
    std::vector<gateway> gateways;
    std::map<std::string, int> runs, acknowledged;
    int started = 0, vanished = 0;
    bool is_over = false;

    int draw(int below) { return std::uniform_int_distribution{0, below - 1}(random); }

    asio::awaitable<gateway> start_gateway()
    {
        const auto log = folder.file("gateway-" + std::to_string(++started));
        gateway one{log, process{{COWORKER_PROGRAM, "gateway", "--redis", server.url(), "--listen",
                                  "127.0.0.1:0", "--lease", "1s"},
                                 log}};
        co_await eventually("a gateway listens", [&] {
            std::ostringstream text;
            text << std::ifstream{log}.rdbuf();
            const auto said = text.str();
            const auto place = said.find("Listening on http://127.0.0.1:");
            if (place == said.npos || said.find('\n', place) == said.npos)
                return false;
            one.port = static_cast<std::uint16_t>(std::stoi(said.substr(place + 30)));
            return true;
        });
        co_return one;
    }

    /// Takes jobs and says how they ended, or vanishes.
    asio::awaitable<void> serve(std::string queue, http_client& client)
    {
        while (!is_over) {
            const auto count = std::to_string(1 + draw(5));
            const auto taken =
                co_await client.post(queue + "/take", R"({"wait":"200ms","count":)" + count + '}');
            BOOST_TEST_REQUIRE(taken.status == 200u, taken.body);
            const auto answer = taken.json();
            for (const auto& job : answer.at("jobs").as_array()) {
                const auto fate = draw(20);
                if (fate < 2) {
                    ++vanished;
                    co_return;
                }
                if (fate == 2) // somebody else may have the job by then
                    co_await let_pass(1'500ms);
                const std::string id{job.at("id").as_string()}, token{job.at("token").as_string()};
                ++runs[id];
                const auto end = co_await client.post(queue + "/acknowledge",
                                                      R"({"outcome":"success","token":")" + token + "\"}");
                BOOST_TEST((end.status == 200u || end.status == 409u), end.body);
                acknowledged[id] += end.status == 200u ? 1 : 0;
            }
        }
    }

    asio::awaitable<void> work(std::string queue)
    {
        while (!is_over) {
            try {
                const auto port = gateways[static_cast<std::size_t>(draw(2))].port;
                http_client client{io.get_executor(), port};
                co_await serve(queue, client);
            } catch (const std::runtime_error&) {
                // its gateway has been killed; the next one may not listen yet
            }
            co_await let_pass(10ms);
        }
    }

    asio::awaitable<void> kill_and_work(std::string queue, std::function<bool()> is_done)
    {
        for (int i = 0; i != 2; ++i)
            gateways.push_back(co_await start_gateway());
        std::vector<background> working;
        for (int i = 0; i != workers; ++i)
            working.emplace_back(io.get_executor(), work(queue));
        for (int i = 0; i != kills; ++i) {
            const auto enough = [&, until = runs.size() + jobs / 10] {
                return runs.size() >= std::min<std::size_t>(until, jobs);
            };
            co_await eventually("some jobs have run", enough);
            auto& victim = gateways[static_cast<std::size_t>(draw(2))];
            victim.program.kill();
            victim = co_await start_gateway();
        }
        co_await eventually("all jobs are done", is_done);
        is_over = true;
        for (auto& each : working)
            co_await each.join();
        BOOST_TEST(runs.size() == static_cast<std::size_t>(jobs));
        for (const auto& [id, times] : acknowledged)
            BOOST_TEST(times <= 1, id << " was acknowledged " << times << " times");
        BOOST_TEST(vanished > 0);
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(lose_no_job_of_a_list_queue, killing_test)
{
    for (int i = 0; i != jobs; ++i)
        server("LPUSH", "hworker-jobs-mail", "[\"job-" + std::to_string(i) + "\",1]");
    run_coroutine(io, kill_and_work("/v1/queues/mail", [&] {
                      return server.has_none("hworker-jobs-mail", "hworker-progress-mail",
                                             "hworker-scheduled-mail");
                  }));
    BOOST_TEST(server("EXISTS", "hworker-failed-mail").integer == 0);
    BOOST_TEST(server("HGET", "hworker-counters-mail", "success").text == std::to_string(jobs));
}

BOOST_FIXTURE_TEST_CASE(lose_no_job_of_a_managed_queue, killing_test)
{
    set_option("heartbeat", "1");
    set_option("grace-period", "0");
    for (int i = 0; i != jobs; ++i)
        put("job-" + std::to_string(i), "Letter", "{}", "retries", 1000);
    run_coroutine(io, kill_and_work("/v1/queues/managed:mail", [&] {
                      return server.has_none("ql:q:mail-work", "ql:q:mail-locks", "ql:q:mail-scheduled");
                  }));
    BOOST_TEST(server("ZCARD", "ql:completed").integer == jobs);
    BOOST_TEST(broken() == "");
}

BOOST_AUTO_TEST_SUITE_END()
