// SPDX-License-Identifier: MIT
#include "finished_program.hpp"

#include "support/cluster_test.hpp"

#include <boost/test/unit_test.hpp>

/// `coworker queues`, `workers` and `failed` while a node of the cluster is away: they show the rest, and say so.
BOOST_AUTO_TEST_SUITE(missing_nodes_shown)

using namespace coworker::test;

namespace {

struct missing_node_test
{
    cluster_servers servers;

    missing_node_test()
    {
        servers[0]("LPUSH", "hworker-jobs-{bar}", R"(["1",1])");
        servers[2]("LPUSH", "hworker-jobs-{foo}", R"(["1",1])");
        servers[1]("SADD", "hworker-queues", "{bar}", "{foo}");
        servers[0].kill();
    }

    finished_program coworker(std::vector<std::string> arguments)
    {
        program_surroundings surroundings;
        surroundings.environment.push_back("COWORKER_REDIS=redis+cluster://127.0.0.1:" +
                                           address_of(servers[1]).port);
        arguments.insert(arguments.end(), {"--prefix", "{bar}ql:"});
        auto result = run_coworker(arguments, surroundings);
        BOOST_TEST(result.code == 4);
        BOOST_TEST(result.complains("127.0.0.1:" + address_of(servers[0]).port + ": does not answer"),
                   result.errors);
        return result;
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(queues_of_which_nothing_is_known_say_so, missing_node_test)
{
    const auto table = coworker({"queues"});
    BOOST_TEST(table.says("node away"), table.output);
    BOOST_TEST(table.says("{foo}"), table.output);
    const auto json = coworker({"queues", "--json"});
    BOOST_TEST(json.says(R"("unreachable":1,"latency_seconds":null)"), json.output);
    BOOST_TEST(json.says(R"("name":"{foo}","kind":"list","paused":false,"notices":false,"waiting":1)"),
               json.output);
}

BOOST_FIXTURE_TEST_CASE(other_lists_are_shown_in_part, missing_node_test)
{
    coworker({"workers"});
    coworker({"failed"});
}

BOOST_AUTO_TEST_SUITE_END()
