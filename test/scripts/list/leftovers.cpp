// SPDX-License-Identifier: MIT
#include "leftovers.hpp"

using namespace coworker::test;

/// What is left when each feature has been used a thousand times, with names of its own each time: the table "What goes, and
/// when" of docs/list-protocol.md. What time alone removes is in leftovers_by_time.cpp.
BOOST_FIXTURE_TEST_SUITE(leftovers, queue_user)

BOOST_AUTO_TEST_CASE(of_jobs_that_succeed)
{
    each([&](const std::string& i) {
        push("j" + i);
        take();
        end("j" + i, "success");
    });
    check({{"counters", 5}}); // success, workers; and noted: success, failure, retry
}

BOOST_AUTO_TEST_CASE(of_jobs_that_are_retried)
{
    each([&](const std::string& i) {
        push("j" + i);
        take();
        end("j" + i, "retry", 3'600'000);
        make_due();
        take();
        end("j" + i, "retry");
        take();
        end("j" + i, "success");
    });
    check({{"counters", 7}}); // also: retry, sequence
}

BOOST_AUTO_TEST_CASE(of_jobs_that_are_released)
{
    each([&](const std::string& i) {
        push("j" + i);
        take();
        end("j" + i, "release");
        take();
        end("j" + i, "success");
    });
    check({{"counters", 6}}); // also: release
}

BOOST_AUTO_TEST_CASE(of_jobs_that_are_deleted_while_they_wait)
{
    each([&](const std::string& i) {
        push("a" + i);
        push("b" + i);
    });
    take(2 * times);
    each([&](const std::string& i) {
        end("a" + i, "retry");
        end("b" + i, "retry", 3'600'000);
    });
    leave(); // from now on there is no monitor either
    each([&](const std::string& i) { act({"delete", "waiting", "a" + i, "scheduled", first_scheduled()}); });
    BOOST_TEST(same(sizes(), {{"counters", 3}})); // retry, sequence, workers
}

BOOST_AUTO_TEST_CASE(of_scheduled_jobs)
{
    each([&](const std::string& i) {
        call(push_later("+3600000", {"j" + i}));
        make_due();
        take();
        end("j" + i, "success");
        call(push_later("@4000000000000", {"gone" + i}));
        act({"delete", "scheduled", first_scheduled()});
        call({"submit", {"0", "1", "", "now" + i, "+3600000"}});
        act({"run", "scheduled", first_scheduled()});
        take();
        end("now" + i, "success");
    });
    check({{"counters", 6}}); // success, sequence, workers; and noted
}

BOOST_AUTO_TEST_CASE(of_schedules)
{
    each([&](const std::string& i) {
        const auto name = "s" + i;
        set_schedule(name, std::stoi(i) % 2 == 0 ? "" : "3600");
        call({"schedule_fire", {"server", "5", name, "1", "60", "120", "60"}});
        call({"schedule_act", {"server", "pause", name}});
        call({"schedule_run", {"server", name}});
        call({"schedule_act", {"server", "remove", name}});
        make_due();
        take(10);
        for (const auto& payload : redis()("HKEYS", "progress").texts())
            end(payload, "success");
    });
    check({{"counters", 6}}); // success, sequence, workers; and noted
}

BOOST_AUTO_TEST_CASE(of_jobs_with_an_id_that_tells_no_time)
{
    each([&](const std::string& i) {
        call({"submit", {"0", "1", "", "j" + i}}); // notes since when it waits
        take();
        end("j" + i, "success");
    });
    check({{"counters", 5}});
}

BOOST_AUTO_TEST_CASE(of_failed_jobs)
{
    each([&](const std::string& i) {
        push("j" + i);
        take();
        end("j" + i, "retry");
        take();
        end("j" + i, "failure");
    });
    check({{"failed", limit}, {"failures", limit}, {"counters", 7}}); // also: retry, failure, dropped

    for (int i = times - limit; i != times; ++i) {
        const auto name = "j" + std::to_string(i);
        act({i % 2 == 0 ? "delete" : "retry", "failed", name});
        if (i % 2 == 0)
            continue;
        take();
        end(name, "success");
    }
    check({{"counters", 8}}); // also: success
}

BOOST_AUTO_TEST_CASE(of_broken_jobs)
{
    each([&](const std::string& i) {
        push("j" + i);
        take();
        end("j" + i, "retry");
        take();
        end("j" + i, "broken");
        if (std::stoi(i) % 50 == 0) // is set aside, not taken
            push(std::string(1'048'576, 'x') + i);
        call(ack_and_fetch{.count = 1, .broken_limit = limit, .deliverable = 1'048'576});
        redis()("HSET", "broken", "peer's " + i, token(0));
    });
    const auto kept = limit + 1; // what a peer has put there itself goes with the next one
    auto found = sizes();
    BOOST_TEST(found.at("broken") == kept);
    BOOST_TEST(found.at("found") <= kept);
    BOOST_TEST(found.at("reasons") == found.at("found"));

    for (const auto& payload : redis()("HKEYS", "broken").texts()) {
        act({"retry", "broken", payload});
        call(ack_and_fetch{.count = 1});
        end(payload, "success");
    }
    // broken, dropped_broken, retry, success, workers; and noted
    check({{"counters", 8}});
}

BOOST_AUTO_TEST_CASE(of_cancelled_runs)
{
    each([&](const std::string& i) {
        for (int copies = 0; copies != 2; ++copies)
            push("j" + i);
        take(2); // one waits for the other
        act({"cancel", "running", "j" + i});
        take();
        end("j" + i, "success");
    });
    // The notes stay for a day. Who cancels does not know how many failed jobs are kept: they stay until a worker's job fails.
    check({{"failed", times}, {"failures", times}, {"cancelled", times}, {"counters", 6}});
    for (int i = 0; i != limit; ++i) {
        const auto name = "failing" + std::to_string(i);
        push(name);
        take();
        end(name, "failure");
    }
    check({{"failed", limit}, {"failures", limit}, {"cancelled", times}, {"counters", 7}});
}

BOOST_AUTO_TEST_CASE(of_duplicates)
{
    each([&](const std::string& i) {
        for (int copies = 0; copies != 4; ++copies)
            push("j" + i);
        take(4);
        end("j" + i, "retry");
        for (const auto* kind : {"release", "success", "success", "success", "success"}) {
            take();
            end("j" + i, kind);
        }
    });
    check({{"counters", 7}}); // success, retry, release, workers; and noted
}

BOOST_AUTO_TEST_CASE(of_jobs_that_run_beside_a_peers_equal_one)
{
    const std::string peers = R"("2026-11-21T09:54:29.612715072Z")";
    each([&](const std::string& i) {
        push("j" + i);
        take();
        const auto started = redis()("HGET", "progress", "j" + i).text;
        redis()("HSET", "progress", "j" + i, peers);
        call({"renew", {number(), "w", "120000", "j" + i, started, "0"}});
        const auto renewed = redis()("HGET", "shared", "j" + i).text;
        if (std::stoi(i) % 2 == 0)
            redis()("HDEL", "progress", "j" + i); // the peer ends first
        end("j" + i, "success", 0, renewed);
        redis()("HDEL", "progress", "j" + i);
    });
    check({{"counters", 5}});
}

BOOST_AUTO_TEST_CASE(of_jobs_that_vanish_with_peers)
{
    each([&](const std::string& i) {
        for (const auto* name : {"retried", "released", "broken", "failed", "twice", "twice"})
            push(name + i);
        take(6);
        for (const auto* name : {"retried", "released", "broken", "failed"})
            end(name + i, name == std::string{"retried"}    ? "retry"
                          : name == std::string{"released"} ? "release"
                          : name == std::string{"broken"}   ? "broken"
                                                            : "failure");
        redis()("HDEL", "progress", "twice" + i); // a monitor of theirs has returned it, and it is done
        for (const auto* key : {"jobs", "failed"})
            redis()("DEL", key);
        redis()("HDEL", "broken", "broken" + i);
    });
    tidy();
    // each duplicate has come back, and is done now
    take(times);
    for (const auto& payload : redis()("HKEYS", "progress").texts())
        end(payload, "success");
    tidy();                   // while so many waited, the attempts could not be told apart
    check({{"counters", 9}}); // each outcome, workers; and noted
}

BOOST_AUTO_TEST_CASE(of_broken_jobs_that_peers_remove_while_older_ones_stay)
{
    constexpr auto kept = limit - 5;
    const auto end_broken = [&](const std::string& name) {
        push(name);
        take();
        end(name, "broken");
    };
    for (int i = 0; i != kept; ++i)
        end_broken("stays" + std::to_string(i));
    each([&](const std::string& i) {
        end_broken("j" + i);
        redis()("HDEL", "broken", "j" + i);
    });
    tidy();
    const auto found = sizes();
    BOOST_TEST(found.at("broken") == kept);
    BOOST_TEST(found.at("found") == kept);
    BOOST_TEST(found.at("reasons") == kept);
}

BOOST_AUTO_TEST_CASE(of_workers_that_come_and_go)
{
    each([&](const std::string& i) {
        push("j" + i);
        take(1, "w" + i);
        end("j" + i, "success");
        leave();
    });
    check({{"counters", 5}});
}

BOOST_AUTO_TEST_CASE(of_workers_that_die)
{
    each([&](const std::string& i) {
        push("j" + i);
        take(1, "w" + i);
        die();
        take(1, "alive");
        end("j" + i, "success");
    });
    leave();
    check({{"counters", 6}}); // success, recovered, workers; and noted
}

BOOST_AUTO_TEST_CASE(of_a_queue_that_is_deleted)
{
    redis()("HSET", "gone", "1", "1");
    redis()("SET", "monitor", "w");
    each([&](const std::string& i) {
        for (const auto* name : {"a", "b", "c", "c", "d", "e", "f"})
            push(name + i);
        take(100); // also the one that the last turn has retried
        end("a" + i, "retry");
        end("b" + i, "retry", 3'600'000);
        end("d" + i, "failure");
        end("e" + i, "broken");
        act({"cancel", "running", "f" + i});
        redis()("HSET", "shared", "c" + i, token(1));
        call({"submit", {"60000", "1", "id" + i, "g" + i}});
        call({"note_remote", {"http" + i, "300000"}});
        set_schedule("s" + i);
    });
    tidy();
    redis()("SET", "paused", "1");
    redis()("RPUSH", "purged", "a");   // a purge was killed
    BOOST_TEST(sizes().size() == 24u); // all but `partitions`, which is no key of the script's
    call({"delete_queue", {"1"}});
    BOOST_TEST(same(sizes(), {}));
}

BOOST_AUTO_TEST_SUITE_END()
