// SPDX-License-Identifier: MIT
#include "managed/managed_source/absences.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(absences)

using coworker::detail::absences;
using names = std::set<std::string>;

const std::chrono::milliseconds start{1h};
constexpr auto grace = 1500ms;

/// Looks that find "a" missing, at equal times. Returns the time from the first to the one that finds it dead.
std::chrono::milliseconds time_until_dead(std::chrono::milliseconds between_looks)
{
    absences seen;
    for (auto now = start;; now += between_looks) {
        if (!seen.note({"a"}, now, grace).empty())
            return std::chrono::duration_cast<std::chrono::milliseconds>(now - start);
        BOOST_TEST_REQUIRE((now - start < 10min));
    }
}

BOOST_AUTO_TEST_CASE(takes_a_worker_for_dead_after_the_grace)
{
    BOOST_TEST(time_until_dead(500ms).count() == 1500);
    BOOST_TEST(time_until_dead(100ms).count() == 1500);
}

BOOST_AUTO_TEST_CASE(takes_a_worker_for_dead_although_each_look_takes_longer_than_the_grace)
{
    BOOST_TEST(time_until_dead(1500ms).count() == 3000);
    BOOST_TEST(time_until_dead(2300ms).count() == 4600); // with 300 ms to the server and 300 ms back
    BOOST_TEST(time_until_dead(6s).count() == 12'000);
}

BOOST_AUTO_TEST_CASE(knows_when_the_next_worker_will_be_dead)
{
    absences seen;
    BOOST_TEST((seen.wait(grace) == std::chrono::milliseconds::max()));
    seen.note({"a"}, start, grace);
    BOOST_TEST((seen.wait(grace) == 1500ms));
    seen.note({"a", "b"}, start + 600ms, grace);
    BOOST_TEST((seen.wait(grace) == 900ms));
    seen.note({"b"}, start + 1200ms, grace);
    BOOST_TEST((seen.wait(grace) == 900ms));
}

BOOST_AUTO_TEST_CASE(counts_anew_for_a_worker_that_was_there_meanwhile)
{
    absences seen;
    BOOST_TEST(seen.note({"a"}, start, grace).empty());
    BOOST_TEST(seen.note({"a"}, start + 700ms, grace).empty());
    BOOST_TEST(seen.note({}, start + 1400ms, grace).empty());
    BOOST_TEST(seen.note({"a"}, start + 2100ms, grace).empty());
    BOOST_TEST(seen.note({"a"}, start + 2800ms, grace).empty());
    BOOST_TEST(seen.note({"a"}, start + 3500ms, grace).empty());
    BOOST_TEST(seen.note({"a"}, start + 3600ms, grace) == names{"a"});
}

BOOST_AUTO_TEST_CASE(gives_a_worker_time_to_come_back_after_nobody_has_looked)
{
    absences seen;
    BOOST_TEST(seen.note({"a"}, start, grace).empty());
    BOOST_TEST(seen.note({"a"}, start + 1400ms, grace).empty());
    BOOST_TEST(seen.note({"a"}, start + 1h, grace).empty());
    BOOST_TEST(seen.note({"a"}, start + 1h + 700ms, grace).empty());
    BOOST_TEST(seen.note({"a"}, start + 1h + 1400ms, grace).empty());
    BOOST_TEST(seen.note({"a"}, start + 1h + 1500ms, grace) == names{"a"});
}

BOOST_AUTO_TEST_CASE(forgets_what_was_seen_on_another_connection)
{
    absences seen;
    BOOST_TEST(seen.note({"a"}, start, grace).empty());
    BOOST_TEST(seen.note({"a"}, start + 700ms, grace).empty());
    seen.forget();
    BOOST_TEST(seen.note({"a"}, start + 1400ms, grace).empty());
    BOOST_TEST(seen.note({"a"}, start + 2100ms, grace).empty());
}

BOOST_AUTO_TEST_CASE(waits_as_long_as_it_is_told_to)
{
    absences seen;
    for (auto now = start; now < start + 60s; now += 500ms)
        BOOST_TEST(seen.note({"a"}, now, 60s).empty());
    BOOST_TEST(seen.note({"a"}, start + 60s, 60s) == names{"a"});
    absences other;
    BOOST_TEST(other.note({"a"}, start, 1ms).empty()); // once is not enough
    BOOST_TEST(other.note({"a"}, start + 1ms, 1ms) == names{"a"});
}

BOOST_AUTO_TEST_SUITE_END()
