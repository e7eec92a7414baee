// SPDX-License-Identifier: MIT
#include "script_test.hpp"

#include "list/start_time.hpp"

#include <algorithm>
#include <functional>

using namespace coworker::test;

BOOST_FIXTURE_TEST_SUITE(strike_off, script_test)

BOOST_AUTO_TEST_CASE(takes_the_names_of_dead_workers_and_keeps_their_numbers)
{
    check({.before = {{"workers", hash({"1", "a", "2", "b", "3", "c"})},
                      {"monitor", text("m")},
                      {"gone", hash({"1", "100"})}},
           .call = {"strike_off", {"m", "1700", "1", "a", "3", "c"}},
           .reply = {"2"},
           .after = {{"workers", hash({"1", "", "2", "b", "3", ""})},
                     {"monitor", text("m")},
                     {"gone", hash({"1", "1700", "3", "1700"})}}});
}

BOOST_AUTO_TEST_CASE(leaves_alone_who_has_left_or_goes_by_another_name)
{
    check({.before = {{"workers", hash({"2", "another"})}, {"monitor", text("m")}},
           .call = {"strike_off", {"m", "1700", "1", "a", "2", "b"}},
           .reply = {"0"},
           .after = {{"workers", hash({"2", "another"})}, {"monitor", text("m")}}});
}

BOOST_AUTO_TEST_CASE(does_nothing_while_another_one_is_the_monitor)
{
    const state before{{"workers", hash({"1", "a"})}, {"monitor", text("another")}};
    check({.before = before,
           .call = {"strike_off", {"m", "1700", "1", "a"}},
           .reply = {"-1"},
           .after = before});
}

BOOST_AUTO_TEST_CASE(goes_on_when_its_term_is_over_and_nobody_else_has_come)
{
    check({.before = {{"workers", hash({"1", "a"})}},
           .call = {"strike_off", {"m", "1700", "1", "a"}},
           .reply = {"1"},
           .after = {{"workers", hash({"1", ""})}, {"gone", hash({"1", "1700"})}}});
}

namespace {

/// A worker that is taken for dead and is not, the monitor that returns its job, and a worker that runs it again. Each
/// step is one call of one of them, as the library makes it.
struct sweep
{
    script_test& test;
    std::string outcome;  ///< how the first worker's run ends
    std::string held{};   ///< the start time that the first worker knows
    std::string number{}; ///< of that worker
    std::string second{}; ///< the start time that the second worker knows; empty: it has not got the job
    std::string looked = far_ahead; ///< when the monitor found the first worker dead
    int ends = 0;                   ///< outcomes that were accepted and end the job

    static constexpr auto payload = R"(["id",1])";

    void begin()
    {
        script_test::redis()("FLUSHALL");
        script_test::redis()("SET", "monitor", "m");
        script_test::redis()("LPUSH", "jobs", payload);
        held = take("first");
        number = script_test::redis()("HKEYS", "workers").texts().front();
    }

    std::string take(const std::string& name)
    {
        ack_and_fetch call{.count = 1, .name = name};
        (void)test.call(call);
        return script_test::redis()("HGET", "progress", payload).text;
    }

    void settle(const std::string& start, const std::string& name, const std::string& kind)
    {
        ack_and_fetch call{.name = name};
        if (kind == "success")
            call.succeeded = {{start, {payload}}};
        else
            call.others = {{payload, start, kind}};
        const bool is_accepted = test.call(call) == settled();
        if (is_accepted && (kind == "success" || kind == "failure"))
            ++ends;
    }

    // --- the first worker
    void renew()
    {
        const auto reply = test.call({"renew", {number, "first", "120000", payload, held, "0"}});
        if (reply.size() == 1)
            held = script_test::redis()("HGET", "progress", payload).text;
    }
    void answer() { settle(held, "first", outcome); }

    // --- the monitor
    void look() { looked = coworker::detail::format_start_time(server_now(), 999'999); }
    void strike() { (void)test.call({"strike_off", {"m", "1700", number, "first"}}); }
    void requeue() { (void)test.call(recovery{.threshold = token(0), .dead = {number}, .looked = looked}); }
    void forget() { script_test::redis()("HDEL", "workers", number); }

    // --- the second worker
    void take_again()
    {
        const auto waiting = script_test::redis()("LLEN", "jobs").integer;
        const auto start = take("second");
        if (waiting == 1)
            second = start;
    }
    void succeed()
    {
        if (!second.empty())
            settle(second, "second", "success");
    }

    static coworker::timestamp server_now()
    {
        const auto now = script_test::redis()("TIME").texts();
        return coworker::timestamp{std::chrono::seconds{std::stoll(now.at(0))} +
                                   std::chrono::microseconds{std::stoll(now.at(1))}};
    }

    std::int64_t places() const
    {
        auto& redis = script_test::redis();
        return redis("LLEN", "jobs").integer + redis("HLEN", "progress").integer +
               redis("HLEN", "shared").integer + redis("ZCARD", "scheduled").integer +
               redis("HLEN", "duplicates").integer;
    }
};

using step = void (sweep::*)();

/// All orders in which the steps of three can follow each other.
void in_every_order(const std::vector<std::vector<step>>& actors,
                    const std::function<void(const std::string& order, const std::vector<step>&)>& act)
{
    std::string order;
    for (std::size_t i = 0; i != actors.size(); ++i)
        order += std::string(actors[i].size(), static_cast<char>('0' + i));
    do {
        std::vector<std::size_t> next(actors.size());
        std::vector<step> steps;
        for (const char which : order) {
            const auto i = static_cast<std::size_t>(which - '0');
            steps.push_back(actors[i][next[i]++]);
        }
        act(order, steps);
    } while (std::next_permutation(order.begin(), order.end()));
}

} // namespace

BOOST_AUTO_TEST_CASE(no_step_of_a_sweep_lets_an_outcome_count_for_a_job_that_has_ended)
{
    // One that takes signs of life since its look for such, and one to which there are none.
    const std::vector<std::vector<step>> monitors{
        {&sweep::look, &sweep::strike, &sweep::requeue, &sweep::forget},
        {&sweep::strike, &sweep::requeue, &sweep::forget}};
    const std::vector<step> second{&sweep::take_again, &sweep::succeed};
    const std::vector<std::vector<step>> firsts{{&sweep::answer}, {&sweep::renew, &sweep::answer}};
    for (const char* outcome : {"success", "retry", "failure", "release"})
        for (const auto& first : firsts)
            for (const auto& monitor : monitors)
                in_every_order(
                    {first, monitor, second}, [&](const std::string& order, const std::vector<step>& steps) {
                        sweep all{*this, outcome};
                        all.begin();
                        for (const auto each : steps)
                            (all.*each)();
                        BOOST_TEST_CONTEXT(outcome << ", in the order " << order)
                        {
                            BOOST_TEST(all.ends <= 1);
                            BOOST_TEST(all.places() == 1 - all.ends); // neither lost nor there again
                        }
                    });
}

BOOST_AUTO_TEST_SUITE_END()
