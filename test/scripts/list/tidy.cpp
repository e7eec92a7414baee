#include "script_test.hpp"

using namespace coworker::test;

BOOST_FIXTURE_TEST_SUITE(tidy, script_test)

BOOST_AUTO_TEST_CASE(queues_what_was_held_back_for_a_job_that_a_peer_has_ended)
{
    check({.before = {{"jobs", list({"x"})},
                      {"progress", hash({"b", token(7)})},
                      {"twins", hash({"a", "2", "b", "1"})}},
           .call = {"tidy", {}},
           .reply = {"1"},
           .after = {{"jobs", list({"x", "a"})},
                     {"progress", hash({"b", token(7)})},
                     {"twins", hash({"a", "1", "b", "1"})}}});
}

BOOST_AUTO_TEST_CASE(queues_them_one_at_a_time)
{
    set({{"twins", hash({"a", "2"})}});
    BOOST_TEST(same(call({"tidy", {}}), {"1"}));
    BOOST_TEST(same(call({"tidy", {}}), {"1"}));
    BOOST_TEST(same(call({"tidy", {}}), {"0"}));
    BOOST_TEST(same(get(), {{"jobs", list({"a", "a"})}}));
}

BOOST_AUTO_TEST_CASE(forgets_attempts_when_no_job_is_left)
{
    check({.before = {{"attempts", hash({"a", "2"})},
                      {"failed", list({"a"})},
                      {"counters", hash({"retry", "2"})}},
           .call = {"tidy", {}},
           .reply = {"0"},
           .after = {{"failed", list({"a"})}, {"counters", hash({"retry", "2"})}}});
}

BOOST_AUTO_TEST_CASE(keeps_attempts_while_a_job_is_left_that_they_may_belong_to)
{
    const state situations[] = {{{"jobs", list({"x"})}},
                                {{"progress", hash({"x", token(7)})}},
                                {{"scheduled", zset({"1:x", "99999999999999"})}},
                                {{"progress", hash({"x", token(7)})}, {"twins", hash({"x", "1"})}}};
    for (auto before : situations) {
        redis()("FLUSHALL");
        before["attempts"] = hash({"a", "2"});
        check({.before = before, .call = {"tidy", {}}, .reply = {"0"}, .after = before});
    }
}

BOOST_AUTO_TEST_CASE(keeps_the_attempts_of_a_job_that_it_queues)
{
    check({.before = {{"attempts", hash({"a", "2"})}, {"twins", hash({"a", "1"})}},
           .call = {"tidy", {}},
           .reply = {"1"},
           .after = {{"attempts", hash({"a", "2"})}, {"jobs", list({"a"})}}});
}

BOOST_AUTO_TEST_CASE(queues_every_job_in_the_end_however_many_are_held_back)
{
    strings twins, progress;
    for (int i = 0; i != 2'000; ++i) {
        const auto payload = "job " + std::to_string(i);
        twins.insert(twins.end(), {payload, "1"});
        if (i % 2 == 0)
            progress.insert(progress.end(), {payload, token(7)});
    }
    set({{"twins", hash(twins)}, {"progress", hash(progress)}});
    std::int64_t released = 0;
    for (int calls = 0; calls != 1'000 && released != 1'000; ++calls)
        released += std::stoll(call({"tidy", {}}).at(0));
    BOOST_TEST(released == 1'000);
    BOOST_TEST(redis().integer({"LLEN", "jobs"}) == 1'000);
    BOOST_TEST(redis().integer({"HLEN", "twins"}) == 1'000);
}

BOOST_AUTO_TEST_SUITE_END()
