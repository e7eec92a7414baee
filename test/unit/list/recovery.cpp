// SPDX-License-Identifier: MIT
#include "list/list_source/recovery.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(recovery)

using namespace coworker::detail;

const coworker::timestamp now{1'795'254'869s + 500ms};
constexpr auto payload = R"(["a",1])";

BOOST_AUTO_TEST_CASE(knows_the_numbers_that_a_start_time_has_room_for)
{
    BOOST_TEST((parse_worker_number("1") == 1u));
    BOOST_TEST((parse_worker_number("999999") == 999'999u));
    for (const auto text :
         {"", "0", "1000000", "4294967338", "99999999999999999999", "-1", "+1", "042", "7x", " 7", "x"})
        BOOST_TEST(!parse_worker_number(text).has_value(), text);
}

// --- a worker's own leases ------------------------------------------------------------

coworker::fetched_job held_job(std::string_view body, std::string_view token, bool in_doubt = false)
{
    coworker::fetched_job job;
    job.body = body;
    job.lease = std::make_shared<const std::string>(token);
    job.in_doubt = in_doubt;
    return job;
}

BOOST_AUTO_TEST_CASE(knows_its_own_leases_by_payload_and_start)
{
    const auto one = held_job(payload, "5"), other = held_job("[\"b\",1]", "6");
    const std::vector<const coworker::fetched_job*> held{&one, &other};
    BOOST_TEST(is_lease_of_any(held, payload, "5"));
    BOOST_TEST(!is_lease_of_any(held, payload, "6")); // of an equal job, from a take that was not answered
    BOOST_TEST(!is_lease_of_any(held, payload, "4"));
    BOOST_TEST(!is_lease_of_any(held, "[\"c\",1]", "5"));
    BOOST_TEST(!is_lease_of_any({}, payload, "5"));
}

BOOST_AUTO_TEST_CASE(takes_a_later_start_of_a_job_that_is_unsure_for_its_own)
{
    const auto in_doubt = held_job(payload, "5", true);
    const std::vector<const coworker::fetched_job*> held{&in_doubt};
    BOOST_TEST(is_lease_of_any(held, payload, "5"));
    BOOST_TEST(is_lease_of_any(held, payload, "6"));
    BOOST_TEST(!is_lease_of_any(held, payload, "4"));
}

// --- workers that are gone -----------------------------------------------------------

std::int64_t ago(std::chrono::milliseconds time)
{
    return std::chrono::floor<std::chrono::milliseconds>(now.time_since_epoch()).count() - time.count();
}

using numbers = std::vector<std::uint32_t>;

BOOST_AUTO_TEST_CASE(finds_nobody_absent_while_all_are_connected)
{
    const auto found = find_absent({{1, "a"}, {2, "b"}}, {}, {"a", "b", "c"}, now, 2s);
    BOOST_TEST(found.newly_gone.empty());
    BOOST_TEST(found.back.empty());
    BOOST_TEST(found.forgotten.empty());
    BOOST_TEST(found.dead.empty());
}

BOOST_AUTO_TEST_CASE(notes_a_missing_worker_before_it_counts_as_dead)
{
    const auto found = find_absent({{1, "a"}, {2, "b"}}, {}, {"b"}, now, 2s);
    BOOST_TEST(found.newly_gone == numbers{1});
    BOOST_TEST(found.dead.empty());
}

BOOST_AUTO_TEST_CASE(declares_a_worker_dead_after_the_grace)
{
    const worker_registry workers{{1, "a"}, {2, "b"}, {3, "c"}};
    const auto found = find_absent(workers, {{1, ago(2000ms)}, {2, ago(1999ms)}}, {"c"}, now, 2s);
    BOOST_TEST((found.dead == std::map<std::uint32_t, coworker::timestamp>{{1, now}}));
    BOOST_TEST(found.newly_gone.empty());
}

BOOST_AUTO_TEST_CASE(knows_when_the_next_worker_will_be_dead)
{
    const worker_registry workers{{1, "a"}, {2, "b"}, {3, "c"}};
    BOOST_TEST((find_absent(workers, {}, {"a", "b", "c"}, now, 2s).wait == std::chrono::milliseconds::max()));
    BOOST_TEST((find_absent(workers, {}, {"b", "c"}, now, 2s).wait == 2s));
    BOOST_TEST((find_absent(workers, {{2, ago(1500ms)}}, {"c"}, now, 2s).wait == 500ms));
    BOOST_TEST((find_absent(workers, {{2, ago(2000ms)}}, {"a", "c"}, now, 2s).wait ==
                std::chrono::milliseconds::max()));
}

/// It may have been back by then: what it has taken since, it has.
BOOST_AUTO_TEST_CASE(knows_when_a_worker_was_found_dead_that_was_struck_off_before)
{
    const auto found = find_absent({{1, ""}, {2, ""}}, {{1, ago(1500ms)}, {2, ago(1ms)}}, {}, now, 2s);
    const auto before = std::chrono::floor<std::chrono::milliseconds>(now);
    BOOST_TEST((found.dead ==
                std::map<std::uint32_t, coworker::timestamp>{{1, before - 1500ms}, {2, before - 1ms}}));
}

BOOST_AUTO_TEST_CASE(declares_nobody_dead_without_a_grace)
{
    const auto found = find_absent({{1, "a"}, {2, "b"}}, {{1, ago(24h)}}, {}, now, 0s);
    BOOST_TEST(found.dead.empty());
    BOOST_TEST(found.newly_gone == numbers{2});
}

BOOST_AUTO_TEST_CASE(counts_the_grace_anew_for_a_worker_that_came_back)
{
    const auto found = find_absent({{1, "a"}}, {{1, ago(1h)}}, {"a"}, now, 2s);
    BOOST_TEST(found.back == numbers{1});
    BOOST_TEST(found.dead.empty());
}

BOOST_AUTO_TEST_CASE(forgets_the_absence_of_workers_that_are_no_longer_registered)
{
    const auto found = find_absent({}, {{1, ago(1h)}}, {}, now, 2s);
    BOOST_TEST(found.forgotten == numbers{1});
    BOOST_TEST(found.dead.empty());
}

BOOST_AUTO_TEST_SUITE_END()
