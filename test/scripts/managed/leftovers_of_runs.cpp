// SPDX-License-Identifier: MIT
#include "leftovers.hpp"

/// What runs leave: results, checkpoints, steps and effects.
BOOST_AUTO_TEST_SUITE(leftovers_of_runs)

using namespace coworker::test::leftovers_of_managed;

BOOST_FIXTURE_TEST_CASE(of_results, user)
{
    const auto use = [&](const std::string& i) {
        put("j" + i);
        take();
        complete("j" + i, {"next", "other"});
        redis.call("ack_and_fetch", {"103", "other", "w", "5"});
        redis.call("complete", {"104", "j" + i, "w", "other", "{}", "result", "7", "keep", "60000"});
        put("lost" + i); // what its earlier run has returned goes when that one's would have gone
        take();
        complete("lost" + i, {"result", "8", "keep", "60000"});
        put("lost" + i);
        take();
        fail("lost" + i, "g" + i);
        redis.call("cancel", {"104", "lost" + i});
    };
    leftover results;
    for (int i = 0; i != times; ++i)
        for (const auto* name : {"j", "lost"})
            results["ql:coworker:result:" + (name + std::to_string(i))] = 1;
    check(use, results);
    check_exactly("ql:coworker:result:", results);
    if (is_later(std::chrono::seconds{61}))
        check_exactly("ql:coworker:result:", {});
    check_exactly("ql:j:", {});
}

BOOST_FIXTURE_TEST_CASE(of_checkpoints_and_progress, user)
{
    const auto note = [&](const std::string& jid) {
        redis.call("note", {"101", "q", "w", "8", jid, "", "progress", R"({"fraction":0.5})", "checkpoint",
                            "7", "log", R"([[0,"line"]])"});
    };
    check([&](const std::string& i) {
        for (const auto* name : {"done", "failed", "cancelled"}) {
            put(name + i);
            take();
            note(name + i);
            redis.call("retry", {"101", name + i, "q", "w", "0"});
            take();
            note(name + i);
        }
        complete("done" + i, {"checkpoint", "drop"});
        fail("failed" + i, "g" + i);
        redis.call("cancel", {"104", "failed" + i});
        redis.call("cancel", {"104", "cancelled" + i});
    });
    check_exactly("ql:j:", {});
}

BOOST_FIXTURE_TEST_CASE(of_checkpoints_of_a_job_that_stays, user)
{
    put("j");
    long long fields = 0;
    for (int i = 0; i != times; ++i) {
        take();
        redis.call("note", {"101", "q", "w", "4", "j", "", "checkpoint", "[" + std::to_string(i) + ",7]"});
        complete("j", {"next", "q", "checkpoint", "drop"});
        if (i == 0)
            fields = size_of(redis, "ql:j:j");
    }
    BOOST_TEST(size_of(redis, "ql:j:j") == fields);
    BOOST_TEST(redis.raw()("HEXISTS", "ql:j:j", "checkpoint").integer == 0);
}

BOOST_FIXTURE_TEST_CASE(of_steps, user)
{
    const auto store = [&](const std::string& jid, const std::string& step) {
        redis.call("step_set", {"101", "q", "w", "4", jid, "", step, "7"});
    };
    check([&](const std::string& i) {
        for (const auto* name : {"done", "forwarded", "failed", "cancelled"}) {
            put(name + i);
            take();
            store(name + i, "first");
            redis.call("retry", {"101", name + i, "q", "w", "0"});
            take();
            store(name + i, "second");
        }
        complete("done" + i);
        complete("forwarded" + i, {"next", "other"});
        redis.call("ack_and_fetch", {"103", "other", "w", "5"});
        redis.call("complete", {"104", "forwarded" + i, "w", "other", "{}"});
        fail("failed" + i, "g" + i);
        redis.call("cancel", {"104", "failed" + i});
        redis.call("cancel", {"104", "cancelled" + i});
    });
    check_exactly("ql:j:", {});
}

BOOST_FIXTURE_TEST_CASE(of_steps_of_a_job_that_stays, user)
{
    put("j");
    long long fields = 0;
    for (int i = 0; i != times; ++i) {
        take();
        for (const auto* step : {"first", "second"})
            redis.call("step_set", {"101", "q", "w", "4", "j", "", step + std::to_string(i), "7"});
        complete("j", {"next", "q"});
        if (i == 0)
            fields = size_of(redis, "ql:j:j");
    }
    BOOST_TEST(size_of(redis, "ql:j:j") == fields);
    BOOST_TEST(redis.raw()("HEXISTS", "ql:j:j", "steps").integer == 0);
}

BOOST_FIXTURE_TEST_CASE(of_sleep_and_signals, user)
{
    const auto sleep = [&](const std::string& jid) {
        redis.call("await", {"101", jid, "w", "", "signal", "yes", "1", "60"});
        redis.call("ack_and_fetch",
                   {"101", "q", "w", "0", "7", "release", jid, "signal", "yes", "1", "60", "0"});
    };
    check([&](const std::string& i) {
        for (const auto* name : {"done", "failed", "cancelled"}) {
            put(name + i);
            take();
            sleep(name + i);
            redis.call("signal", {"102", name + i, "yes", "[7]"});
            redis.call("signal", {"102", name + i, "no", "[8]"});
        }
        for (int runs = 0; runs != 3; ++runs)
            take();
        complete("done" + i, {"checkpoint", "drop"});
        fail("failed" + i, "g" + i);
        redis.call("cancel", {"104", "failed" + i});
        redis.call("cancel", {"104", "cancelled" + i});
    });
    check_exactly("ql:j:", {});
}

BOOST_FIXTURE_TEST_CASE(of_waits_for_other_jobs, user)
{
    check([&](const std::string& i) {
        for (const auto* name : {"done", "failed", "cancelled", "late"}) {
            put("other-" + (name + i));
            put(name + i);
            take();
            take();
            redis.call("ack_and_fetch", {"101", "q", "w", "0", "6", "release", name + i, "job",
                                         "other-" + (name + i), "0", "60"});
        }
        complete("other-done" + i);
        fail("other-failed" + i, "g" + i);
        redis.call("cancel", {"103", "cancelled" + i});
        for (int runs = 0; runs != 2; ++runs)
            take();
        for (const auto* name : {"done", "failed"})
            complete(name + i, {"checkpoint", "drop"});
        redis.call("ack_and_fetch", {"200", "q", "w", "5"});
        redis.call("await", {"200", "late" + i, "w", "", "job", "other-late" + i, "1", "60"});
        redis.call("cancel",
                   {"204", "late" + i, "other-late" + i, "other-failed" + i, "other-cancelled" + i});
    });
    check_exactly("ql:j:", {});
    BOOST_TEST(redis.raw()("EXISTS", "ql:coworker:awaited").integer == 0);
}

BOOST_FIXTURE_TEST_CASE(of_signals_of_a_job_that_stays, user)
{
    put("j");
    long long fields = 0;
    for (int i = 0; i != times; ++i) {
        take();
        redis.call("signal", {"101", "j", "n" + std::to_string(i), "7"});
        redis.call("await", {"101", "j", "w", "", "signal", "n" + std::to_string(i), "1", "60"});
        complete("j", {"next", "q", "checkpoint", "drop"});
        if (i == 0)
            fields = size_of(redis, "ql:j:j");
    }
    BOOST_TEST(size_of(redis, "ql:j:j") == fields);
}

BOOST_FIXTURE_TEST_CASE(of_effects, user)
{
    const auto end = [&](const std::string& jid, const words& effects) {
        words arguments{"102",     "q", "w",        "0", std::to_string(effects.size() + 4),
                        "effects", jid, "k:effects"};
        arguments.insert(arguments.end(), effects.begin(), effects.end());
        arguments.push_back("done");
        redis.call("ack_and_fetch", arguments);
    };
    check(
        [&](const std::string& i) {
            put("j" + i);
            take();
            end("j" + i, {"2", "4", "HINCRBY", "stats", "done", "1", "7", "put", "w", "q", "child" + i, "k",
                          "{}", "0"});
            take();
            complete("child" + i);
            put("odd" + i); // the second of its effects cannot be carried out, so none is
            take();
            end("odd" + i, {"2", "7", "put", "w", "q", "none" + i, "k", "{}", "0", "3", "SADD", "stats", i});
            redis.call("cancel", {"104", "odd" + i});
        },
        {{"stats", 1}});
    check_exactly("ql:j:", {});
    check_exactly("ql:f", {});
    BOOST_TEST(redis.raw()("HGET", "stats", "done").text == std::to_string(times));
}

BOOST_AUTO_TEST_SUITE_END()
