// SPDX-License-Identifier: MIT
#include "managed_redis.hpp"

#include <boost/test/unit_test.hpp>

#include <string>
#include <utility>
#include <vector>

BOOST_AUTO_TEST_SUITE(many_workers)

using namespace coworker::test;

/// Whoever takes jobs may call itself as it likes.
BOOST_AUTO_TEST_CASE(those_seen_last_are_shown_and_some_of_the_silent_ones_are_forgotten)
{
    managed_redis redis;
    const auto see = [&](int first, int count, int when) {
        std::vector<std::string> command{"ZADD", "ql:workers"};
        for (int i = first; i != first + count; ++i) {
            command.push_back(std::to_string(when + i % 10));
            command.push_back('w' + std::to_string(i));
        }
        redis.raw().command(command);
    };
    const auto shown = [&](const std::string& name) {
        const auto answer = redis.call("workers", {"200000"}).text;
        const auto has = [&](const std::string& each) {
            return answer.find("\"name\":\"" + each + '"') != answer.npos;
        };
        BOOST_TEST(!has("w0")); // silent
        std::size_t count = 0;
        for (auto at = answer.find("\"name\""); at != answer.npos; at = answer.find("\"name\"", at + 1))
            ++count;
        return std::pair{count, has(name)};
    };
    see(0, 15'000, 100); // a day ago
    see(20'000, 10'500, 199'900);
    see(40'000, 1, 199'990);
    BOOST_TEST((shown("w40000") == std::pair{std::size_t{10'000}, true}));
    BOOST_TEST(redis.raw()("ZCARD", "ql:workers").integer == 5'000 + 10'501);
    BOOST_TEST((shown("w40000") == std::pair{std::size_t{10'000}, true}));
    BOOST_TEST(redis.raw()("ZCARD", "ql:workers").integer == 10'501);
    redis.raw()("ZREMRANGEBYRANK", "ql:workers", 0, 600);
    BOOST_TEST((shown("w40000") == std::pair{std::size_t{9'900}, true}));
}

BOOST_AUTO_TEST_SUITE_END()
