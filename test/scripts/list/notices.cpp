// SPDX-License-Identifier: MIT
#include "leftovers.hpp"

using namespace coworker::test;

namespace {

/// A worker of a queue without a name, since its keys are called as in the scripts' headers.
struct notices_test : queue_user
{
    static constexpr auto jobs = "hworker-jobs-:notices", about = "hworker-counters-:notices";

    notices_test() { redis()("HSET", "counters", "notices", 0); }

    static std::size_t count() { return std::size_t(redis()("LLEN", jobs).integer); }
    static std::string latest() { return redis()("LINDEX", jobs, 0).text; }
    static bool says(const std::string& part) { return latest().find(part) != std::string::npos; }
    static std::string state_of_queue() { return redis()("HGET", "notices", "q").text; }

    void run(const std::string& payload, const std::string& outcome)
    {
        push(payload);
        take();
        end(payload, outcome);
    }

    static int watch(const std::string& is_deserted, const std::string& patience = "60")
    {
        return int(call({"redis/watch_notices", {"q", is_deserted, patience, ":notices", "mail", "managed"}})
                       .integer);
    }
};

} // namespace

BOOST_FIXTURE_TEST_SUITE(notices, notices_test)

BOOST_AUTO_TEST_CASE(are_written_of_jobs_that_have_failed_or_are_broken)
{
    run(R"(["first",1])", "failure");
    BOOST_TEST(count() == 1);
    BOOST_TEST(says(R"("type":"job.failed")"));
    BOOST_TEST(says(R"("layout":"list","state":"failed","id":"first","attempts":"1","message":"why"})"));
    run(R"(["second",1])", "broken");
    BOOST_TEST(count() == 2);
    BOOST_TEST(says(R"("state":"broken","id":"second")"));
    push(R"(["third",")" + std::string(1'048'576, 'x') + "\"]");
    call(ack_and_fetch{.count = 1, .deliverable = 1'048'576});
    BOOST_TEST(count() == 3);
    BOOST_TEST(says(R"("state":"broken","id":"third")"));
}

BOOST_AUTO_TEST_CASE(are_not_written_of_other_ends)
{
    for (const auto* outcome : {"success", "retry", "release"}) {
        run(std::string{R"([")"} + outcome + "\",1]", outcome);
        take();
    }
    push("cancelled");
    take();
    act({"cancel", "running", "cancelled"});
    BOOST_TEST(count() == 0);
}

BOOST_AUTO_TEST_CASE(are_not_written_of_a_queue_that_has_none)
{
    redis()("HDEL", "counters", "notices");
    run("a", "failure");
    run("b", "broken");
    BOOST_TEST(count() == 0);
    BOOST_TEST(redis()("EXISTS", about).integer == 0);
}

/// An equal job that waited for the failed one fails by itself: two ends, two notices.
BOOST_AUTO_TEST_CASE(are_written_once_for_each_of_equal_jobs)
{
    for (int copies = 0; copies != 2; ++copies)
        push("same");
    take(2);
    end("same", "failure");
    BOOST_TEST(count() == 1);
    take();
    end("same", "failure");
    BOOST_TEST(count() == 2);
}

BOOST_AUTO_TEST_CASE(have_an_id_that_tells_when_and_is_used_once)
{
    each([&](const std::string& i) { run("j" + i, "failure"); });
    std::map<std::string, int> ids;
    const auto minute = server_micros() / 1000 / 65536;
    for (const auto& payload : redis()("LRANGE", jobs, 0, -1).texts()) {
        const auto id = payload.substr(2, 36);
        ++ids[id];
        BOOST_TEST(id.substr(13, 2) == "-7");
        BOOST_TEST(minute - std::stoll(id.substr(0, 8), nullptr, 16) <= 2);
    }
    BOOST_TEST(ids.size() == std::size_t(times));
    BOOST_TEST(same(sizes(), {{"counters", 4},
                              {"workers", 1},
                              {"failed", limit},
                              {"failures", limit},
                              {jobs, times},
                              {about, 1}})); // failure, notices, workers, dropped
}

BOOST_AUTO_TEST_CASE(keep_bytes_that_are_no_text_and_cut_long_messages)
{
    ack_and_fetch step{.name = "w"};
    push("a");
    take();
    step.others = {
        {"a", redis()("HGET", "progress", "a").text, "failure", 1, 0, "\xff\n" + std::string(10'000, 'm')}};
    call(step);
    BOOST_TEST(says("\"message\":\"\\u00ff\\n" + std::string(4094, 'm') + "\"}"));
}

BOOST_AUTO_TEST_CASE(that_wait_are_kept_and_later_ones_dropped_when_there_are_very_many)
{
    for (int i = 0; i != 9'998; ++i)
        redis()("LPUSH", jobs, i);
    redis()("ZADD", "hworker-scheduled-:notices", 1, "x"); // is to be sent again
    run("a", "failure");
    run("b", "failure");
    BOOST_TEST(count() == 9'999);
    BOOST_TEST(says("\"id\":\"\"")); // of `a`
    BOOST_TEST(redis()("HGET", about, "dropped").text == "1");
}

BOOST_AUTO_TEST_CASE(keep_no_job_from_failing_that_cannot_be_written)
{
    redis()("SET", jobs, "x");
    run("a", "failure");
    redis()("DEL", jobs);
    redis()("HSET", about, "sequence", "x");
    run("b", "failure");
    BOOST_TEST(redis()("LLEN", "failed").integer == 2);
}

// --- queues without workers ----------------------------------------------------------

BOOST_AUTO_TEST_CASE(are_not_written_of_a_queue_that_nobody_asked_about)
{
    BOOST_TEST(watch("1", "0") == -1);
    BOOST_TEST(count() == 0);
    BOOST_TEST(redis()("EXISTS", "notices").integer == 0);
}

BOOST_AUTO_TEST_CASE(tell_once_that_a_queue_has_no_worker_and_once_that_it_has)
{
    redis()("HSET", "notices", "q", 0);
    BOOST_TEST(watch("0", "0") == 0);
    BOOST_TEST(watch("1", "0") == 1);
    BOOST_TEST(says(R"("type":"queue.no_worker")"));
    BOOST_TEST(says(R"("queue":"mail","layout":"managed","since":")"));
    BOOST_TEST(watch("1", "0") == 0);
    BOOST_TEST(count() == 1);
    BOOST_TEST(watch("0", "0") == 1);
    BOOST_TEST(says(R"("type":"queue.has_worker")"));
    BOOST_TEST(watch("0", "0") == 0);
    BOOST_TEST(count() == 2);
    BOOST_TEST(state_of_queue() == "0");
}

BOOST_AUTO_TEST_CASE(tell_nothing_of_a_queue_that_has_none_for_a_short_time)
{
    redis()("HSET", "notices", "q", 0);
    const auto now = server_micros() / 1'000'000;
    BOOST_TEST(watch("1") == 0);
    BOOST_TEST(std::stoll(state_of_queue()) >= now);
    BOOST_TEST(watch("0") == 0);
    BOOST_TEST(state_of_queue() == "0");
    redis()("HSET", "notices", "q", now - 59);
    BOOST_TEST(watch("1", "3600") == 0);
    BOOST_TEST(watch("1", "59") == 1);
    BOOST_TEST(state_of_queue() == std::to_string(59 - now));
}

BOOST_AUTO_TEST_CASE(begin_anew_where_the_time_lies_ahead_or_is_none)
{
    for (const auto* stored : {"99999999999", "x"}) {
        redis()("HSET", "notices", "q", stored);
        BOOST_TEST(watch("1") == 0);
        BOOST_TEST(std::stoll(state_of_queue()) <= server_micros() / 1'000'000);
    }
}

BOOST_AUTO_TEST_SUITE_END()
