// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

BOOST_FIXTURE_TEST_SUITE(tidy, script_test)

BOOST_AUTO_TEST_CASE(queues_what_was_held_back_for_a_job_that_a_peer_has_ended)
{
    check({.before = {{"jobs", list({"x"})},
                      {"progress", hash({"b", token(7)})},
                      {"duplicates", hash({"a", "2", "b", "1"})}},
           .call = {"tidy", {}},
           .reply = {"1"},
           .after = {{"jobs", list({"x", "a"})},
                     {"progress", hash({"b", token(7)})},
                     {"duplicates", hash({"a", "1", "b", "1"})}}});
}

BOOST_AUTO_TEST_CASE(queues_them_one_at_a_time)
{
    set({{"duplicates", hash({"a", "2"})}});
    BOOST_TEST(same(call({"tidy", {}}), {"1"}));
    BOOST_TEST(same(call({"tidy", {}}), {"1"}));
    BOOST_TEST(same(call({"tidy", {}}), {"0"}));
    BOOST_TEST(same(get(), {{"jobs", list({"a", "a"})}}));
}

BOOST_AUTO_TEST_CASE(forgets_attempts_when_no_job_is_left)
{
    check({.before = {{"attempts", hash({"a", "2"})},
                      {"failed", list({"a"})},
                      {"counters", hash({"recovered", "2"})}},
           .call = {"tidy", {}},
           .reply = {"1"},
           .after = {{"failed", list({"a"})}, {"counters", hash({"recovered", "2"})}}});
}

const std::string peer = R"("2026-11-21T09:54:29.612715072Z")";

BOOST_AUTO_TEST_CASE(forgets_attempts_beside_an_idle_peer)
{
    // Which writes the field `false` whenever it finds nothing to do.
    check({.before = {{"attempts", hash({"a", "2", "b", "1"})}, {"progress", hash({"false", peer})}},
           .call = {"tidy", {}},
           .reply = {"2"},
           .after = {{"progress", hash({"false", peer})}}});
}

BOOST_AUTO_TEST_CASE(keeps_the_attempts_of_jobs_that_are_there_and_forgets_those_of_others)
{
    const state situations[] = {{{"jobs", list({"y", "x"})}},
                                {{"progress", hash({"x", token(7)})}},
                                {{"scheduled", zset({"1:x", "99999999999999"})}},
                                {{"scheduled", zset({"x", "99999999999999"})}},
                                {{"progress", hash({"x", token(7)})}, {"duplicates", hash({"x", "1"})}}};
    for (auto before : situations) {
        redis()("FLUSHALL");
        auto after = before;
        before["attempts"] = hash({"gone", "2", "x", "3"});
        after["attempts"] = hash({"x", "3"});
        check({.before = before, .call = {"tidy", {}}, .reply = {"1"}, .after = after});
        check({.before = {}, .call = {"tidy", {}}, .reply = {"0"}, .after = after});
    }
}

BOOST_AUTO_TEST_CASE(forgets_the_attempts_of_thousands_of_jobs_step_by_step)
{
    strings attempts;
    for (int i = 0; i != 3'000; ++i)
        attempts.insert(attempts.end(), {"done " + std::to_string(i), "1"});
    attempts.insert(attempts.end(), {"x", "1"});
    set({{"attempts", hash(attempts)}, {"jobs", list({"x"})}});
    for (int calls = 0; calls != 1'000 && redis().integer({"HLEN", "attempts"}) != 1; ++calls)
        call({"tidy", {}});
    BOOST_TEST(same(get(), {{"attempts", hash({"x", "1"})}, {"jobs", list({"x"})}}));
}

BOOST_AUTO_TEST_CASE(keeps_not_many_more_attempts_than_there_are_jobs)
{
    // Too many wait to see whose they are.
    strings jobs, attempts;
    for (int i = 0; i != 1'000; ++i)
        jobs.push_back("job " + std::to_string(i));
    for (int i = 0; i != 5'000; ++i)
        attempts.insert(attempts.end(), {"done " + std::to_string(i), "1"});
    attempts.insert(attempts.end(), {"held", "1"});
    set({{"attempts", hash(attempts)}, {"jobs", list(jobs)}, {"progress", hash({"held", token(7)})}});
    std::string forgotten;
    for (int calls = 0; calls != 1'000 && forgotten != "0"; ++calls)
        forgotten = call({"tidy", {}}).at(0);
    BOOST_TEST(redis().integer({"HLEN", "attempts"}) <= 2'001);
    BOOST_TEST(redis().integer({"HLEN", "attempts"}) > 1'900);
    BOOST_TEST(redis()("HGET", "attempts", "held").text == "1");
}

BOOST_AUTO_TEST_CASE(forgets_failures_that_a_peer_has_cut_off)
{
    check({.before = {{"failed", list({"b"})}, {"failures", hash({"a", "1", "b", "2", "c", "3"})}},
           .call = {"tidy", {}},
           .reply = {"2"},
           .after = {{"failed", list({"b"})}, {"failures", hash({"b", "2"})}}});
    redis()("FLUSHALL");
    check({.before = {{"failures", hash({"a", "1"})}}, .call = {"tidy", {}}, .reply = {"1"}, .after = {}});
}

BOOST_AUTO_TEST_CASE(looks_for_few_failures_a_call_in_a_long_list)
{
    redis()("EVAL",
            "for i = 1, 5000 do redis.call('LPUSH', 'failed', i) end "
            "for i = 1, 6000 do redis.call('HSET', 'failures', i, '1') end",
            0);
    redis()("CONFIG", "RESETSTAT");
    call({"tidy", {}});
    const auto searches = redis().info("commandstats", "cmdstat_lpos");
    BOOST_TEST(searches.find("calls=20,") != std::string::npos, searches);
}

BOOST_AUTO_TEST_CASE(forgets_why_payloads_are_broken_that_are_not_recorded_any_more)
{
    const state both{{"found", zset({"a", "1", "b", "2"})},
                     {"reasons", hash({sha1("a"), "odd", sha1("b"), "strange"})}};
    auto before = both;
    before["broken"] = hash({"b", peer});
    check({.before = before,
           .call = {"tidy", {}},
           .reply = {"1"},
           .after = {{"broken", hash({"b", peer})},
                     {"found", zset({"b", "2"})},
                     {"reasons", hash({sha1("b"), "strange"})}}});
    redis()("FLUSHALL");
    check({.before = both, .call = {"tidy", {}}, .reply = {"2"}, .after = {}});
}

BOOST_AUTO_TEST_CASE(keeps_the_attempts_of_a_job_that_it_queues)
{
    check({.before = {{"attempts", hash({"a", "2"})}, {"duplicates", hash({"a", "1"})}},
           .call = {"tidy", {}},
           .reply = {"1"},
           .after = {{"attempts", hash({"a", "2"})}, {"jobs", list({"a"})}}});
}

BOOST_AUTO_TEST_CASE(queues_every_job_in_the_end_however_many_are_held_back)
{
    strings duplicates, progress;
    for (int i = 0; i != 2'000; ++i) {
        const auto payload = "job " + std::to_string(i);
        duplicates.insert(duplicates.end(), {payload, "1"});
        if (i % 2 == 0)
            progress.insert(progress.end(), {payload, token(7)});
    }
    set({{"duplicates", hash(duplicates)}, {"progress", hash(progress)}});
    std::int64_t released = 0;
    for (int calls = 0; calls != 1'000 && released != 1'000; ++calls)
        released += std::stoll(call({"tidy", {}}).at(0));
    BOOST_TEST(released == 1'000);
    BOOST_TEST(redis().integer({"LLEN", "jobs"}) == 1'000);
    BOOST_TEST(redis().integer({"HLEN", "duplicates"}) == 1'000);
}

BOOST_AUTO_TEST_SUITE_END()
