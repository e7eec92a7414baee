// SPDX-License-Identifier: MIT
#include "leftovers.hpp"

using namespace coworker::test;

namespace {

script_call step_of(const std::string& state, const std::string& taken = "", int most = 1000)
{
    return {"purge", {state, std::to_string(most), taken}};
}

} // namespace

BOOST_FIXTURE_TEST_SUITE(purge, queue_user)

BOOST_AUTO_TEST_CASE(removes_waiting_jobs_with_what_is_known_of_them)
{
    script_test::check({.before = {{"jobs", list({"a", "b"})},
                                   {"attempts", hash({"a", "2", "running", "3", "later", "4"})},
                                   {"ready", zset({digest_of("a"), "5"})},
                                   {"progress", hash({"running", token(7)})},
                                   {"scheduled", zset({"1:later", "99999999999999"})},
                                   {"failed", list({"f"})}},
                        .call = step_of("waiting"),
                        .reply = {"2", "1"},
                        .after = {{"purged", list({"a", "b"})},
                                  {"attempts", hash({"a", "2", "running", "3", "later", "4"})},
                                  {"progress", hash({"running", token(7)})},
                                  {"scheduled", zset({"1:later", "99999999999999"})},
                                  {"failed", list({"f"})}}});
    script_test::check({.before = {},
                        .call = step_of("waiting", "taken"),
                        .reply = {"0", "0"},
                        .after = {{"attempts", hash({"running", "3", "later", "4"})},
                                  {"progress", hash({"running", token(7)})},
                                  {"scheduled", zset({"1:later", "99999999999999"})},
                                  {"failed", list({"f"})}}});
}

BOOST_AUTO_TEST_CASE(removes_scheduled_jobs_with_their_attempts)
{
    script_test::check({.before = {{"jobs", list({"a"})},
                                   {"attempts", hash({"a", "2", "b:c", "3"})},
                                   {"scheduled", zset({"1:b:c", "5", "2:d", "6"})}},
                        .call = step_of("scheduled"),
                        .reply = {"2", "1"},
                        .after = {{"jobs", list({"a"})},
                                  {"attempts", hash({"a", "2", "b:c", "3"})},
                                  {"purged", zset({"1:b:c", "5", "2:d", "6"})}}});
    script_test::check({.before = {},
                        .call = step_of("scheduled", "taken"),
                        .reply = {"0", "0"},
                        .after = {{"jobs", list({"a"})}, {"attempts", hash({"a", "2"})}}});
}

BOOST_AUTO_TEST_CASE(takes_one_step_if_no_job_was_tried_before)
{
    const state rest{{"failed", list({"f"})}};
    auto before = rest;
    before.insert({{"jobs", list({"a", "b", "c"})}, {"ready", zset({digest_of("a"), "5"})}});
    script_test::check({.before = before, .call = step_of("waiting"), .reply = {"3", "0"}, .after = rest});
    script_test::check({.before = {}, .call = step_of("waiting"), .reply = {"0", "0"}, .after = rest});
}

BOOST_AUTO_TEST_CASE(removes_records_of_failed_and_broken_jobs)
{
    const state jobs{{"jobs", list({"a"})}, {"attempts", hash({"a", "1"})}};
    auto before = jobs;
    before.insert({{"failed", list({"f", "g"})}, {"failures", hash({"f", "t 1 why", "g", "t 1 why"})}});
    script_test::check({.before = before, .call = step_of("failed"), .reply = {"2", "0"}, .after = jobs});
    redis()("FLUSHALL");
    before = jobs;
    before.insert(
        {{"broken", hash({"x", "t"})}, {"found", zset({"x", "1"})}, {"reasons", hash({sha1("x"), "odd"})}});
    script_test::check({.before = before, .call = step_of("broken"), .reply = {"1", "0"}, .after = jobs});
}

BOOST_AUTO_TEST_CASE(leaves_jobs_that_are_pushed_behind_its_first_step)
{
    set({{"jobs", list({"a", "b"})}, {"attempts", hash({"a", "1", "b", "1"})}});
    BOOST_TEST(call(step_of("waiting", "", 1)).elements.at(0).integer == 2);
    redis()("LPUSH", "jobs", "c");
    redis()("HSET", "attempts", "c", "2");
    while (call(step_of("waiting", "taken", 1)).elements.at(1).integer != 0) {
    }
    BOOST_TEST(same(get(), {{"jobs", list({"c"})}, {"attempts", hash({"c", "2"})}}));
}

BOOST_AUTO_TEST_CASE(first_finishes_what_a_killed_one_has_left)
{
    set({{"jobs", list({"c"})},
         {"scheduled", zset({"1:d", "5"})},
         {"purged", list({"a", "b"})},
         {"attempts", hash({"a", "1", "b", "1", "c", "1"})}});
    const auto first = call(step_of("scheduled", "", 1)); // one is forgotten, and another is in the way
    BOOST_TEST(first.elements.at(0).integer == -1);
    BOOST_TEST(redis()("ZCARD", "scheduled").integer == 1);
    BOOST_TEST(call(step_of("scheduled", "", 1)).elements.at(0).integer == 1);
    while (call(step_of("scheduled", "taken", 1)).elements.at(1).integer != 0) {
    }
    BOOST_TEST(same(get(), {{"jobs", list({"c"})}, {"attempts", hash({"c", "1"})}}));
}

BOOST_AUTO_TEST_CASE(is_finished_by_the_monitor_if_nobody_goes_on)
{
    each([&](const std::string& i) {
        redis()("RPUSH", "purged", "j" + i);
        redis()("HSET", "attempts", "j" + i, "1");
    });
    redis()("LPUSH", "jobs", "left");
    redis()("HSET", "attempts", "left", "1");
    tidy();
    redis()("DEL", "history");
    BOOST_TEST(same(get(), {{"jobs", list({"left"})}, {"attempts", hash({"left", "1"})}}));
}

BOOST_AUTO_TEST_CASE(forgets_large_jobs_a_few_at_a_time)
{
    for (int i = 0; i != 8; ++i)
        redis()("RPUSH", "purged", std::string(400'000, 'x') + std::to_string(i));
    redis()("HSET", "attempts", "y", "1");
    call(step_of("waiting", "taken"));
    const auto left = redis()("LLEN", "purged").integer;
    BOOST_TEST(left > 0);
    BOOST_TEST(left < 8);
}

BOOST_AUTO_TEST_CASE(changes_nothing_where_a_key_is_of_another_type)
{
    const std::pair<const char*, const char*> wrong[] = {
        {"jobs", "waiting"}, {"scheduled", "scheduled"}, {"failed", "failed"}, {"broken", "broken"}};
    for (const auto& [key, state_name] : wrong) {
        redis()("FLUSHALL");
        const state before{{key, text("odd")}, {"attempts", hash({"a", "1"})}};
        set(before);
        BOOST_TEST(script_test::call(step_of(state_name)).at(0).starts_with("WRONGTYPE"));
        BOOST_TEST(same(get(), before));
    }
}

BOOST_AUTO_TEST_SUITE_END()
