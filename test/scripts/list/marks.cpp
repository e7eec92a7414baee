// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

/// What says which acknowledgements these data have.
BOOST_FIXTURE_TEST_SUITE(marks, script_test)

namespace {

struct step
{
    const char *before, *number, *after_call, *mark;
};

script_call asks(const char* first, const char* last)
{
    return {"redis/find_mark", {first, last, "60000"}};
}

} // namespace

BOOST_AUTO_TEST_CASE(an_acknowledgement_goes_with_its_mark)
{
    check({.before = {{"progress", hash({"a", token(7), "b", token(7), "c", token(7)})}},
           .call = exchange{.succeeded = {{token(7), {"a"}}},
                            .others = {{.payload = "b", .token = token(7), .kind = "give_back"}},
                            .mark = {"1", "0", "60000"}},
           .reply = settled(),
           .after = {{"jobs", list({"b"})},
                     {"progress", hash({"c", token(7)})},
                     {"counters", hash({"success", "1", "give_back", "1"})},
                     {"ready", ready_now({"b"})},
                     {"mark", text("1 1")}}});
    const auto left = redis().integer({"PTTL", "mark"});
    BOOST_TEST((left > 30'000 && left <= 60'000), left);
}

BOOST_AUTO_TEST_CASE(marks_go_on_where_nothing_was_lost)
{
    const step steps[] = {
        {"1 4", "5", "4", "1 5"},
        {"1 4", "7", "4", "1 7"}, // two calls have failed
        {"1 6", "7", "4", "1 7"}, // and one of them was carried out
        {"1 4", "6", "5", "6 6"}, // the one before was carried out elsewhere, or will be after this
        {"6 6", "5", "4", "6 6"}, // which does not count as one of those that follow each other
        {"1 4", "9", "8", "9 9"},
        {"9007199254740990 9007199254740991", "9007199254740992", "9007199254740991",
         "9007199254740990 9007199254740992"},
        {"", "3", "2", "3 3"},
        {"what is this", "3", "0", "3 3"},
    };
    for (const auto& [before, number, after_call, mark] : steps)
        BOOST_TEST_CONTEXT(before << ", call " << number << " after " << after_call)
        {
            redis()("FLUSHALL");
            redis()("HSET", "progress", "a", token(7));
            if (*before != '\0')
                redis()("SET", "mark", before);
            (void)call(exchange{.succeeded = {{token(7), {"a"}}}, .mark = {number, after_call, "60000"}});
            BOOST_TEST(redis()("GET", "mark").text == mark);
        }
}

BOOST_AUTO_TEST_CASE(data_have_what_their_mark_spans)
{
    const auto yes = [&](const char* first, const char* last) {
        return call(asks(first, last)).at(0) == "1";
    };
    BOOST_TEST(!yes("1", "1"));
    redis()("SET", "mark", "3 9");
    BOOST_TEST(yes("3", "9"));
    BOOST_TEST(yes("4", "4"));
    BOOST_TEST(!yes("2", "9"));
    BOOST_TEST(!yes("3", "10"));
    BOOST_TEST(redis()("GET", "mark").text == "3 9");
}

BOOST_AUTO_TEST_CASE(who_asks_writes_so_that_there_is_something_to_wait_for)
{
    redis()("SET", "mark", "1 2");
    BOOST_TEST(call(asks("1", "2")) == strings{"1"}, boost::test_tools::per_element());
    const auto left = redis().integer({"PTTL", "mark"});
    BOOST_TEST((left > 30'000 && left <= 60'000), left);
}

BOOST_AUTO_TEST_SUITE_END()
