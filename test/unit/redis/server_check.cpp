// SPDX-License-Identifier: MIT
#include "redis/server_connection/server_check.hpp"

#include "support/print.hpp"

#include <boost/test/unit_test.hpp>

BOOST_AUTO_TEST_SUITE(server_check)

using namespace coworker::detail;
using coworker::errc;

BOOST_AUTO_TEST_CASE(reads_the_facts_from_info)
{
    const auto facts = parse_info("# Server\r\nredis_version:7.0.15\r\nredis_mode:standalone\r\n\r\n"
                                  "# Memory\r\nmaxmemory_policy:noeviction\r\n\r\n"
                                  "# Replication\r\nrole:master\r\nconnected_slaves:0\r\n");
    BOOST_TEST(facts.version == "7.0.15");
    BOOST_TEST(facts.eviction_policy == "noeviction");
    BOOST_TEST(!facts.is_read_only);
    BOOST_TEST(!facts.is_valkey);
}

BOOST_AUTO_TEST_CASE(reads_lines_without_carriage_returns_and_a_last_one_without_end)
{
    const auto facts = parse_info("redis_version:7.2.4\nvalkey_version:8.0.1\nmaxmemory_policy:allkeys-lru");
    BOOST_TEST(facts.version == "7.2.4");
    BOOST_TEST(facts.is_valkey);
    BOOST_TEST(facts.eviction_policy == "allkeys-lru");
}

BOOST_AUTO_TEST_CASE(reads_nothing_from_nothing)
{
    for (const auto info : {"", "\n", "\r\n", "no colon", ":", "#"}) {
        const auto facts = parse_info(info);
        BOOST_TEST(facts.version.empty());
        BOOST_TEST(facts.eviction_policy.empty());
        BOOST_TEST(!facts.is_read_only);
    }
}

BOOST_AUTO_TEST_CASE(tells_replicas_that_accept_writes_from_those_that_do_not)
{
    BOOST_TEST(parse_info("role:slave\r\nslave_read_only:1\r\n").is_read_only);
    BOOST_TEST(parse_info("role:slave\r\n").is_read_only);
    BOOST_TEST(!parse_info("role:slave\r\nslave_read_only:0\r\n").is_read_only);
    BOOST_TEST(!parse_info("role:master\r\nslave_read_only:1\r\n").is_read_only);
}

BOOST_AUTO_TEST_CASE(finds_a_server_fit_from_version_7_on)
{
    const auto error = [](std::string version) {
        return judge({.version = std::move(version), .eviction_policy = "noeviction"}, false).error;
    };
    for (const auto version : {"7.0.0", "7.0.15", "7.4", "8.0.0", "10.1", "255.255.255", ""})
        BOOST_TEST(!error(version), version);
    for (const auto version : {"6.2.14", "6.0", "2.8.24", "0.1"})
        BOOST_TEST(error(version) == errc::server_too_old, version);
}

BOOST_AUTO_TEST_CASE(refuses_a_server_that_may_throw_jobs_away)
{
    const auto error = [](std::string policy, bool accept) {
        return judge({.version = "7.0.0", .eviction_policy = std::move(policy)}, accept).error;
    };
    for (const auto policy : {"allkeys-lru", "allkeys-lfu", "allkeys-random"}) {
        BOOST_TEST(error(policy, false) == errc::evicting_server, policy);
        BOOST_TEST(!error(policy, true), policy);
    }
    // Jobs have no time to live.
    for (const auto policy :
         {"noeviction", "volatile-lru", "volatile-lfu", "volatile-random", "volatile-ttl", ""})
        BOOST_TEST(!error(policy, false), policy);
}

BOOST_AUTO_TEST_CASE(refuses_a_read_only_server_whatever_else_is_accepted)
{
    const auto found = judge({.version = "7.0.0", .eviction_policy = {}, .is_read_only = true}, true);
    BOOST_TEST(found.error == errc::read_only_server);
}

BOOST_AUTO_TEST_CASE(refuses_a_layout_that_it_does_not_know)
{
    using coworker::detail::judge_layout;
    for (const auto known : {"", "0", "1"})
        BOOST_TEST(!judge_layout(known).error, known);
    for (const auto unknown : {"2", "10", "99999999999999999999", "one", "1.5", " 1"}) {
        BOOST_TEST(judge_layout(unknown).error == errc::newer_layout, unknown);
        BOOST_TEST(judge_layout(unknown).detail.find(unknown) != std::string::npos, unknown);
    }
}

BOOST_AUTO_TEST_CASE(tells_the_facts_behind_a_refusal)
{
    BOOST_TEST(judge({.version = "6.2.14", .eviction_policy = {}}, false).detail.find("6.2.14") !=
               std::string::npos);
    BOOST_TEST(
        judge({.version = "7.0.0", .eviction_policy = "allkeys-lru"}, false).detail.find("allkeys-lru") !=
        std::string::npos);
    BOOST_TEST(judge({.version = "7.0.0", .eviction_policy = {}}, false).detail.empty());
}

BOOST_AUTO_TEST_SUITE_END()
