// SPDX-License-Identifier: MIT
#include "script_test.hpp"

#include <algorithm>

using namespace coworker::test;

BOOST_FIXTURE_TEST_SUITE(search, script_test)

namespace {

const std::string a = R"(["a",{"to":"ada"}])", b = R"(["b",{"to":"bob"}])", c = R"(["c",{"to":"ada"}])";

script_call searching(const std::string& action, const std::string& in, const std::string& cursor = "",
                      int limit = 100, const std::string& text = "", const std::string& message = "",
                      const strings& wanted = {}, const strings& times = {"", "", "", ""},
                      const std::string& holder = "")
{
    strings arguments{action, in, cursor, std::to_string(limit), "100", "1000000", text, message};
    arguments.insert(arguments.end(), times.begin(), times.end());
    arguments.push_back(holder);
    arguments.insert(arguments.end(), wanted.begin(), wanted.end());
    return {"search", arguments};
}

const state failures{{"failed", list({c, b, a})},
                     {"failures", hash({a, "t1 3 no route\nmore", b, "t2 1 no memory", c, "t3 2 no route"})}};

} // namespace

BOOST_AUTO_TEST_CASE(shows_failed_jobs_oldest_first)
{
    const auto size = std::to_string(a.size());
    check({.before = failures,
           .call = searching("show", "failed"),
           .reply = {"", a, size, "t1 3 no route\nmore", "", b, size, "t2 1 no memory", "", c, size,
                     "t3 2 no route", ""},
           .after = failures});
}

BOOST_AUTO_TEST_CASE(finds_by_text_message_and_id)
{
    const auto size = std::to_string(a.size());
    set(failures);
    BOOST_TEST(same(call(searching("show", "failed", "", 100, "bob")), {"", b, size, "t2 1 no memory", ""}));
    BOOST_TEST(same(call(searching("show", "failed", "", 100, "", "no memory")),
                    {"", b, size, "t2 1 no memory", ""}));
    BOOST_TEST(same(call(searching("show", "failed", "", 100, "ada", "no route", {"b", "c"})),
                    {"", c, size, "t3 2 no route", ""}));
}

BOOST_AUTO_TEST_CASE(counts_by_the_first_line_of_the_message)
{
    check({.before = failures,
           .call = searching("count", "failed"),
           .reply = {"", "no route", "2", "t3 2 no route", "c", "no memory", "1", "t2 1 no memory", "b"},
           .after = failures});
}

BOOST_AUTO_TEST_CASE(goes_on_where_it_stopped_and_not_to_jobs_that_failed_since)
{
    set(failures);
    BOOST_TEST(same(call(searching("retry", "failed", "", 2, "", "no memory")), {"1:1", "b"}));
    redis()("LPUSH", "failed", "newer");
    redis()("DEL", "ready"); // noted by the first call
    BOOST_TEST(same(call(searching("delete", "failed", "1:1")), {"", "c"}));
    BOOST_TEST(same(get(), {{"jobs", list({b})},
                            {"failed", list({"newer", a})},
                            {"failures", hash({a, "t1 3 no route\nmore"})}}));
}

BOOST_AUTO_TEST_CASE(deletes_waiting_jobs_that_fit)
{
    check({.before = {{"jobs", list({c, b, a})}},
           .call = searching("delete", "waiting", "", 100, "ada"),
           .reply = {"", "a", "c"},
           .after = {{"jobs", list({b})}}});
}

BOOST_AUTO_TEST_CASE(deletes_the_one_of_equal_jobs_that_it_has_come_to)
{
    set({{"jobs", list({a, b, a, c, a})}});
    BOOST_TEST(same(call(searching("delete", "waiting", "2:3", 100, "", "", {"a"})), {"", "a", "a"}));
    BOOST_TEST(same(get(), {{"jobs", list({b, c, a})}}));
}

BOOST_AUTO_TEST_CASE(deletes_many_jobs_in_one_pass)
{
    strings all, kept;
    for (int i = 0; i != 3000; ++i) {
        all.push_back(i % 100 == 0 ? a : b);
        if (i >= 1000 || i % 100 != 0)
            kept.push_back(all.back());
    }
    std::reverse(kept.begin(), kept.end());
    std::reverse(all.begin(), all.end()); // the oldest stands at the end
    set({{"jobs", list(all)}});
    redis()("CONFIG", "RESETSTAT");
    const auto reply = call(searching("delete", "waiting", "", 1000, "ada"));
    BOOST_TEST(reply.size() == 11u);
    BOOST_TEST(reply.at(0) == "990:2000");
    const auto passes = redis().info("commandstats", "cmdstat_lrem");
    BOOST_TEST(passes.find("calls=1,") != std::string::npos, passes);
    BOOST_TEST(same(get(), {{"jobs", list(kept)}}));
}

BOOST_AUTO_TEST_CASE(runs_scheduled_jobs_now)
{
    check({.before = {{"scheduled", zset({"x:" + a, "5", "y:" + b, "6"})}},
           .call = searching("run", "scheduled", "", 100, "bob"),
           .reply = {"", "b"},
           .after = {{"jobs", list({b})}, {"scheduled", zset({"x:" + a, "5"})}, {"ready", ready_now({b})}}});
}

BOOST_AUTO_TEST_CASE(retries_broken_payloads)
{
    check({.before = {{"broken", hash({"junk", "t"})}, {"reasons", hash({sha1("junk"), "it is odd\nvery"})}},
           .call = searching("retry", "broken", "", 100, "", "it is odd"),
           .reply = {"", ""},
           .after = {{"jobs", list({"junk"})}, {"ready", ready_now({"junk"})}}});
}

BOOST_AUTO_TEST_CASE(shows_running_jobs_and_does_nothing_to_them)
{
    const state before{{"progress", hash({a, token(7), "false", token(7)})}};
    check({.before = before, .call = searching("delete", "running"), .reply = {""}, .after = before});
    BOOST_TEST(same(call(searching("show", "running")), {"", a, std::to_string(a.size()), token(7), ""}));
}

BOOST_AUTO_TEST_CASE(finds_running_jobs_by_the_worker_that_has_them)
{
    set({{"progress",
          hash({a, token(7), b, token(12), c, "\"2026-01-02T03:04:05.000000Z\"", "false", token(7)})},
         {"workers", hash({"7", "one", "12", "two"})},
         {"jobs", list({"[\"d\",4]"})}});
    const auto held_by = [&](const std::string& in, const std::string& holder) {
        return call(searching("show", in, "", 100, "", "", {}, {"", "", "", ""}, holder));
    };
    const auto size = std::to_string(a.size());
    BOOST_TEST(same(held_by("running", "one"), {"", a, size, token(7), ""}));
    BOOST_TEST(same(held_by("running", "two"), {"", b, size, token(12), ""}));
    BOOST_TEST(same(held_by("running", "three"), {""}));
    BOOST_TEST(same(held_by("waiting", "one"), {""}));
}

BOOST_AUTO_TEST_CASE(shows_jobs_of_a_time)
{
    const strings second{"1767323045000", "1767323046000", "2026-01-02T03:04:05.000000",
                         "2026-01-02T03:04:06.000000"};
    const strings from{second[0], "", second[2], ""}, until{"", second[0], "", second[2]};
    const auto shown = [&](const std::string& in, const strings& times) {
        std::string ids;
        const auto reply = call(searching("show", in, "", 100, "", "", {}, times));
        for (std::size_t i = 1; i < reply.size(); i += 4)
            ids += reply[i].substr(reply[i].find("[\""), 3).substr(2);
        return ids;
    };
    const std::string quote = "\"2026-01-02T03:04:";
    set({{"failed", list({c, b, a})},
         {"failures", hash({a, quote + "04.999999999999Z\" 1 no", b, quote + "05.000000000042Z\" 1 no", c,
                            quote + "06.000000000042Z\" 1 no"})},
         {"scheduled",
          zset({"x:" + a, "1767323044999", "y:" + b, "1767323045000", "z:" + c, "1767323046000"})},
         {"progress",
          hash({a, quote + "04.999999999999Z\"", b, quote + "05.000000000042Z\"", c, quote + "06Z\""})}});
    for (const auto* in : {"failed", "scheduled", "running"}) {
        BOOST_TEST(shown(in, second) == "b", in);
        BOOST_TEST(shown(in, until) == "a", in);
        BOOST_TEST(shown(in, from).size() == 2u, in);
    }
    const std::string timed = R"(["019b7ca9-8c88-7000-8000-000000000000",1])"; // 03:04:05
    set({{"jobs", list({a, timed})}});
    BOOST_TEST(shown("waiting", second) == "0");
    BOOST_TEST(shown("waiting", until) == "");
}

BOOST_AUTO_TEST_CASE(cuts_what_is_too_large_to_be_sent)
{
    const std::string large(5'000, 'x');
    set({{"jobs", list({large})}});
    BOOST_TEST(same(call({"search", {"show", "waiting", "", "10", "10", "4999", "", "", "", "", "", "", ""}}),
                    {"", large.substr(0, 4096), "5000", "", ""}));
}

BOOST_AUTO_TEST_SUITE_END()
