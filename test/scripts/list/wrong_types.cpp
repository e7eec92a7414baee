// SPDX-License-Identifier: MIT
#include "script_test.hpp"

#include <map>

using namespace coworker::test;

/// A key of the queue holds something else, put there by somebody. Scripts may fail then, but no job is lost.
BOOST_FIXTURE_TEST_SUITE(wrong_types, script_test)

const std::string peer = R"("2026-11-21T09:54:29.612715072Z")";

/// How often a job is anywhere.
using jobs = std::map<std::string, int>;

jobs jobs_in(const state& found)
{
    jobs counts;
    const auto count = [&](const std::string& key, const std::string& type, std::size_t step) {
        const auto there = found.find(key);
        if (there == found.end() || there->second.type != type)
            return;
        const auto& items = there->second.items;
        for (std::size_t i = 0; i < items.size(); i += step)
            counts[key == "scheduled" ? items[i].substr(items[i].find(':') + 1) : items[i]] +=
                key == "duplicates" ? std::stoi(items[i + 1]) : 1;
    };
    count("jobs", "list", 1);
    count("failed", "list", 1);
    count("progress", "hash", 2);
    count("broken", "hash", 2);
    count("duplicates", "hash", 2);
    count("scheduled", "zset", 2);
    return counts;
}

/// All jobs are still there, but for one that succeeded.
void check_nothing_lost(const jobs& before, const state& after)
{
    auto left = jobs_in(after);
    ++left["success"];
    for (const auto& [job, count] : before)
        BOOST_TEST(left[job] >= count, job << " is lost");
}

/// Every part of a queue in use; worker 7 holds the jobs named by their outcomes.
state busy_queue()
{
    return {{"jobs", list({"waiting 2", "other", "waiting 1"})},
            {"progress", hash({"success", token(7), "retry", token(7), "later", token(7), "failure", token(7),
                               "broken", token(7), "give back", token(7), "other", token(8)})},
            {"scheduled",
             zset({scheduled_member(1, "due"), "1000", scheduled_member(2, "not due"), "99999999999999"})},
            {"attempts", hash({"success", "1", "retry", "1"})},
            {"duplicates", hash({"success", "1", "failure", "1", "other", "1", "gone", "1"})},
            {"paused", list({"not a flag"})}, // taking is possible without it
            {"workers", hash({"7", "w"})},
            {"counters", hash({"sequence", "2"})},
            {"failed", list({"old"})},
            {"failures", hash({"old", "record"})},
            {"broken", hash({"odd", peer})}};
}

const std::vector<ack_and_fetch::other> others{
    {.payload = "retry", .token = token(7), .kind = "retry", .attempts = 2},
    {.payload = "later", .token = token(7), .kind = "retry", .attempts = 1, .delay = 5000},
    {.payload = "failure", .token = token(7), .kind = "failure"},
    {.payload = "broken", .token = token(7), .kind = "broken", .message = "odd"},
    {.payload = "give back", .token = token(7), .kind = "release"}};

const std::vector<ack_and_fetch::successes> successes{{token(7), {"success"}}};

/// Taking alone, every outcome alone, and all at once.
std::vector<ack_and_fetch> calls()
{
    std::vector<ack_and_fetch> result{{.count = 4, .worker = 7}, {.worker = 7, .succeeded = successes}};
    for (const auto& other : others)
        result.push_back({.worker = 7, .others = {other}});
    result.push_back({.count = 4, .worker = 7, .succeeded = successes, .others = others});
    return result;
}

/// The queue with a wrong value in one key.
state with_wrong(const std::string& key)
{
    auto before = busy_queue();
    if (key != "paused")
        before.erase("paused");
    before[key] = key == "jobs" || key == "failed" ? hash({"wrong", "type"}) : list({"wrong type"});
    return before;
}

const strings keys{"jobs",    "progress", "scheduled", "attempts", "duplicates", "paused",
                   "workers", "counters", "failed",    "failures", "broken",     "reasons",
                   "found",   "shared",   "ready",     "cancelled"};

BOOST_AUTO_TEST_CASE(lose_no_job_when_jobs_are_settled_and_taken)
{
    for (const auto& key : keys)
        for (const auto& what : calls())
            BOOST_TEST_CONTEXT(key << ", " << what.others.size() << " others, " << what.succeeded.size()
                                   << " succeeded")
            {
                redis()("FLUSHALL");
                const auto before = with_wrong(key);
                set(before);
                call(what);
                check_nothing_lost(jobs_in(before), get());
                call(what); // a worker repeats what was refused
                check_nothing_lost(jobs_in(before), get());
            }
}

BOOST_AUTO_TEST_CASE(do_not_keep_outcomes_from_being_stored_once_the_key_is_right_again)
{
    const auto all = calls().back();
    for (const auto& key : keys)
        BOOST_TEST_CONTEXT(key)
        {
            redis()("FLUSHALL");
            const auto before = with_wrong(key);
            set(before);
            call(all);
            redis()("DEL", key);
            const auto reply = call(all);
            BOOST_TEST(reply.size() > 1); // no error
            const auto after = get();
            check_nothing_lost(jobs_in(before), after);
            for (const auto& value : after.at("progress").items)
                BOOST_TEST(value != token(7));
        }
}

/// Each call on a queue of its own, with each of the keys in turn wrong.
void check_calls(script_test& test, const strings& wrong, const std::vector<script_call>& what)
{
    for (const auto& key : wrong)
        for (const auto& each : what)
            BOOST_TEST_CONTEXT(each.script << " " << each.arguments.back() << ", " << key)
            {
                test.redis()("FLUSHALL");
                const auto before = with_wrong(key);
                test.set(before);
                test.call(each);
                check_nothing_lost(jobs_in(before), test.get());
            }
}

BOOST_AUTO_TEST_CASE(lose_no_job_when_leases_are_recovered)
{
    check_calls(*this, {"jobs", "progress", "attempts", "duplicates", "counters", "ready"},
                {recovery{.threshold = token(0, 1)},
                 recovery{.threshold = token(0), .dead = {"7"}},
                 recovery{.threshold = token(0), .latest = token(0)},
                 {"own_leases", {"0", "128", "1", "7"}},
                 {"release", {"later", token(7), "other", token(8)}},
                 {"tidy", {"no arguments"}}});
}

BOOST_AUTO_TEST_CASE(lose_no_job_when_records_are_queued_again)
{
    check_calls(*this, {"jobs", "failed", "failures", "broken", "attempts", "found", "reasons", "ready"},
                {{"act", {"retry", "failed", "old"}}, {"act", {"retry", "broken", "odd"}}});
}

BOOST_AUTO_TEST_CASE(lose_no_job_when_one_is_cancelled)
{
    check_calls(*this,
                {"jobs", "progress", "failed", "failures", "attempts", "duplicates", "shared", "workers",
                 "counters", "cancelled"},
                {{"act", {"cancel", "running", "failure"}},
                 {"search", {"cancel", "running", "", "100", "100", "1000", "", "", "", "", "", "", ""}}});
}

BOOST_AUTO_TEST_CASE(are_told_in_redis_own_words)
{
    set({{"jobs", text("wrong type")}, {"workers", hash({"7", "w"})}});
    BOOST_TEST(call(ack_and_fetch{.count = 1, .worker = 7}).at(0).starts_with("WRONGTYPE"));
    BOOST_TEST(call({"wait", {}}).at(0).starts_with("WRONGTYPE"));
}

BOOST_AUTO_TEST_SUITE_END()
