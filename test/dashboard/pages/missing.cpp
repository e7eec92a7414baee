// SPDX-License-Identifier: MIT
#include "dashboard_test.hpp"

#include "support/cluster_servers.hpp"

/// A node of a cluster is away.
BOOST_AUTO_TEST_SUITE(missing, *boost::unit_test::precondition(coworker::test::has_browser))

using namespace coworker::test;

BOOST_FIXTURE_TEST_CASE(what_the_others_have_is_shown_and_the_node_named, dashboard_test)
{
    cluster_servers servers;
    servers[0]("LPUSH", "hworker-jobs-{bar}", R"(["id-1",1])");
    servers[2]("LPUSH", "hworker-jobs-{foo}", R"(["id-2",2])");
    servers[1]("SADD", "hworker-queues", "{bar}", "{foo}");
    const auto lost = "127.0.0.1:" + std::to_string(servers[0].tcp_port());
    other_url = "redis+cluster://127.0.0.1:" + std::to_string(servers[1].tcp_port());
    servers[0].kill();
    start({"--prefix", "{bar}ql:"});
    open("", "Queues");
    wait_for_text("A node of the cluster does not answer: " + lost);
    BOOST_TEST(shows("{foo}"));
    BOOST_TEST(shows("{bar}"));
    BOOST_TEST(shows("node away"));
    BOOST_TEST(page.run("return document.querySelector('table').innerText.includes('–')", {}).as_bool());
    screenshot("missing");
    open("workers", "Workers");
    wait_for_text("A node of the cluster does not answer: " + lost);
    expect_no_errors();
}

BOOST_AUTO_TEST_SUITE_END()
