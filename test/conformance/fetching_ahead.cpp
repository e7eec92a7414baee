// SPDX-License-Identifier: MIT
#include "conformance/worker_test.hpp"

#include <boost/asio/post.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Jobs that are fetched before there is a place for them: where handlers end soon, and only there.
BOOST_AUTO_TEST_SUITE(fetching_ahead)

namespace {

/// So many that at some time enough handlers in a row have been short, on whatever machine.
constexpr std::int64_t many = 3'000;

worker_options with_places(std::size_t places)
{
    worker_options options;
    options.concurrency = places;
    return options;
}

/// Handlers that end at once, until the worker has more jobs than places; from then on each waits for the gate.
struct slowing_worker
{
    slowing_worker(source_kind& kind, std::size_t all) : on{kind, with_places(all)}, places{all} {}

    test_worker on;
    std::size_t places;
    std::size_t ran = 0;
    std::size_t held = 0;               ///< how many jobs it had then
    std::function<void()> on_slow = {}; ///< called then

    void start()
    {
        on.start([this, hold = on.hold()](std::string job) -> asio::awaitable<void> {
            ++ran;
            if (held == 0 && on.subject.running() > places) {
                held = on.subject.running();
                if (on_slow)
                    on_slow();
            }
            if (held != 0)
                co_await hold(job);
        });
    }
};

} // namespace

BOOST_AUTO_TEST_CASE(a_job_does_not_wait_in_one_worker_while_another_has_a_place)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        push_all(kind, numbered(30));
        test_worker one{kind, with_places(4)}, two{kind, with_places(4)};
        one.start(one.hold());
        co_await one.events.wait_for(event_kind::started, 4);
        two.start(two.hold());
        co_await two.events.wait_for(event_kind::started, 4);
        co_await let_pass(20ms); // for as long as they run
        BOOST_TEST(kind.running() == 8);
        BOOST_TEST(one.subject.running() == 4u);
        BOOST_TEST(two.subject.running() == 4u);
        one.open_gate();
        two.open_gate();
        co_await eventually("all have run", [&] { return kind.succeeded() == 30; });
        co_await one.stop();
        co_await two.stop();
    });
}

BOOST_AUTO_TEST_CASE(more_jobs_are_fetched_than_run_together_and_no_more_run_together_than_there_are_places)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        test_worker one{kind, with_places(3)};
        std::size_t together = 0, most = 0, held = 0;
        std::int64_t pushed = 0;
        const auto push_more = [&] {
            for (const auto until = pushed + 1'000; pushed != until; ++pushed)
                kind.push("job" + std::to_string(pushed));
        };
        push_more();
        one.start([&](std::string) -> asio::awaitable<void> {
            most = std::max(most, ++together);
            held = std::max(held, one.subject.running());
            co_await asio::post(one.subject.get_executor(), asio::use_awaitable);
            --together;
        });
        co_await eventually("all have run", [&] { return kind.succeeded() == pushed; });
        while (held <= 3 && pushed < 30'000) { // on a busy machine, handlers in a row are seldom short
            push_more();
            co_await eventually("all have run", [&] { return kind.succeeded() == pushed; });
        }
        co_await one.stop();
        BOOST_TEST(most == 3u);
        BOOST_TEST(held > 3u);
        BOOST_TEST(one.events.count(event_kind::started) == static_cast<std::size_t>(pushed));
    });
}

BOOST_AUTO_TEST_CASE(what_was_fetched_ahead_goes_back_when_handlers_become_slow)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        push_all(kind, numbered(many));
        slowing_worker one{kind, 4};
        one.start();
        co_await one.on.events.wait_for(event_kind::released);
        co_await eventually("it has only those that run", [&] { return one.on.subject.running() == 4; });
        test_worker two{kind, with_places(1)};
        two.open_gate();
        two.start(two.hold());
        co_await eventually("the other worker has run the rest",
                            [&] { return kind.succeeded() == many - 4; });
        BOOST_TEST(kind.running() == 4);
        BOOST_TEST(one.on.subject.running() == 4u);
        one.on.open_gate();
        co_await eventually("all have run", [&] { return kind.succeeded() == many; });
        for (const auto* each : {&one.on, &two})
            for (const auto attempt : each->attempts())
                BOOST_TEST(attempt == 1u);
        co_await one.on.stop();
        co_await two.stop();
    });
}

BOOST_AUTO_TEST_CASE(what_was_fetched_ahead_goes_back_first_when_the_worker_stops)
{
    for_each_kind([](source_kind& kind) -> asio::awaitable<void> {
        push_all(kind, numbered(many));
        slowing_worker one{kind, 4};
        one.on_slow = [&] { one.on.subject.stop(); };
        one.start();
        co_await eventually("what has not started is back", [&] {
            return one.held != 0 && kind.waiting() == many - static_cast<std::int64_t>(one.ran);
        });
        BOOST_TEST(kind.running() == 1);
        BOOST_TEST(!one.on.running().has_ended());
        one.on.open_gate();
        co_await one.on.running().join();
        const auto ran = static_cast<std::ptrdiff_t>(one.ran);
        BOOST_TEST(one.on.events.count(event_kind::started) == one.ran);
        BOOST_TEST(kind.succeeded() == ran);
        auto left = kind.waiting_ids();
        auto expected = numbered(many);
        expected.erase(expected.begin(), expected.begin() + ran);
        if (!kind.keeps_order()) {
            std::sort(left.begin(), left.end());
            std::sort(expected.begin(), expected.end());
        }
        BOOST_TEST(left == expected, boost::test_tools::per_element());
        BOOST_TEST(kind.left_of_workers() == "");
    });
}

BOOST_AUTO_TEST_SUITE_END()
