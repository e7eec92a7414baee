// SPDX-License-Identifier: MIT
#include "announced_cluster.hpp"

/// Clusters whose nodes speak TLS only, among themselves, too; and how their certificates are checked.
BOOST_AUTO_TEST_SUITE(cluster_tls)

using namespace coworker;
using namespace coworker::test;

namespace {

const announced_cluster::lines by_name{{"cluster-announce-hostname", "localhost"},
                                       {"cluster-preferred-endpoint-type", "hostname"}};

struct cluster_tls_test : announced_cluster_test
{
    announced_cluster::lines config(announced_cluster::lines more = {}) const
    {
        auto all = shown->config();
        all.insert(all.end(), {{"user", "worker", "on", ">secret", "~*", "&*", "+@all"},
                               {"user", "default", "on", "nopass", "~*", "&*", "+@all"}});
        all.insert(all.end(), more.begin(), more.end());
        return all;
    }

    client_options options(const announced_cluster& servers, const std::string& host = "localhost")
    {
        client_options how;
        how.on_event = events.observe();
        how.url = "rediss+cluster://worker:secret@" + host + ':' + servers.port(0);
        how.ca_file = shown->file();
        return how;
    }

    /// Pushes a job to each node. Returns what went wrong last.
    thrown push_with(client_options how)
    {
        thrown result;
        run([&]() -> asio::awaitable<void> {
            client redis{io.get_executor(), how};
            for (const auto& name : queues) {
                const list_queue<int> queue{redis, name};
                const auto came = co_await error_of(queue.async_push(1));
                if (came.code)
                    result = came;
            }
            co_await redis.async_stop();
        });
        return result;
    }

    /// The same in vain: it is tried again and again, as long as there is time.
    thrown push_refused(client_options how)
    {
        return error_found_by([&](std::chrono::milliseconds limit) {
            how.connect_timeout = how.command_timeout = limit;
            return push_with(how);
        });
    }

    std::unique_ptr<certificate> shown = std::make_unique<certificate>("DNS:localhost");
};

} // namespace

BOOST_FIXTURE_TEST_CASE(works_by_host_names_through_moves_and_failovers, cluster_tls_test)
{
    announced_cluster servers{true, config(by_name), node_timeout_for_failovers};
    servers.add_replica_of(servers[1]);
    run_with_worker(options(servers), [&](client& redis) -> asio::awaitable<void> {
        BOOST_TEST(servers[0]("CLIENT", "LIST").text.find("user=worker") != std::string::npos);
        servers.move(detail::slot_of("bar"), 0, 2);
        co_await push_to_each(redis);
        co_await eventually("both jobs of the queue that has moved are counted at its new node", [&] {
            return servers[2]("HGET", "hworker-counters-{bar}", "success").text == "2";
        });
        const auto lost = events.count(event_kind::disconnected);
        servers[1].kill();
        co_await events.wait_for(event_kind::disconnected, lost + 1); // what is sent before would be in doubt
        co_await push_to_each(redis);
    });
}

BOOST_FIXTURE_TEST_CASE(works_by_addresses_that_the_certificate_has, cluster_tls_test)
{
    shown = std::make_unique<certificate>("IP:127.0.0.1");
    announced_cluster servers{true, config()};
    run_with_worker(options(servers, "127.0.0.1"),
                    [&](client& redis) -> asio::awaitable<void> { co_await push_to_each(redis); });
}

BOOST_FIXTURE_TEST_CASE(an_unknown_endpoint_has_the_name_of_the_node_that_was_asked, cluster_tls_test)
{
    announced_cluster servers{true, config({{"cluster-preferred-endpoint-type", "unknown-endpoint"}})};
    run_with_worker(options(servers),
                    [&](client& redis) -> asio::awaitable<void> { co_await push_to_each(redis); });
}

BOOST_FIXTURE_TEST_CASE(an_unknown_certificate_is_refused_and_said_to_be, cluster_tls_test)
{
    announced_cluster servers{true, config(by_name)};
    auto untrusting = options(servers);
    untrusting.ca_file = "";
    const auto error = push_refused(untrusting);
    BOOST_TEST(error == errc::unavailable);
    BOOST_TEST(error.says("certificate"), error);
    untrusting.verify_certificate = false;
    BOOST_TEST(!push_with(untrusting).code);
}

BOOST_FIXTURE_TEST_CASE(a_node_whose_address_the_certificate_lacks_is_named, cluster_tls_test)
{
    announced_cluster servers{true, config()}; // announces addresses
    const auto error = push_refused(options(servers));
    BOOST_TEST(error == errc::unavailable);
    BOOST_TEST(error.says("certificate"), error);
    BOOST_TEST(error.says("127.0.0.1:" + servers.port(2)), error);
}

BOOST_FIXTURE_TEST_CASE(a_wrong_password_is_told_at_once, cluster_tls_test)
{
    announced_cluster servers{true, config(by_name)};
    auto wrong = options(servers);
    wrong.url = "rediss+cluster://worker:wrong@localhost:" + servers.port(0);
    BOOST_TEST(push_with(wrong) == errc::authentication_refused);
}

BOOST_FIXTURE_TEST_CASE(nodes_without_tls_are_no_answer, cluster_tls_test)
{
    announced_cluster servers{false};
    const auto error = push_refused(options(servers));
    BOOST_TEST(error == errc::unavailable);
    BOOST_TEST(!error.says("no answer"), error);
}

BOOST_AUTO_TEST_SUITE_END()
