// SPDX-License-Identifier: MIT
#include "list/list_source/recovery.hpp"

#include "list/start_time.hpp"

#include <boost/test/unit_test.hpp>

using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(recovery)

using namespace coworker::detail;

const coworker::timestamp now{1'795'254'869s + 500ms};
constexpr auto lease = 120'000ms;
constexpr auto payload = R"(["a",1])";

lease_action judge(std::chrono::microseconds age, std::uint32_t worker = 7,
                   const std::set<std::uint32_t>& dead = {}, std::string_view what = payload)
{
    return judge_lease(what, format_start_time(now - age, worker), now, lease, dead);
}

BOOST_AUTO_TEST_CASE(keeps_a_lease_until_it_is_older_than_its_length)
{
    BOOST_TEST((judge(0us) == lease_action::keep));
    BOOST_TEST((judge(lease) == lease_action::keep)); // hworker compares strictly
    BOOST_TEST((judge(lease + 1us) == lease_action::requeue));
    BOOST_TEST((judge(24h * 365) == lease_action::requeue));
}

BOOST_AUTO_TEST_CASE(keeps_a_lease_that_starts_a_little_in_the_future)
{
    BOOST_TEST((judge(-lease) == lease_action::keep));
    const auto peers = R"("2026-11-21T09:56:29.5Z")";
    BOOST_TEST((judge_lease(payload, peers, now, lease, {}) == lease_action::keep));
}

BOOST_AUTO_TEST_CASE(adopts_a_lease_that_starts_later_than_any_clock_can_be_ahead)
{
    BOOST_TEST((judge(-lease - 1us) == lease_action::adopt));
    for (const auto start : {R"("2999-01-01T00:00:00Z")", R"("2999-11-21T09:54:29.612715000042Z")",
                             R"("2026-13-41T99:99:99.612715000001Z")", R"("2026-02-30T09:54:29Z")"})
        BOOST_TEST((judge_lease(payload, start, now, lease, {}) == lease_action::adopt));
}

BOOST_AUTO_TEST_CASE(keeps_the_lease_of_a_worker_that_renews_it_when_the_clock_was_put_back)
{
    const auto start = format_start_time(now + 1h, 7);
    BOOST_TEST((judge_lease(payload, start, now, lease, {}, {6, 7}) == lease_action::keep));
    BOOST_TEST((judge_lease(payload, start, now, lease, {}, {6, 8}) == lease_action::adopt));
    BOOST_TEST((judge_lease(payload, start, now, lease, {7}, {6, 7}) == lease_action::requeue));
}

BOOST_AUTO_TEST_CASE(keeps_what_a_worker_has_taken_since_it_was_found_dead)
{
    BOOST_TEST((judge(0us, 7, {7}) == lease_action::requeue));
    BOOST_TEST((judge(-1us, 7, {7}) == lease_action::keep));
    BOOST_TEST((judge(-lease, 7, {7}) == lease_action::keep));
    BOOST_TEST((judge(-lease - 1us, 7, {7}) == lease_action::requeue)); // the clock was put back
}

BOOST_AUTO_TEST_CASE(requeues_the_jobs_of_dead_workers_at_once)
{
    BOOST_TEST((judge(1us, 7, {6, 7}) == lease_action::requeue));
    BOOST_TEST((judge(1us, 7, {6, 8}) == lease_action::keep));
}

BOOST_AUTO_TEST_CASE(judges_leases_of_peers_by_their_age_alone)
{
    const auto peers = [](std::string_view start) { return judge_lease(payload, start, now, lease, {7}); };
    const auto started = parse_start_time(R"("2026-11-21T09:54:29.5Z")");
    BOOST_TEST_REQUIRE(started.has_value());
    BOOST_TEST_REQUIRE((started->started == now));
    BOOST_TEST((peers(R"("2026-11-21T09:54:29.5Z")") == lease_action::keep));
    BOOST_TEST((peers(R"("2026-11-21T09:52:29.5Z")") == lease_action::keep));
    BOOST_TEST((peers(R"("2026-11-21T09:52:29.499999999Z")") == lease_action::requeue));
    BOOST_TEST((peers(R"("2026-11-21T10:54:29+01:00")") == lease_action::keep));
}

BOOST_AUTO_TEST_CASE(knows_the_numbers_that_a_start_time_has_room_for)
{
    BOOST_TEST((parse_worker_number("1") == 1u));
    BOOST_TEST((parse_worker_number("999999") == 999'999u));
    for (const auto text :
         {"", "0", "1000000", "4294967338", "99999999999999999999", "-1", "+1", "042", "7x", " 7", "x"})
        BOOST_TEST(!parse_worker_number(text).has_value(), text);
}

BOOST_AUTO_TEST_CASE(adopts_a_start_time_that_nobody_can_read)
{
    for (const auto start : {"", "now", "1795254869", "2026-11-21T09:54:29Z", R"("2026-11-21t09:54:29z")"}) {
        BOOST_TEST((judge_lease(payload, start, now, lease, {}) == lease_action::adopt));
        BOOST_TEST((judge_lease("false", start, now, lease, {}) == lease_action::adopt));
    }
}

BOOST_AUTO_TEST_CASE(drops_hworkers_trace_of_an_empty_queue_instead_of_queueing_it)
{
    BOOST_TEST((judge(lease, 0, {}, "false") == lease_action::keep));
    BOOST_TEST((judge(lease + 1us, 0, {}, "false") == lease_action::drop));
    BOOST_TEST((judge(lease + 1us, 0, {}, "\"false\"") == lease_action::requeue));
}

BOOST_AUTO_TEST_CASE(names_actions_as_the_script_does)
{
    BOOST_TEST(to_string(lease_action::keep) == "keep");
    BOOST_TEST(to_string(lease_action::requeue) == "requeue");
    BOOST_TEST(to_string(lease_action::release) == "release");
    BOOST_TEST(to_string(lease_action::adopt) == "adopt");
    BOOST_TEST(to_string(lease_action::drop) == "drop");
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
    BOOST_TEST((found.dead == std::set<std::uint32_t>{1}));
    BOOST_TEST(found.newly_gone.empty());
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
