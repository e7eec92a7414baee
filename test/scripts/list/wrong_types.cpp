#include "script_test.hpp"

#include <set>

using namespace coworker::test;

/// A key of the queue holds something else, put there by somebody. Scripts may fail then, but no job is lost.
BOOST_FIXTURE_TEST_SUITE(wrong_types, script_test)

const std::string peer = R"("2026-11-21T09:54:29.612715072Z")";

/// Where a job can be.
std::set<std::string> jobs_in(const state& found)
{
    std::set<std::string> jobs;
    const auto add = [&](const std::string& key, const std::string& type, std::size_t step) {
        const auto there = found.find(key);
        if (there == found.end() || there->second.type != type)
            return;
        for (std::size_t i = 0; i < there->second.items.size(); i += step)
            jobs.insert(there->second.items[i].substr(key == "scheduled" ? 15 : 0));
    };
    add("jobs", "list", 1);
    add("failed", "list", 1);
    add("progress", "hash", 2);
    add("broken", "hash", 2);
    add("twins", "hash", 2);
    add("scheduled", "zset", 2);
    return jobs;
}

void check_nothing_lost(const std::set<std::string>& before, const state& after)
{
    const auto left = jobs_in(after);
    for (const auto& job : before)
        BOOST_TEST(left.contains(job), job << " is lost");
}

/// Every part of a queue in use; worker 7 holds the jobs named by their outcomes.
state busy_queue()
{
    return {{"jobs", list({"waiting 2", "waiting 1"})},
            {"progress", hash({"success", token(7), "retry", token(7), "later", token(7), "failure", token(7),
                               "broken", token(7), "give back", token(7), "other", token(8)})},
            {"scheduled",
             zset({scheduled_member(1, "due"), "1000", scheduled_member(2, "not due"), "99999999999999"})},
            {"attempts", hash({"success", "1", "retry", "1"})},
            {"twins", hash({"success", "1", "failure", "1", "other", "1"})},
            {"paused", list({"not a flag"})}, // taking is possible without it
            {"workers", hash({"7", "w"})},
            {"counters", hash({"sequence", "2"})},
            {"failed", list({"old"})},
            {"failures", hash({"old", "record"})},
            {"broken", hash({"odd", peer})}};
}

exchange settle_and_take()
{
    exchange all{.count = 2, .worker = 7, .succeeded = {{token(7), {"success"}}}, .others = {}};
    all.others = {{.payload = "retry", .token = token(7), .kind = "retry", .attempts = 2},
                  {.payload = "later", .token = token(7), .kind = "retry", .attempts = 1, .delay = 5000},
                  {.payload = "failure", .token = token(7), .kind = "failure"},
                  {.payload = "broken", .token = token(7), .kind = "broken"},
                  {.payload = "give back", .token = token(7), .kind = "give_back"}};
    return all;
}

/// The queue with a wrong value in one key, and the jobs that are in the others. What succeeds may go.
state with_wrong(const std::string& key, std::set<std::string>& jobs)
{
    auto before = busy_queue();
    if (key != "paused")
        before.erase("paused");
    before[key] = key == "jobs" || key == "failed" ? hash({"wrong", "type"}) : list({"wrong type"});
    jobs = jobs_in(before);
    if (!before.contains("twins") || before.at("twins").type != "hash")
        jobs.erase("success");
    return before;
}

const strings keys{"jobs",    "progress", "scheduled", "attempts", "twins", "paused",
                   "workers", "counters", "failed",    "failures", "broken"};

BOOST_AUTO_TEST_CASE(lose_no_job_when_jobs_are_settled_and_taken)
{
    for (const auto& key : keys)
        BOOST_TEST_CONTEXT(key)
        {
            redis()("FLUSHALL");
            std::set<std::string> jobs;
            set(with_wrong(key, jobs));
            call(settle_and_take());
            check_nothing_lost(jobs, get());
            call(settle_and_take()); // a worker repeats what was refused
            check_nothing_lost(jobs, get());
        }
}

BOOST_AUTO_TEST_CASE(do_not_keep_outcomes_from_being_stored_once_the_key_is_right_again)
{
    for (const auto& key : keys)
        BOOST_TEST_CONTEXT(key)
        {
            redis()("FLUSHALL");
            std::set<std::string> jobs;
            set(with_wrong(key, jobs));
            call(settle_and_take());
            redis()("DEL", key);
            const auto reply = call(settle_and_take());
            BOOST_TEST(reply.size() > 1); // no error
            const auto after = get();
            check_nothing_lost(jobs, after);
            for (const auto& value : after.at("progress").items)
                BOOST_TEST(value != token(7));
        }
}

BOOST_AUTO_TEST_CASE(lose_no_job_when_leases_are_recovered)
{
    for (const auto& key : {"jobs", "progress", "attempts", "twins", "counters"})
        BOOST_TEST_CONTEXT(key)
        {
            redis()("FLUSHALL");
            std::set<std::string> jobs;
            set(with_wrong(key, jobs));
            call({"recover",
                  {"failure", token(7), "requeue", "retry", token(7), "release", "other", token(8),
                   "requeue"}});
            check_nothing_lost(jobs, get());
            call({"tidy", {}});
            check_nothing_lost(jobs, get());
        }
}

BOOST_AUTO_TEST_CASE(lose_no_job_when_records_are_queued_again)
{
    for (const auto& key : {"jobs", "failed", "failures", "broken"})
        BOOST_TEST_CONTEXT(key)
        {
            redis()("FLUSHALL");
            std::set<std::string> jobs;
            set(with_wrong(key, jobs));
            for (const auto script : {"retry_failed", "retry_broken"}) {
                call({script, {"0", "old"}});
                call({script, {"0", "odd"}});
                call({script, {"128"}});
            }
            check_nothing_lost(jobs, get());
        }
}

BOOST_AUTO_TEST_CASE(are_told_in_redis_own_words)
{
    set({{"jobs", text("wrong type")}, {"workers", hash({"7", "w"})}});
    BOOST_TEST(call(exchange{.count = 1, .worker = 7}).at(0).starts_with("WRONGTYPE"));
    BOOST_TEST(call({"wait", {}}).at(0).starts_with("WRONGTYPE"));
}

BOOST_AUTO_TEST_SUITE_END()
