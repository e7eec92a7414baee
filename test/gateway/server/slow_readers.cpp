// SPDX-License-Identifier: MIT
#include "gateway_test.hpp"

#include <vector>

/// Clients that ask for much and do not read it.
BOOST_AUTO_TEST_SUITE(slow_readers)

using namespace coworker::test;

namespace {

constexpr std::size_t jobs = 20, job_size = 200'000;

const std::string page = "/v1/queues/large/jobs?state=waiting&count=1000";
const std::string ask = "GET " + page + " HTTP/1.1\r\nHost: localhost\r\n\r\n";

/// A gateway with a page that is larger than what the system keeps for a client that asks for little.
struct large_page_test : gateway_test
{
    std::vector<std::uint64_t> sent_of_pages; ///< in the order in which they ended

    large_page_test()
    {
        settings.write_timeout = 300ms;
        settings.on_request = coworker::request_observer{[this](const coworker::gateway_request& one) {
            if (one.path == "/v1/queues/large/jobs")
                sent_of_pages.push_back(one.bytes);
        }};
        for (std::size_t i = 0; i != jobs; ++i)
            store()("LPUSH", "hworker-jobs-large",
                    "[\"j" + std::to_string(i) + "\",\"" + std::string(job_size, 'x') + "\"]");
    }

    http_client connect_with_little_room() { return {io.get_executor(), server->port(), 4096}; }

    /// Serves another client until so many have taken too long.
    asio::awaitable<void> serve_until_timeouts(int count)
    {
        const auto line = "\ncoworker_gateway_timeouts_total " + std::to_string(count) + "\n";
        auto other = connect();
        bool is_counted = false;
        const auto begin = std::chrono::steady_clock::now();
        while (!is_counted) {
            const auto metrics = co_await other.get("/metrics");
            BOOST_TEST_REQUIRE(metrics.status == 200u);
            is_counted = metrics.body.find(line) != metrics.body.npos;
            BOOST_TEST_REQUIRE((is_counted || std::chrono::steady_clock::now() - begin < patience));
        }
        BOOST_TEST(server->connections() == 1u); // the other's
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(one_that_reads_nothing_is_disconnected_and_others_are_served, large_page_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto silent = connect_with_little_room();
        co_await silent.send(ask);
        co_await serve_until_timeouts(1);
        BOOST_TEST_REQUIRE(sent_of_pages.size() == 1u);
        BOOST_TEST(sent_of_pages[0] < jobs * job_size);
        const auto rest = co_await silent.receive_rest();
        BOOST_TEST(rest.starts_with("HTTP/1.1 200 "));
        BOOST_TEST(rest.size() < jobs * job_size);
    });
}

BOOST_FIXTURE_TEST_CASE(one_that_reads_a_byte_now_and_then_is_disconnected, large_page_test)
{
    serve([&]() -> asio::awaitable<void> {
        auto slow = connect_with_little_room();
        co_await slow.send(ask);
        std::size_t read = 0;
        background reading{io.get_executor(),
                           [](http_client& from, std::size_t& count) -> asio::awaitable<void> {
                               for (std::size_t some = 1; some != 0; count += some) {
                                   const auto bytes = co_await from.receive_some(1);
                                   some = bytes.size();
                                   co_await let_pass(20ms);
                               }
                           }(slow, read)};
        co_await serve_until_timeouts(1);
        BOOST_TEST(read > 1u);
        reading.cancel();
        co_await reading.join_and_tell();
    });
}

/// Its connection is kept, too.
BOOST_FIXTURE_TEST_CASE(one_that_reads_all_in_time_is_not_disconnected, large_page_test)
{
    settings.write_timeout = 20s;
    serve([&]() -> asio::awaitable<void> {
        auto client = connect_with_little_room();
        for (int i = 0; i != 2; ++i) {
            const auto reply = co_await client.get(page);
            BOOST_TEST(reply.status == 200u);
            BOOST_TEST(reply.body.size() > jobs * job_size);
        }
        const auto metrics = co_await client.get("/metrics");
        BOOST_TEST(metrics.body.find("\ncoworker_gateway_timeouts_total 0\n") != metrics.body.npos);
    });
}

BOOST_AUTO_TEST_SUITE_END()
