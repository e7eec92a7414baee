// SPDX-License-Identifier: MIT
#include "program/sentinel_url.hpp"

#include "program/exit_code.hpp"
#include "program_test.hpp"
#include "support/redis_server.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>
#include <fstream>
#include <optional>
#include <thread>

BOOST_AUTO_TEST_SUITE(sentinel)

using namespace coworker::test;
using coworker::program::parse_sentinel_url;

BOOST_AUTO_TEST_CASE(reads_urls)
{
    const auto whole = parse_sentinel_url("redis+sentinel://ada:p%40ss@one:1,two,[::1]:3/mymaster/7");
    BOOST_TEST_REQUIRE(whole.has_value());
    BOOST_TEST(whole->url == "redis://ada:p%40ss@primary/7");
    const std::vector<std::string> places{"one:1", "two", "[::1]:3"};
    BOOST_TEST(whole->sentinels == places, boost::test_tools::per_element());
    BOOST_TEST(whole->primary == "mymaster");
    const auto tls = parse_sentinel_url("rediss+sentinel://one/m");
    BOOST_TEST_REQUIRE(tls.has_value());
    BOOST_TEST(tls->url == "rediss://primary");
    for (const auto* other : {"", "redis://localhost", "embedded", "redis+sentinel"})
        BOOST_TEST(!parse_sentinel_url(other).has_value(), other);
}

BOOST_AUTO_TEST_CASE(refuses_urls_that_lack_something)
{
    for (const auto* url :
         {"redis+sentinel://", "redis+sentinel:///m", "redis+sentinel://one", "redis+sentinel://one/",
          "redis+sentinel://one,,two/m", "redis+sentinel://:26379/m", "redis+sentinel://a@/m"})
        BOOST_CHECK_THROW((void)parse_sentinel_url(url), coworker::program::failure);
}

namespace {

/// A Sentinel that watches over a primary called "mail-redis".
class one_sentinel
{
public:
    explicit one_sentinel(int primary)
    {
        for (int attempt = 0; attempt != 4 && !start(primary); ++attempt) {
        } // another program may take the free port first
        BOOST_REQUIRE(process_->is_running());
    }

    int port() const noexcept { return port_; }

private:
    bool start(int primary)
    {
        port_ = find_free_port();
        std::ofstream{folder_.file("sentinel.conf")}
            << "port " << port_ << "\nbind 127.0.0.1\nunixsocket " << folder_.file("sock")
            << "\nsentinel monitor mail-redis 127.0.0.1 " << primary << " 1\n";
        process_.emplace(
            std::vector<std::string>{"redis-server", folder_.file("sentinel.conf"), "--sentinel"},
            folder_.file("log"));
        const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds{30};
        while (process_->is_running() && std::chrono::steady_clock::now() < give_up) {
            try {
                raw_redis probe{folder_.file("sock")};
                return !probe.try_command({"PING"}).is_error();
            } catch (const std::exception&) {
                std::this_thread::sleep_for(std::chrono::milliseconds{5});
            }
        }
        return false;
    }

    temporary_folder folder_;
    int port_ = 0;
    std::optional<process> process_;
};

} // namespace

BOOST_AUTO_TEST_CASE(finds_the_primary_by_a_sentinel)
{
    redis_server server{{.tcp = true}};
    const one_sentinel sentinel{server.tcp_port()};
    const auto url = "redis+sentinel://127.0.0.1:" + std::to_string(sentinel.port()) + "/mail-redis";
    program_surroundings surroundings;
    surroundings.input = "1\n2\n";
    const auto pushed = run_coworker({"push", "mail", "--redis", url}, surroundings);
    BOOST_TEST(pushed.code == 0, pushed.errors);
    BOOST_TEST(server("LLEN", "hworker-jobs-mail").integer == 2);
    program_surroundings by_environment;
    by_environment.environment = {"COWORKER_REDIS=" + url};
    BOOST_TEST(run_coworker({"queues"}, by_environment).says("mail"));
    const auto refused = run_coworker({"queues", "--redis", "redis+sentinel://127.0.0.1"});
    BOOST_TEST(refused.code == 2);
    BOOST_TEST(refused.complains("does not name the primary"), refused.errors);
}

BOOST_AUTO_TEST_SUITE_END()
