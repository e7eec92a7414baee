// SPDX-License-Identifier: MIT
#include "support/client_list.hpp"
#include "support/client_test.hpp"

#include "coworker/metrics.hpp"

#include <boost/test/unit_test.hpp>

#include <iostream>
#include <set>
#include <sstream>
#include <stdexcept>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(observers)

namespace {

struct observer_test : client_test
{
    /// The kinds that were told of one job, in order.
    std::vector<event_kind> told_of(const std::string& id) const
    {
        std::vector<event_kind> kinds;
        for (const auto& each : events.all())
            if (each.job_id == id)
                kinds.push_back(each.kind);
        return kinds;
    }

    void check_told_of(const std::string& id, const std::vector<event_kind>& expected) const
    {
        BOOST_TEST((told_of(id) == expected), id << " in: " << events.tell());
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(the_life_of_a_job_is_told_in_order, observer_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1, {.id = "one"});
        worker subject{redis, observed()};
        subject.handle(numbers, [](int) -> asio::awaitable<void> { co_await let_pass(20ms); });
        co_await work(subject, 1);
        std::vector<event_kind> kinds;
        for (const auto& each : events.all())
            kinds.push_back(each.kind);
        const std::vector<event_kind> expected{event_kind::fetched, event_kind::started,
                                               event_kind::succeeded, event_kind::stopping,
                                               event_kind::stopped};
        BOOST_TEST((kinds == expected), events.tell());

        const auto& all = events.all();
        BOOST_REQUIRE(all.size() == 5u);
        BOOST_TEST(all[0].queue == "numbers");
        BOOST_TEST(all[0].count == 1u);
        for (const std::size_t i : {1u, 2u}) {
            BOOST_TEST(all[i].queue == "numbers");
            BOOST_TEST(all[i].job_id == "one");
            BOOST_TEST(all[i].attempt == 1u);
        }
        BOOST_TEST((all[2].duration >= 20ms));
        BOOST_TEST(all[3].count == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(every_end_of_a_handler_is_told_with_its_members, observer_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1, {.id = "again"});
        co_await numbers.async_push(2, {.id = "fails"});
        co_await numbers.async_push(3, {.id = "throws"});
        push_raw(R"(["breaks","no number"])");
        push_raw("no json");
        worker subject{redis, observed()};
        const auto handler = [](int n, job_context& context) -> outcome {
            if (n == 3)
                throw std::runtime_error{"thrown"};
            if (n == 2)
                return failure("refused");
            return context.attempt() == 1 ? retry("later", 30ms) : success();
        };
        subject.handle(numbers, handler, {.exceptions = on_exception::fail});
        co_await work(subject, 5);

        check_told_of("again",
                      {event_kind::started, event_kind::retried, event_kind::started, event_kind::succeeded});
        check_told_of("fails", {event_kind::started, event_kind::failed});
        check_told_of("throws", {event_kind::started, event_kind::failed});

        const auto retried = events.of(event_kind::retried).at(0);
        BOOST_TEST(retried.message == "later");
        BOOST_TEST((retried.delay == 30ms));
        BOOST_TEST(retried.attempt == 1u);
        BOOST_TEST(events.of(event_kind::succeeded).at(0).attempt == 2u);
        for (const auto& failed : events.of(event_kind::failed)) {
            BOOST_TEST(failed.queue == "numbers");
            BOOST_TEST(failed.attempt == 1u);
            const bool says =
                failed.message.find(failed.job_id == "fails" ? "refused" : "thrown") != std::string::npos;
            BOOST_TEST(says, failed.message);
        }
        std::multiset<std::string> broken; // in any order
        for (const auto& each : events.of(event_kind::broken)) {
            broken.insert(each.job_id);
            BOOST_TEST(each.queue == "numbers");
            BOOST_TEST(!each.message.empty());
        }
        const std::multiset<std::string> expected{"", "breaks"};
        BOOST_TEST(broken == expected, boost::test_tools::per_element());
    });
}

/// What is written to `std::clog` meanwhile.
class written_to_clog
{
public:
    written_to_clog() : before_{std::clog.rdbuf(text_.rdbuf())} {}
    ~written_to_clog() { std::clog.rdbuf(before_); }
    written_to_clog(const written_to_clog&) = delete;
    written_to_clog& operator=(const written_to_clog&) = delete;

    std::string text() const { return text_.str(); }

private:
    std::ostringstream text_;
    std::streambuf* before_;
};

BOOST_FIXTURE_TEST_CASE(a_worker_with_default_options_logs_problems_only, observer_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::vector<int> jobs{1, 2};
        co_await numbers.async_push_many(jobs);
        const written_to_clog log;
        worker subject{redis};
        handle_options at_once;
        at_once.backoff = no_backoff;
        int runs = 0;
        const auto handler = [&](int number) {
            if (++runs == 3)
                subject.stop();
            if (number == 1)
                throw std::runtime_error{"no such address"};
        };
        subject.handle(numbers, handler, at_once);
        co_await subject.async_run();
        BOOST_TEST(log.text().find(" retried queue=numbers ") != std::string::npos, log.text());
        BOOST_TEST(log.text().find("message=\"no such address\"") != std::string::npos, log.text());
        BOOST_TEST(log.text().find("succeeded") == std::string::npos, log.text());
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_without_observers_is_silent, observer_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await numbers.async_push(1);
        const written_to_clog log;
        worker subject{redis, {.observers = {}}};
        subject.handle(numbers, [&](int) {
            subject.stop();
            return failure("refused");
        });
        co_await subject.async_run();
        BOOST_TEST(log.text() == "");
    });
}

BOOST_FIXTURE_TEST_CASE(an_observer_that_throws_harms_nobody, observer_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::vector<int> jobs{1, 2, 3};
        co_await numbers.async_push_many(jobs);
        unsigned told = 0;
        worker_options options;
        options.observers.push_back([&](const event&) {
            ++told;
            throw std::runtime_error{"an observer's own trouble"};
        });
        worker subject{redis, observed(options)};
        subject.handle(numbers, [](int) {});
        co_await work(subject, 3);
        BOOST_TEST(told == events.all().size()); // the next one is told all the same
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 3u);
    });
}

BOOST_FIXTURE_TEST_CASE(an_observer_may_stop_the_worker, observer_test)
{
    run([&]() -> asio::awaitable<void> {
        const std::vector<int> jobs{1, 2, 3};
        co_await numbers.async_push_many(jobs);
        worker* told = nullptr;
        worker_options options;
        options.concurrency = 1;
        options.observers.push_back([&](const event& what) {
            if (what.kind == event_kind::succeeded)
                told->stop();
        });
        worker subject{redis, observed(options)};
        told = &subject;
        subject.handle(numbers, [](int) -> asio::awaitable<void> { co_await let_pass(1ms); });
        co_await subject.async_run();
        BOOST_TEST((events.all().back().kind == event_kind::stopped));
        const auto sizes = co_await numbers.async_sizes();
        BOOST_TEST(sizes.total_succeeded == events.count(event_kind::succeeded));
        BOOST_TEST(sizes.total_succeeded + sizes.waiting == 3u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_worker_tells_of_its_connection_too, observer_test)
{
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(numbers, [](int) {});
        auto running = start(subject);
        co_await wait_until_armed(5, 1);
        BOOST_TEST(events.count(event_kind::connected) == 1u);
        BOOST_TEST(!events.of(event_kind::connected).at(0).message.empty());
        cut_connections(server);
        co_await events.wait_for(event_kind::reconnected);
        BOOST_TEST(events.count(event_kind::disconnected) == 1u);
        BOOST_TEST(!events.of(event_kind::disconnected).at(0).message.empty());
        co_await stop(subject, running);
    });
}

BOOST_FIXTURE_TEST_CASE(counters_agree_with_the_events_and_with_redis, observer_test)
{
    run([&]() -> asio::awaitable<void> {
        std::vector<int> jobs(100);
        for (std::size_t i = 0; i != jobs.size(); ++i)
            jobs[i] = static_cast<int>(i);
        co_await numbers.async_push_many(jobs);
        event_counters counters;
        worker_options options;
        options.observers.push_back(counters.observe());
        worker subject{redis, observed(options)};
        subject.handle(numbers, [](int n, job_context& context) -> asio::awaitable<outcome> {
            co_await let_pass(1ms);
            if (n % 10 == 0)
                co_return failure("a round number");
            co_return n % 10 == 1 && context.attempt() == 1 ? retry("once more", 0ms) : success();
        });
        co_await work(subject, 100);

        const auto sizes = co_await numbers.async_sizes();
        BOOST_TEST(counters[event_kind::succeeded] == 90u);
        BOOST_TEST(counters[event_kind::failed] == 10u);
        BOOST_TEST(counters[event_kind::retried] == 10u);
        BOOST_TEST(counters[event_kind::started] == 110u);
        BOOST_TEST(counters[event_kind::fetched] == 110u);
        BOOST_TEST(counters[event_kind::fetched] == events.total(event_kind::fetched));
        BOOST_TEST(counters.running() == 0u);
        BOOST_TEST((counters.busy_time() >= 110ms));
        BOOST_TEST(sizes.total_succeeded == 90u);
        BOOST_TEST(sizes.total_failed == 10u);
        BOOST_TEST(sizes.total_retried == 10u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
