// SPDX-License-Identifier: MIT
#include "http_client.hpp"
#include "support/coroutine.hpp"
#include "work_test.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

BOOST_FIXTURE_TEST_SUITE(whole_way, coworker::test::work_test)

using namespace coworker::test;

/// The port that a gateway says it listens on.
std::uint16_t port_of(running_program& gateway)
{
    const auto line = gateway.wait_for("127.0.0.1:");
    return static_cast<std::uint16_t>(std::stoi(line.substr(line.find("127.0.0.1:") + 10)));
}

asio::awaitable<void> queue_a_job(asio::any_io_executor executor, std::uint16_t port, std::string& id)
{
    http_client client{executor, port};
    const auto reply = co_await client.post("/jobber/queue", R"({"type":"mail","payload":{"to":"ada"}})");
    BOOST_TEST(reply.status == 201U);
    id = reply.text("job-id");
}

BOOST_AUTO_TEST_CASE(a_job_from_http_survives_the_worker_that_is_killed)
{
    running_program gateway{{"gateway", "--listen", "127.0.0.1:0", "--redis", server.url()}};
    const auto port = port_of(gateway);
    asio::io_context io{1};
    std::string id;
    run_coroutine(io, queue_a_job(io.get_executor(), port, id));

    running_program first{work({"mail"}, "echo begun $COWORKER_JOB_ID; setsid sleep 1000")};
    first.wait_for("begun " + id);
    first.signal(SIGKILL);
    first.read_to_end();
    BOOST_TEST(sandboxes_are_empty());

    running_program second{work({"mail"}, "echo attempt $COWORKER_ATTEMPT of $COWORKER_JOB_ID; cat; echo")};
    second.wait_for("attempt 2 of " + id);
    second.wait_for(R"({"to":"ada"})");
    second.wait_for("succeeded");
    BOOST_TEST(ends_well(second));
    BOOST_TEST(waiting("mail").empty());
    gateway.signal(SIGTERM);
    gateway.read_to_end();
    BOOST_TEST(gateway.wait() == 0);
}

BOOST_AUTO_TEST_SUITE_END()
