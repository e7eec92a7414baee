// SPDX-License-Identifier: MIT
#include "script_test.hpp"

#include <map>

using namespace coworker::test;

BOOST_FIXTURE_TEST_SUITE(own_leases, script_test)

namespace {

/// One that has the digits of the worker's number, but is not coworker's own.
const std::string peer = R"("2026-11-21T09:54:29.0000000000070Z")", large(300'000, 'x');

/// For a worker that has the number 7 and holds these large payloads.
script_call look(const strings& held = {}, const std::string& cursor = "0")
{
    strings arguments{cursor, "128", "1", "7"};
    for (const auto& payload : held) {
        arguments.push_back(payload.substr(0, 256));
        arguments.push_back(std::to_string(payload.size()));
    }
    return {"own_leases", std::move(arguments)};
}

} // namespace

BOOST_AUTO_TEST_CASE(finds_nothing_in_nothing)
{
    check({.before = {}, .call = look(), .reply = {"0"}, .after = {}});
}

BOOST_AUTO_TEST_CASE(finds_the_leases_of_this_worker_alone)
{
    const state before{{"progress", hash({"a", token(7), "b", token(8), "c", token(700'007), "d", peer, "e",
                                          "7", "f", token(0), "false", peer})},
                       {"workers", hash({"7", "w"})}};
    check({.before = before, .call = look(), .reply = {"0", "a", token(7)}, .after = before});
}

BOOST_AUTO_TEST_CASE(finds_them_whatever_their_time)
{
    for (const auto& start : {token(7), std::string{R"("2999-11-21T09:54:29.612715000007Z")"}}) {
        redis()("FLUSHALL");
        const state before{{"progress", hash({"a", start})}};
        check({.before = before, .call = look(), .reply = {"0", "a", start}, .after = before});
    }
}

BOOST_AUTO_TEST_CASE(finds_those_of_each_number)
{
    set({{"progress", hash({"a", token(7), "b", token(8), "c", token(9)})}});
    const auto reply = call({"own_leases", {"0", "128", "2", "7", "9"}});
    BOOST_TEST_REQUIRE(reply.size() == 5u);
    const std::map<std::string, std::string> found{{reply[1], reply[2]}, {reply[3], reply[4]}};
    BOOST_TEST((found == std::map<std::string, std::string>{{"a", token(7)}, {"c", token(9)}}));
}

BOOST_AUTO_TEST_CASE(leaves_large_ones_alone_that_the_worker_holds)
{
    const state before{{"progress", hash({large, token(7), "a", token(7)})}};
    check({.before = before, .call = look({large}), .reply = {"0", "a", token(7)}, .after = before});
}

BOOST_AUTO_TEST_CASE(returns_large_ones_that_the_worker_does_not_know_of)
{
    for (const auto& held : {strings{}, {large + 'x'}, {'y' + large.substr(1)}}) {
        redis()("FLUSHALL");
        check({.before = {{"progress", hash({large, token(7), "a", token(7)})},
                          {"jobs", list({"b"})},
                          {"attempts", hash({large, "2"})},
                          {"duplicates", hash({large, "1"})}},
               .call = look(held),
               .reply = {"0", "a", token(7)},
               .after = {{"progress", hash({"a", token(7)})},
                         {"jobs", list({"b", large, large})},
                         {"ready", ready_now({large})},
                         {"attempts", hash({large, "2"})},
                         {"counters", hash({"returned", "1"})}}});
    }
}

BOOST_AUTO_TEST_CASE(leaves_large_ones_of_others_alone)
{
    for (const auto& start : {token(8), peer, std::string{"?"}}) {
        redis()("FLUSHALL");
        const state before{{"progress", hash({large, start})}};
        check({.before = before, .call = look(), .reply = {"0"}, .after = before});
    }
}

BOOST_AUTO_TEST_CASE(goes_through_many_leases_in_parts_and_misses_none)
{
    strings fields;
    for (int i = 0; i != 3'000; ++i)
        fields.insert(fields.end(), {"job " + std::to_string(i), token(i % 3 == 0 ? 7 : 8)});
    set({{"progress", hash(fields)}});
    std::map<std::string, std::string> found;
    std::string cursor = "0";
    int calls = 0;
    do {
        const auto reply = call(look({}, cursor));
        BOOST_TEST(reply.size() <= 1 + 2 * 200);
        for (std::size_t i = 1; i + 1 < reply.size(); i += 2)
            found[reply[i]] = reply[i + 1];
        cursor = reply.at(0);
        ++calls;
    } while (cursor != "0");
    BOOST_TEST(calls >= 15);
    BOOST_TEST(found.size() == 1'000u);
    for (int i = 0; i < 3'000; i += 3)
        BOOST_TEST(found["job " + std::to_string(i)] == token(7));
}

BOOST_AUTO_TEST_CASE(stops_early_when_payloads_are_large)
{
    strings fields;
    for (int i = 0; i != 200; ++i)
        fields.insert(fields.end(), {std::string(100'000, 'x') + std::to_string(i), token(7)});
    set({{"progress", hash(fields)}});
    const auto reply = call(look());
    BOOST_TEST(reply.at(0) != "0");
    BOOST_TEST(reply.size() < 80);
}

BOOST_AUTO_TEST_SUITE_END()
