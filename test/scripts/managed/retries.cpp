// SPDX-License-Identifier: MIT
#include "managed_redis.hpp"

#include "redis/script.hpp"

#include <boost/test/unit_test.hpp>

#include <chrono>

using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

constexpr auto day = "ql:coworker:retries:0";

/// A redis in which a worker holds the job a of the queue q.
struct held_job : managed_redis
{
    held_job()
    {
        call("put", {"100", "w", "q", "a", "k", "{}", "0"});
        call("pop", {"110", "q", "w", "1"});
    }
};

} // namespace

/// The count of retries, which no table shows: when it expires, and that it stops nobody.
BOOST_AUTO_TEST_SUITE(retries)

BOOST_FIXTURE_TEST_CASE(are_counted_for_sixty_days, held_job)
{
    const auto left = [&] { return std::chrono::seconds{raw()("TTL", day).integer}; };
    call("retry", {"120", "a", "q", "w"});
    BOOST_TEST((left() > 59 * 24h));
    BOOST_TEST((left() <= 60 * 24h));
    // Only a queue's first retry of a day says so again.
    raw()("EXPIRE", day, "86400");
    call("pop", {"130", "q", "w", "1"});
    call("retry", {"140", "a", "q", "w"});
    BOOST_TEST(raw()("HGET", day, "q").text == "2");
    BOOST_TEST((left() <= 24h));
    call("pop", {"150", "q", "w", "1"});
    call("retry", {"160", "a", "other", "w"});
    BOOST_TEST((left() > 59 * 24h));
}

BOOST_AUTO_TEST_CASE(need_not_be_counted)
{
    for (const auto* command : {"hincrby", "expire"}) {
        held_job redis;
        redis.raw()("ACL", "SETUSER", "limited", "reset", "on", "nopass", "~*", "&*", "+@all",
                    std::string{"-"} + command);
        raw_redis limited{redis.socket_path()};
        limited("AUTH", "limited", "any");
        const auto text = coworker::detail::find_script("managed/retry").text();
        const auto left = limited.try_command({"EVAL", std::string{text}, "1", "ql:", "120", "a", "q", "w"});
        BOOST_TEST(left.integer == 4, command << ": " << left.text);
        BOOST_TEST(redis.raw()("ZSCORE", "ql:q:q-locks", "a").is_nil(), command);
        BOOST_TEST(!redis.raw()("ZSCORE", "ql:q:q-work", "a").is_nil(), command);
    }
}

BOOST_AUTO_TEST_SUITE_END()
