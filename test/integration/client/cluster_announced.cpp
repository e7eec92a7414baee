// SPDX-License-Identifier: MIT
#include "announced_cluster.hpp"

/// Nodes of a cluster that announce other hosts and ports than those where they listen, as behind containers.
BOOST_AUTO_TEST_SUITE(cluster_announced)

using namespace coworker;
using namespace coworker::test;

namespace {

struct announced_test : announced_cluster_test
{
    client_options options(const announced_cluster& servers)
    {
        client_options how;
        how.on_event = events.observe();
        how.url = "redis+cluster://127.0.0.1:" + servers.port(0);
        return how;
    }

    /// Works through all nodes, while a slot moves, and when a replica takes the place of its primary.
    void work_everywhere(announced_cluster& servers)
    {
        servers.add_replica_of(servers[1]);
        run_with_worker(options(servers), [&](client& redis) -> asio::awaitable<void> {
            for (std::size_t node = 0; node != 3; ++node)
                BOOST_TEST(servers.connections(node) > 0u);
            servers.move(detail::slot_of("bar"), 0, 2);
            co_await push_to_each(redis);
            co_await eventually("both jobs of the queue that has moved are counted at its new node", [&] {
                return servers[2]("HGET", "hworker-counters-{bar}", "success").text == "2";
            });
            const auto lost = events.count(event_kind::disconnected);
            servers[1].kill();
            co_await events.wait_for(event_kind::disconnected,
                                     lost + 1); // what is sent before would be in doubt
            co_await push_to_each(redis);
        });
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(addresses_and_ports_are_used_as_they_are_announced, announced_test)
{
    announced_cluster servers{false, {}, node_timeout_for_failovers};
    work_everywhere(servers);
}

BOOST_FIXTURE_TEST_CASE(host_names_are_used_where_they_are_preferred, announced_test)
{
    announced_cluster servers{
        false,
        {{"cluster-announce-hostname", "localhost"}, {"cluster-preferred-endpoint-type", "hostname"}},
        node_timeout_for_failovers};
    work_everywhere(servers);
}

BOOST_FIXTURE_TEST_CASE(an_unknown_endpoint_is_the_host_that_was_asked, announced_test)
{
    announced_cluster servers{
        false, {{"cluster-preferred-endpoint-type", "unknown-endpoint"}}, node_timeout_for_failovers};
    work_everywhere(servers);
}

BOOST_FIXTURE_TEST_CASE(without_an_announced_host_name_the_address_will_do, announced_test)
{
    announced_cluster servers{
        false, {{"cluster-preferred-endpoint-type", "hostname"}}, node_timeout_for_failovers};
    work_everywhere(servers);
}

BOOST_AUTO_TEST_SUITE_END()
