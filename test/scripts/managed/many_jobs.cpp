// SPDX-License-Identifier: MIT
#include "managed_redis.hpp"

#include <boost/test/unit_test.hpp>

#include <set>
#include <string>
#include <vector>

// What takes more jobs than a table can show.

BOOST_AUTO_TEST_SUITE(many_jobs)

using namespace coworker::test;

namespace {

/// The answer of a script as integers.
std::vector<long long> integers(const redis_value& answer)
{
    std::vector<long long> result;
    for (const auto& element : answer.elements)
        result.push_back(element.integer);
    return result;
}

void take_jobs(managed_redis& redis, int count)
{
    std::vector<std::string> arguments{"100"};
    for (int i = 0; i != count; ++i)
        for (const auto* word : {"6", "w", "q", "", "k", "{}", "0"})
            arguments.push_back(*word == '\0' ? 'j' + std::to_string(i) : word);
    redis.call("put_many", arguments);
    for (int taken = 0; taken < count; taken += 500)
        redis.call("ack_and_fetch", {"105", "q", "w", "500"});
    BOOST_REQUIRE(redis.raw()("ZCARD", "ql:w:w:jobs").integer == count);
}

void complete_all(managed_redis& redis, const std::string& now, int count)
{
    std::vector<std::string> arguments{now};
    for (int i = 0; i != count; ++i)
        for (const auto& word : {std::string{"4"}, 'j' + std::to_string(i), std::string{"w"},
                                 std::string{"q"}, std::string{"{}"}})
            arguments.push_back(word);
    redis.call("complete_many", arguments);
    BOOST_REQUIRE(redis.raw()("ZCARD", "ql:completed").integer == count);
}

/// Puts, takes and completes one more job; returns how many complete ones there are then.
long long complete_another(managed_redis& redis, const std::string& now, const std::string& jid)
{
    redis.call("put", {now, "w", "q", jid, "k", "{}", "0"});
    redis.call("pop", {now, "q", "w", "1"});
    redis.call("complete", {now, jid, "w", "q", "{}"});
    return redis.raw()("ZCARD", "ql:completed").integer;
}

using list = std::vector<long long>;

/// Puts so many jobs, called by a name and a number, that wait for the job `p`.
void put_dependents(managed_redis& redis, const std::string& name, int count)
{
    std::vector<std::string> arguments{"100"};
    for (int i = 0; i != count; ++i)
        for (const auto& word : {std::string{"8"}, std::string{"w"}, std::string{"other"},
                                 name + std::to_string(i), std::string{"k"}, std::string{"{}"},
                                 std::string{"0"}, std::string{"depends"}, std::string{R"(["p"])"}})
            arguments.push_back(word);
    redis.call("put_many", arguments);
}

/// So many jobs that wait for the job `p`, which is taken.
void let_wait(managed_redis& redis, int count)
{
    redis.call("put", {"100", "w", "q", "p", "k", "{}", "0"});
    redis.call("pop", {"100", "q", "w", "1"});
    put_dependents(redis, "j", count);
    BOOST_REQUIRE(redis.raw()("ZCARD", "ql:q:other-depends").integer == count);
}

/// How many things `check` finds wrong.
std::size_t findings(managed_redis& redis, const std::vector<std::string>& repair = {})
{
    std::size_t count = 0;
    std::string cursor = "0";
    do {
        std::vector<std::string> arguments{"120", cursor, "1000"};
        arguments.insert(arguments.end(), repair.begin(), repair.end());
        const auto answer = redis.call("check", arguments);
        count += answer.elements.size() - 1;
        cursor = answer.elements.at(0).text;
    } while (cursor != "0");
    return count;
}

/// How many of them do not wait any longer.
long long freed(managed_redis& redis)
{
    return redis.raw()("ZCARD", "ql:q:other-work").integer;
}

/// Redis' own count of the commands in takes of a queue until none of its lanes is open; `count` jobs are held back by a
/// second limit.
long long commands_of_takes(managed_redis& redis, int count, const std::vector<std::string>& options)
{
    redis.raw()("FLUSHALL");
    redis.call("limit_set", {"50", "all", "max", "0"});
    for (int i = 0; i != count; ++i) {
        std::vector<std::string> arguments{"100", "w", "q", 'j' + std::to_string(i), "k", "{}", "0"};
        arguments.insert(arguments.end(), options.begin(), options.end());
        redis.call("put", arguments);
    }
    redis.call("put", {"101", "w", "q", "own", "k", "{}", "0", "limits", R"(["tenant:1"])"});
    redis.call("put", {"101", "w", "q", "free", "k", "{}", "0"});
    const auto commands = [&] {
        const auto line = redis.raw().info("stats", "total_commands_processed");
        return std::stoll(line.substr(line.find(':') + 1));
    };
    const auto before = commands();
    const std::string now = "102.001"; // not one of the times at which takes look at a closed lane, whichever
    std::vector<std::string> taken;
    do {
        const auto answer = redis.call("ack_and_fetch", {now, "q", "w", "1"}).elements.at(4);
        if (!answer.elements.empty())
            taken.push_back(answer.elements.front().text);
    } while (redis.raw()("ZCARD", "ql:coworker:open:q").integer != 0);
    while (redis.raw()("ZCARD", "ql:q:q-work").integer != 0)
        taken.push_back(redis.call("ack_and_fetch", {now, "q", "w", "1"}).elements.at(4).elements.at(0).text);
    BOOST_TEST(taken == (std::vector<std::string>{"own", "free"}), boost::test_tools::per_element());
    return commands() - before;
}

} // namespace

BOOST_AUTO_TEST_CASE(are_told_of_where_somebody_listens)
{
    for (const auto* listen : {"SUBSCRIBE", "PSUBSCRIBE"}) {
        managed_redis redis;
        redis.raw()("CONFIG", "RESETSTAT");
        take_jobs(redis, 20);
        complete_all(redis, "110", 20);
        BOOST_TEST(redis.raw().info("commandstats", "cmdstat_publish").empty());

        raw_redis listener{redis.socket_path()};
        listener(listen, "ql:log");
        take_jobs(redis, 20);
        complete_all(redis, "110", 20);
        for (const auto* event : {R"("event":"put")", R"("event":"completed")"})
            for (int i = 0; i != 20; ++i)
                BOOST_TEST(listener.receive().elements.back().text.find(event) != std::string::npos);
    }
}

/// A list of so many would be searched, and all scores in it be read, for each job that is added.
BOOST_AUTO_TEST_CASE(are_locked_in_trees)
{
    managed_redis redis;
    take_jobs(redis, 20);
    for (const auto* key : {"ql:w:w:jobs", "ql:q:q-locks"})
        BOOST_TEST(redis.raw()("OBJECT", "ENCODING", key).text == "skiplist", key);
}

BOOST_AUTO_TEST_CASE(are_given_back_in_steps)
{
    managed_redis redis;
    take_jobs(redis, 501);
    BOOST_TEST(integers(redis.call("reconcile", {"120", "q", "w"})) == (list{500, 1}),
               boost::test_tools::per_element());
    BOOST_TEST(integers(redis.call("reconcile", {"120", "q", "w"})) == (list{1, 0}),
               boost::test_tools::per_element());
    BOOST_TEST(redis.raw()("ZCARD", "ql:q:q-work").integer == 501);
}

BOOST_AUTO_TEST_CASE(are_given_back_although_many_more_are_known)
{
    managed_redis redis;
    take_jobs(redis, 1200);
    std::vector<std::string> known{"120", "q", "w"};
    for (int i = 0; i != 1199; ++i) {
        known.push_back('j' + std::to_string(i));
        known.emplace_back();
    }
    BOOST_TEST(integers(redis.call("reconcile", known)) == (list{1, 0}), boost::test_tools::per_element());
    BOOST_TEST(redis.raw()("HGET", "ql:j:j1199", "state").text == "stalled");
}

BOOST_AUTO_TEST_CASE(say_no_more_when_all_fit_into_one_step)
{
    managed_redis redis;
    take_jobs(redis, 500);
    BOOST_TEST(integers(redis.call("reconcile", {"120", "q", "w"})) == (list{500, 0}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(are_recovered_in_steps)
{
    managed_redis redis;
    take_jobs(redis, 501);
    BOOST_TEST(integers(redis.call("recover", {"120", "120000", "w", "v"})) == (list{500, 0, 1}),
               boost::test_tools::per_element());
    BOOST_TEST(redis.raw()("ZCARD", "ql:workers").integer == 1);
    BOOST_TEST(integers(redis.call("recover", {"120", "120000", "w", "v"})) == (list{1, 0, 0}),
               boost::test_tools::per_element());
    BOOST_TEST(redis.raw()("EXISTS", "ql:workers").integer == 0);
    BOOST_TEST(redis.raw()("EXISTS", "ql:w:w:jobs").integer == 0);
    BOOST_TEST(redis.raw()("ZCARD", "ql:q:q-work").integer == 501);
}

BOOST_AUTO_TEST_CASE(are_settled_and_taken_at_once)
{
    managed_redis redis;
    take_jobs(redis, 500);
    std::vector<std::string> arguments{"120", "q", "w", "1000"};
    for (int i = 0; i != 500; ++i)
        for (const auto& word : {std::string{"2"}, std::string{"release"}, 'j' + std::to_string(i)})
            arguments.push_back(word);
    const auto answer = redis.call("ack_and_fetch", arguments);
    BOOST_TEST(answer.elements.at(0).elements.empty());
    BOOST_TEST(answer.elements.at(4).elements.size() == 5000);
}

BOOST_AUTO_TEST_CASE(are_forgotten_by_number_in_steps)
{
    managed_redis redis;
    take_jobs(redis, 600);
    complete_all(redis, "120", 600);
    redis.call("config_set", {"121", "jobs-history-count", "10"});
    BOOST_TEST(complete_another(redis, "122", "x") == 351);
    BOOST_TEST(complete_another(redis, "123", "y") == 102);
    BOOST_TEST(complete_another(redis, "124", "z") == 10);
    BOOST_TEST(redis.raw()("EXISTS", "ql:j:x", "ql:j:y", "ql:j:z").integer == 3);
    BOOST_TEST(redis.raw()("EXISTS", "ql:j:j0", "ql:j:j0-history").integer == 0);
}

BOOST_AUTO_TEST_CASE(are_forgotten_by_age_in_steps)
{
    managed_redis redis;
    take_jobs(redis, 300);
    complete_all(redis, "120", 300);
    redis.call("config_set", {"121", "jobs-history", "60"});
    BOOST_TEST(complete_another(redis, "200", "x") == 51);
    BOOST_TEST(complete_another(redis, "201", "y") == 2);
    BOOST_TEST(redis.raw()("EXISTS", "ql:j:x", "ql:j:y").integer == 2);
}

/// A take looks at the first of them, however many there are.
BOOST_AUTO_TEST_CASE(held_back_by_a_second_limit_cost_a_take_nothing)
{
    managed_redis redis;
    const std::string limits = R"(["tenant:1","all"])";
    const std::vector<std::vector<std::string>> all_options{
        {"limits", limits}, {"limits", limits, "group", "g"}, {"limits", limits, "order", "o"}};
    for (const auto& options : all_options) {
        const auto of_few = commands_of_takes(redis, 20, options);
        BOOST_TEST(commands_of_takes(redis, 2000, options) == of_few);
    }
}

/// A take looks at 128 of them, and at none a second time; the job behind them is found, and they keep their order.
BOOST_AUTO_TEST_CASE(of_a_kind_that_a_worker_does_not_handle_are_looked_at_once)
{
    constexpr int count = 20'000, in_a_call = 500;
    managed_redis redis;
    for (int first = 0; first != count; first += in_a_call) {
        std::vector<std::string> arguments{"100"};
        for (int i = first; i != first + in_a_call; ++i)
            for (const auto& word :
                 {std::string{"6"}, std::string{"w"}, std::string{"q"}, 'j' + std::to_string(i),
                  std::string{"other"}, std::string{"{}"}, std::string{"0"}})
                arguments.push_back(word);
        arguments.front() = std::to_string(100 + first / in_a_call);
        redis.call("put_many", arguments);
    }
    redis.call("put", {"200", "w", "q", "last", "k", "{}", "0"});
    const auto take = [&](const std::string& kinds) {
        return redis.call("ack_and_fetch", {"210", "q", "w", "1", "most", "1000000", "kinds", kinds})
            .elements.at(4);
    };
    int takes = 1;
    while (take("\n1:k\n").elements.empty() && takes <= count)
        ++takes;
    BOOST_TEST(takes == count / 128 + 1);
    const auto commands = [&] {
        const auto line = redis.raw().info("stats", "total_commands_processed");
        return std::stoll(line.substr(line.find(':') + 1));
    };
    const auto before = commands();
    BOOST_TEST(take("\n1:k\n").elements.empty());
    BOOST_TEST(commands() - before < 20);
    for (const auto* next : {"j0", "j1", "j2"})
        BOOST_TEST(take("\n5:other\n").elements.at(0).text == next);
}

BOOST_AUTO_TEST_CASE(that_waited_for_one_are_freed_in_steps)
{
    for (const auto& [script, arguments] : std::vector<std::pair<std::string, std::vector<std::string>>>{
             {"complete", {"110", "p", "w", "q", "{}"}},
             {"complete_many", {"110", "4", "p", "w", "q", "{}"}},
             {"ack_and_fetch", {"110", "q", "w", "0", "3", "complete", "p", "{}"}}}) {
        managed_redis redis;
        let_wait(redis, 1150);
        redis.call(script, arguments);
        BOOST_TEST(redis.raw()("HGET", "ql:j:p", "state").text == "complete");
        BOOST_TEST(freed(redis) == 200);
        BOOST_TEST(findings(redis) == 1u);         // `affected_left`: somebody has to go on
        redis.call("pop", {"111", "q", "w", "1"}); // of any queue
        BOOST_TEST(freed(redis) == 400);
        BOOST_TEST(
            integers(redis.try_call("holders", {"ql:workers", "ql:coworker:ended-parents"}, {"112", "w"}))
                .at(1) == 1);
        for (int i = 0; i != 3; ++i)
            BOOST_TEST(integers(redis.call("recover", {"112"})) == (list{0, 0, 1}));
        BOOST_TEST(freed(redis) == 1000);
        BOOST_TEST(integers(redis.call("recover", {"112"})) == (list{0, 0, 0}));
        BOOST_TEST(freed(redis) == 1150);
        BOOST_TEST(redis.raw()("ZCARD", "ql:q:other-depends").integer == 0);
        BOOST_TEST(redis.raw()("KEYS", "*-dependen*").elements.empty());
        BOOST_TEST(redis.raw()("KEYS", "ql:coworker:*").elements.empty());
    }
}

BOOST_AUTO_TEST_CASE(that_sleep_until_one_has_ended_are_woken_in_steps)
{
    constexpr int count = 450;
    for (const auto* end : {"complete", "fail", "cancel"}) {
        managed_redis redis;
        redis.call("put", {"90", "w", "r", "o", "k", "{}", "0"});
        redis.call("pop", {"95", "r", "v", "1"});
        take_jobs(redis, count);
        for (int i = 0; i != count; ++i)
            redis.call("ack_and_fetch", {"106", "q", "w", "0", "6", "release", 'j' + std::to_string(i), "job",
                                         "o", "0", "1000"});
        const auto woken = [&] { return redis.raw()("ZCARD", "ql:q:q-work").integer; };
        BOOST_TEST(woken() == 0);
        if (end == std::string{"complete"})
            redis.call("complete", {"110", "o", "v", "r", "{}"});
        else if (end == std::string{"fail"})
            redis.call("fail", {"110", "o", "v", "g", "m"});
        else
            redis.call("cancel", {"110", "o"});
        BOOST_TEST(woken() == 200);
        redis.call("recover", {"111"});
        BOOST_TEST(woken() == 400);
        redis.call("ack_and_fetch", {"112", "z", "v", "1"}); // of whichever queue
        BOOST_TEST(woken() == count);
        redis.call("ack_and_fetch", {"113", "z", "v", "1"});
        BOOST_TEST(
            redis
                .raw()("EXISTS", "ql:coworker:awaited", "ql:coworker:awaiting:o", "ql:coworker:ended-parents")
                .integer == 0);
    }
}

BOOST_AUTO_TEST_CASE(that_are_not_freed_yet_wait_for_another_job_of_the_same_id_if_they_are_put_again)
{
    managed_redis redis;
    let_wait(redis, 1200);
    redis.call("complete", {"110", "p", "w", "q", "{}"});
    redis.call("put", {"111", "w", "q", "p", "k", "{}", "0"});
    std::string waiting;
    for (int i = 0; i != 1200 && waiting.empty(); ++i)
        if (redis.raw()("HGET", "ql:j:j" + std::to_string(i), "state").text == "depends")
            waiting = 'j' + std::to_string(i);
    redis.call("put", {"112", "w", "other", waiting, "k", "{}", "0", "depends", R"(["p"])"});
    while (integers(redis.call("recover", {"113"})).at(2) != 0) {
    }
    BOOST_TEST(freed(redis) == 1199);
    BOOST_TEST(redis.raw()("HGET", "ql:j:" + waiting, "state").text == "depends");
    BOOST_TEST(findings(redis) == 0u);
    redis.call("pop", {"115", "q", "w", "1"});
    redis.call("complete", {"116", "p", "w", "q", "{}"});
    BOOST_TEST(freed(redis) == 1200);
}

BOOST_AUTO_TEST_CASE(that_are_not_freed_yet_wait_for_another_job_of_the_same_id_if_qless_puts_them_again)
{
    managed_redis redis;
    let_wait(redis, 1200);
    redis.call("complete", {"110", "p", "w", "q", "{}"});
    const auto waiting = redis.raw()("SRANDMEMBER", "ql:coworker:freed:p").text;
    // the writes of qless-core's `put` of both, which knows nothing of jobs that are set aside
    redis.raw()("ZREM", "ql:completed", "p");
    redis.raw()("HSET", "ql:j:p", "state", "waiting", "queue", "q");
    redis.raw()("ZADD", "ql:q:q-work", "1", "p");
    redis.raw()("SADD", "ql:j:p-dependents", waiting);
    redis.raw()("SADD", "ql:j:" + waiting + "-dependencies", "p");
    while (integers(redis.call("recover", {"113"})).at(2) != 0) {
    }
    BOOST_TEST(freed(redis) == 1199);
    BOOST_TEST(redis.raw()("HGET", "ql:j:" + waiting, "state").text == "depends");
    BOOST_TEST(findings(redis) == 0u);
    redis.call("pop", {"115", "q", "w", "1"});
    redis.call("complete", {"116", "p", "w", "q", "{}"});
    BOOST_TEST(freed(redis) == 1200);
}

BOOST_AUTO_TEST_CASE(that_are_not_freed_yet_are_freed_by_a_repair)
{
    managed_redis redis;
    let_wait(redis, 3000);
    redis.call("complete", {"110", "p", "w", "q", "{}"});
    BOOST_TEST(freed(redis) == 200);
    BOOST_TEST(findings(redis, {"repair"}) == 1u);
    BOOST_TEST(freed(redis) == 3000);
    BOOST_TEST(findings(redis) == 0u);
}

BOOST_AUTO_TEST_CASE(that_were_taken_one_by_one_are_renewed_in_trees)
{
    managed_redis redis;
    std::vector<std::string> renewal{"110", "q", "w"};
    for (int i = 0; i != 60; ++i) {
        const auto jid = 'j' + std::to_string(i);
        redis.call("put", {"100", "w", "q", jid, "k", "{}", "0"});
        redis.call("ack_and_fetch", {"105", "q", "w", "1"});
        renewal.push_back(jid);
    }
    for (const auto* key : {"ql:q:q-locks", "ql:w:w:jobs"})
        BOOST_TEST(redis.raw()("OBJECT", "ENCODING", key).text == "listpack");
    BOOST_TEST(redis.call("renew", renewal).elements.size() == 1u);
    for (const auto* key : {"ql:q:q-locks", "ql:w:w:jobs"}) {
        BOOST_TEST(redis.raw()("OBJECT", "ENCODING", key).text == "skiplist");
        BOOST_TEST(redis.raw()("ZCARD", key).integer == 60);
        BOOST_TEST(redis.raw()("ZCOUNT", key, "170", "170").integer == 60);
    }
}

BOOST_AUTO_TEST_CASE(that_have_failed_are_forgotten_in_steps)
{
    managed_redis redis;
    std::vector<std::string> arguments{"100"};
    for (int i = 0; i != 250; ++i)
        for (const auto& word :
             {std::string{"8"}, std::string{"w"}, std::string{"q"}, 'j' + std::to_string(i), std::string{"k"},
              std::string{"{}"}, std::string{"0"}, std::string{"options"},
              std::string{R"({"retention":10})"}})
            arguments.push_back(word);
    redis.call("put_many", arguments);
    redis.call("ack_and_fetch", {"105", "q", "w", "500"});
    for (int i = 0; i != 250; ++i)
        redis.call("fail", {"106", 'j' + std::to_string(i), "w", "g", "m"});
    for (const auto& [more, left] : std::vector<std::pair<int, int>>{{1, 150}, {1, 50}, {0, 0}}) {
        BOOST_TEST(integers(redis.call("note_minute", {"180", "0", "0"})).at(2) == more);
        BOOST_TEST(redis.raw()("LLEN", "ql:f:g").integer == left);
    }
}

BOOST_AUTO_TEST_CASE(that_are_not_freed_yet_are_freed_with_those_of_the_next_job_of_the_same_id)
{
    managed_redis redis;
    let_wait(redis, 1200);
    redis.call("complete", {"110", "p", "w", "q", "{}"});
    redis.call("put", {"111", "w", "q", "p", "k", "{}", "0"});
    put_dependents(redis, "next", 1100);
    redis.call("pop", {"112", "q", "w", "1"});
    redis.call("complete", {"113", "p", "w", "q", "{}"});
    BOOST_TEST(freed(redis) == 600); // at each step 200
    BOOST_TEST(findings(redis) == 1u);
    while (integers(redis.call("recover", {"114"})).at(2) != 0) {
    }
    BOOST_TEST(freed(redis) == 2300);
    BOOST_TEST(redis.raw()("KEYS", "*-dependen*").elements.empty());
}

BOOST_AUTO_TEST_CASE(that_are_due_are_moved_in_steps_by_those_who_look)
{
    managed_redis redis;
    for (int i = 0; i != 501; ++i)
        redis.call("put", {"100", "w", "q", 'j' + std::to_string(i), "k", "{}", "5"});
    redis.call("queues", {"110", "q"});
    BOOST_TEST(redis.raw()("ZCARD", "ql:q:q-work").integer == 500);
    redis.call("queues", {"110", "q"});
    BOOST_TEST(redis.raw()("ZCARD", "ql:q:q-work").integer == 501);
}

BOOST_AUTO_TEST_CASE(are_put_but_for_one_at_which_redis_fails)
{
    managed_redis redis;
    redis.raw()("HSET", "ql:j:x-history", "not", "a history");
    std::vector<std::string> arguments{"100"};
    for (const std::string jid : {"a", "x", "z"})
        for (const auto& word : {std::string{"6"}, std::string{"w"}, std::string{"q"}, jid, std::string{"k"},
                                 std::string{"{}"}, std::string{"0"}})
            arguments.push_back(word);
    const auto answer = redis.call("put_many", arguments);
    BOOST_TEST(answer.elements.at(0).text == "a");
    BOOST_TEST(answer.elements.at(1).elements.size() == 1u); // why not
    BOOST_TEST(answer.elements.at(2).text == "z");
    BOOST_TEST(redis.raw()("ZRANGE", "ql:q:q-work", 0, -1).texts() == (std::vector<std::string>{"z", "a"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(are_concluded_but_for_one_at_which_redis_fails)
{
    managed_redis redis;
    take_jobs(redis, 2);
    redis.call("put", {"106", "w", "q", "d", "k", "{}", "0", "depends", R"(["j0"])"});
    redis.raw()("SET", "ql:q:bad-work", "no sorted set");
    const auto answer = redis.try_call(
        "ack_and_fetch", {}, {"120", "q", "w", "0", "2", "done", "j0", "4", "done", "j1", "next", "bad"});
    BOOST_TEST(answer.elements.at(0).elements.at(0).integer == 2);
    BOOST_TEST(!redis.raw()("ZSCORE", "ql:q:q-locks", "j1").is_nil());
    BOOST_TEST(redis.raw()("ZRANGE", "ql:completed", 0, -1).texts() == std::vector<std::string>{"j0"},
               boost::test_tools::per_element());
    BOOST_TEST(redis.raw()("HGET", "ql:j:d", "state").text == "waiting");
    BOOST_TEST(redis.raw()("ZSCORE", "ql:q:q-locks", "j0").is_nil());
}

/// A monitor looks twice a second.
BOOST_AUTO_TEST_CASE(a_look_for_workers_lists_those_seen_lately_and_some_of_very_many_others)
{
    managed_redis redis;
    constexpr int others = 1000;
    const auto name = [](int number) {
        auto digits = std::to_string(number);
        return "host:" + std::string(32 - digits.size(), '0') + digits;
    };
    for (int i = 0; i != others; ++i)
        redis.call("sign_in", {"100", name(i)});
    redis.call("sign_in", {"1000", "host:fedcba9876543210fedcba9876543210"});
    std::set<std::string> listed;
    long long offset = 0;
    do {
        const auto answer = redis.call("known_workers", {"1001", std::to_string(offset)});
        const auto names = answer.elements.at(0).texts();
        BOOST_TEST(names.size() <= 201u);
        BOOST_TEST(names.at(0) == "host:fedcba9876543210fedcba9876543210");
        listed.insert(names.begin(), names.end());
        offset = answer.elements.at(3).integer;
    } while (offset != 0);
    BOOST_TEST(listed.size() == others + 1u);
    const auto answer =
        redis.try_call("holders", {"ql:workers", "ql:coworker:ended-parents"}, {"1001", "somebody"});
    BOOST_TEST(answer.elements.at(0).integer == 0);
}

std::vector<std::string> puts_of_delayed_jobs(int count)
{
    std::vector<std::string> arguments{"100"};
    for (int i = 0; i != count; ++i)
        for (const auto& word :
             {std::string{"6"}, std::string{"w"}, std::string{"q"}, 'j' + std::to_string(i), std::string{"k"},
              std::string{"{}"}, std::string{"10"}})
            arguments.push_back(word);
    return arguments;
}

/// Others wait for as long as a step takes, however many jobs are due.
BOOST_AUTO_TEST_CASE(a_take_moves_a_part_of_the_jobs_that_are_due)
{
    managed_redis redis;
    redis.call("put_many", puts_of_delayed_jobs(200));
    list left;
    for (int i = 0; i != 4; ++i) {
        redis.call("ack_and_fetch", {"120", "q", "w", "128"});
        left.push_back(redis.raw()("ZCARD", "ql:q:q-scheduled").integer);
    }
    BOOST_TEST((left == list{136, 72, 8, 0}));
    BOOST_TEST(redis.raw()("ZCARD", "ql:w:w:jobs").integer == 200);
}

BOOST_AUTO_TEST_CASE(a_pop_moves_as_many_due_jobs_as_it_asks_for)
{
    managed_redis redis;
    redis.call("put_many", puts_of_delayed_jobs(200));
    redis.call("pop", {"120", "q", "w", "150"});
    BOOST_TEST(redis.raw()("ZCARD", "ql:q:q-scheduled").integer == 50);
    BOOST_TEST(redis.raw()("ZCARD", "ql:w:w:jobs").integer == 150);
}

BOOST_AUTO_TEST_SUITE_END()
