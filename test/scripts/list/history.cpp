// SPDX-License-Identifier: MIT
#include "script_test.hpp"

using namespace coworker::test;

namespace {

struct history_test : script_test
{
    static std::int64_t present_minute()
    {
        const auto seconds = std::stoll(redis()("TIME").texts().at(0));
        return seconds - seconds % 60;
    }

    /// An entry of the present minute.
    static std::string present(const std::string& counts)
    {
        return std::to_string(present_minute()) + ' ' + counts;
    }

    static strings entries() { return redis()("LRANGE", "history", 0, -1).texts(); }

    /// Calls tidy in one and the same minute: once more if it has passed meanwhile.
    void tidy_within_a_minute(state before, const std::string& counts_of_the_present_minute = {})
    {
        for (;;) {
            redis()("FLUSHALL");
            const auto minute = present_minute();
            if (!counts_of_the_present_minute.empty())
                before["history"] = list({present(counts_of_the_present_minute), "60 9 9 9"});
            set(before);
            BOOST_TEST(same(call({"tidy", {}}), {"0"}));
            if (present_minute() == minute)
                return;
        }
    }
};

} // namespace

/// What became of jobs in each minute, which tidy notes.
BOOST_FIXTURE_TEST_SUITE(history, history_test)

BOOST_AUTO_TEST_CASE(has_what_was_counted_since_it_was_last_noted)
{
    tidy_within_a_minute({{"counters", hash({"success", "30", "failure", "4", "retry", "5", "noted_success",
                                             "10", "noted_retry", "5", "broken", "7"})}});
    BOOST_TEST(same(entries(), {present("20 4 0")}));
    BOOST_TEST(same(redis()("HMGET", "counters", "noted_success", "noted_failure", "noted_retry").texts(),
                    {"30", "4", "5"}));
    const auto lifetime = redis().integer({"TTL", "history"});
    BOOST_TEST(lifetime > 24 * 3600);
    BOOST_TEST(lifetime <= 25 * 3600);
}

BOOST_AUTO_TEST_CASE(adds_to_the_minute_that_goes_on)
{
    tidy_within_a_minute({{"counters", hash({"success", "2", "failure", "1"})}}, "5 0 3");
    BOOST_TEST(same(entries(), {present("7 1 3"), "60 9 9 9"}));
}

BOOST_AUTO_TEST_CASE(counts_minutes_that_are_still_to_come_in_the_present_one)
{
    // the server's clock was ahead, and has been set back
    const auto later = [](int minutes, const std::string& counts) {
        return std::to_string(present_minute() + 60 * minutes) + ' ' + counts;
    };
    set({{"counters", hash({"success", "5", "noted_success", "3"})},
         {"history", list({later(61, "1 2 3"), later(60, "10 0 0"), "60 9 9 9"})}});
    BOOST_TEST(same(call({"tidy", {}}), {"0"}));
    const auto found = entries();
    BOOST_TEST(found.size() == 2u);
    BOOST_TEST(found.front().ends_with(" 13 2 3"));
    BOOST_TEST(found.back() == "60 9 9 9");
}

BOOST_AUTO_TEST_CASE(begins_another_minute_behind_one_that_is_over_or_cannot_be_read)
{
    for (const auto* before : {"60 1 0 0", "nonsense", ""}) {
        tidy_within_a_minute({{"counters", hash({"success", "2"})}, {"history", list({before})}});
        BOOST_TEST(same(entries(), {present("2 0 0"), before}));
    }
}

BOOST_AUTO_TEST_CASE(keeps_as_many_minutes_as_a_day_has_and_the_present_one)
{
    strings old;
    for (int i = 1441; i != 0; --i)
        old.push_back(std::to_string(i * 60) + " 1 0 0");
    tidy_within_a_minute({{"counters", hash({"success", "2"})}, {"history", list(old)}});
    const auto found = entries();
    BOOST_TEST(found.size() == 1441u);
    BOOST_TEST(found.front() == present("2 0 0"));
    BOOST_TEST(found.back() == "120 1 0 0");
}

BOOST_AUTO_TEST_CASE(is_not_written_while_nothing_ends)
{
    const state quiet{
        {"counters", hash({"success", "3", "noted_success", "3", "sequence", "7", "recovered", "1"})}};
    check({.before = quiet, .call = {"tidy", {}}, .reply = {"0"}, .after = quiet});
    redis()("FLUSHALL");
    check({.before = {}, .call = {"tidy", {}}, .reply = {"0"}, .after = {}});
}

BOOST_AUTO_TEST_CASE(goes_on_with_counters_that_have_begun_anew)
{
    tidy_within_a_minute({{"counters", hash({"success", "3", "noted_success", "100"})}});
    BOOST_TEST(same(entries(), {present("3 0 0")}));
    tidy_within_a_minute({{"counters", hash({"noted_success", "100"})}});
    BOOST_TEST(entries().empty());
    BOOST_TEST(redis()("HGET", "counters", "noted_success").text == "0");
}

BOOST_AUTO_TEST_CASE(is_left_alone_if_a_key_is_of_another_type)
{
    const state situations[] = {
        {{"counters", hash({"success", "3"})}, {"history", hash({"a", "b"})}},
        {{"counters", list({"x"})}},
        {{"counters", hash({"success", "3", "noted_success", "many"})}},
    };
    for (const auto& before : situations) {
        redis()("FLUSHALL");
        check({.before = before, .call = {"tidy", {}}, .reply = {"0"}, .after = before});
    }
}

BOOST_AUTO_TEST_SUITE_END()
