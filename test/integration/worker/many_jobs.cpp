// SPDX-License-Identifier: MIT
#include "support/managed_worker_test.hpp"

#include "coworker/handlers_by_kind.hpp"
#include "coworker/many_handler.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <atomic>
#include <map>
#include <numeric>
#include <set>
#include <span>
#include <stdexcept>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Handlers of many jobs: `worker::handle_many`.
BOOST_AUTO_TEST_SUITE(many_jobs)

namespace {

using rows = std::span<held_job<int>>;

struct many_test : managed_worker_test
{
    std::vector<std::vector<int>> runs; ///< the jobs of each, sorted

    void note(rows jobs)
    {
        auto& run = runs.emplace_back();
        for (const auto& each : jobs)
            run.push_back(each.job);
        std::sort(run.begin(), run.end());
    }

    asio::awaitable<void> push(int begin, int end)
    {
        std::vector<int> all(static_cast<std::size_t>(end - begin));
        std::iota(all.begin(), all.end(), begin);
        co_await numbers.async_push_many(all);
    }

    std::string reason_of_failure() const
    {
        const auto failed = events.of(event_kind::failed);
        return failed.empty() ? "" : failed.front().message;
    }
};

std::vector<int> from_to(int begin, int end)
{
    std::vector<int> all(static_cast<std::size_t>(end - begin));
    std::iota(all.begin(), all.end(), begin);
    return all;
}

} // namespace

BOOST_FIXTURE_TEST_CASE(a_run_begins_when_enough_have_gathered, many_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await push(0, 30);
        worker subject{redis, observed({.concurrency = 30})};
        subject.handle_many(numbers,
                            [&](rows jobs) -> asio::awaitable<std::vector<outcome>> {
                                note(jobs);
                                co_return std::vector<outcome>(jobs.size());
                            },
                            {.up_to = 10, .wait = 1h});
        co_await work(subject, 30);
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 30u);
    });
    BOOST_REQUIRE(runs.size() == 3u);
    std::vector<int> all;
    for (const auto& each : runs) {
        BOOST_TEST(each.size() == 10u);
        all.insert(all.end(), each.begin(), each.end());
    }
    std::sort(all.begin(), all.end());
    BOOST_TEST(all == from_to(0, 30), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_run_begins_when_the_first_has_waited, many_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await push(0, 3);
        worker subject{redis, observed()};
        subject.handle_many(numbers, [&](rows jobs) { note(jobs); }, {.up_to = 100, .wait = 20ms});
        auto running = start(subject);
        co_await events.wait_for(event_kind::succeeded, 3);
        co_await push(3, 4);
        co_await events.wait_for(event_kind::succeeded, 4);
        co_await stop(subject, running);
    });
    std::vector<int> all;
    for (const auto& each : runs)
        all.insert(all.end(), each.begin(), each.end());
    std::sort(all.begin(), all.end());
    BOOST_TEST(all == from_to(0, 4), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(without_a_wait_jobs_that_come_together_run_together, many_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await push(0, 50);
        worker subject{redis, observed()};
        subject.handle_many(numbers, [&](rows jobs) { note(jobs); }, {.wait = 0ms});
        co_await work(subject, 50);
    });
    BOOST_TEST(runs.size() < 10u);
}

BOOST_FIXTURE_TEST_CASE(each_job_has_an_outcome_of_its_own, many_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await push(0, 5);
        push_raw(R"(["broken","no number"])");
        worker subject{redis, observed()};
        subject.handle_many(numbers,
                            [&](rows jobs) -> asio::awaitable<std::vector<outcome>> {
                                note(jobs);
                                std::vector<outcome> outcomes;
                                for (const auto& each : jobs)
                                    if (each.job == 1)
                                        outcomes.push_back(failure("odd"));
                                    else if (each.job == 2 && each.context().attempt() == 1)
                                        outcomes.push_back(retry("again", 0ms));
                                    else
                                        outcomes.push_back(success());
                                co_return outcomes;
                            },
                            {.up_to = 5, .wait = 100ms});
        co_await work(subject, 6);
        const auto sizes = co_await numbers.async_sizes();
        BOOST_TEST(sizes.total_succeeded == 4u);
        BOOST_TEST(sizes.failed == 1u);
        BOOST_TEST(sizes.broken == 1u);
    });
    BOOST_TEST(reason_of_failure() == "odd");
    BOOST_REQUIRE(runs.size() == 2u);
    BOOST_TEST(runs[0] == from_to(0, 5), boost::test_tools::per_element()); // without the broken one
    BOOST_TEST(runs[1] == from_to(2, 3), boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(a_wrong_number_of_outcomes_fails_all, many_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await push(0, 5);
        worker subject{redis, observed()};
        subject.handle_many(numbers, [&](rows) { return std::vector<outcome>(4); }, {.up_to = 5, .wait = 1h},
                            {.exceptions = on_exception::fail});
        co_await work(subject, 5);
        BOOST_TEST((co_await numbers.async_sizes()).failed == 5u);
    });
    BOOST_TEST(reason_of_failure() ==
               "the handler of 5 jobs answered with 4 outcomes: it has to return one for each");
}

BOOST_FIXTURE_TEST_CASE(an_exception_is_that_of_each, many_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await push(0, 5);
        worker subject{redis, observed()};
        subject.handle_many(numbers,
                            [&](rows jobs) -> asio::awaitable<void> {
                                note(jobs);
                                if (runs.size() == 1)
                                    throw std::runtime_error{"the table is locked"};
                                co_return;
                            },
                            {.up_to = 5, .wait = 1h}, {.backoff = no_backoff});
        co_await work(subject, 5);
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 5u);
    });
    BOOST_REQUIRE(events.count(event_kind::retried) == 5u);
    for (const auto& each : events.of(event_kind::retried))
        BOOST_TEST(each.message == "the table is locked");
}

BOOST_FIXTURE_TEST_CASE(a_lost_lease_marks_one_and_lets_the_others_go_on, many_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await push(0, 3);
        std::vector<int> marked;
        bool was_cancelled = false;
        worker subject{redis, observed()};
        subject.handle_many(numbers,
                            [&](rows jobs) -> asio::awaitable<void> {
                                const auto payload = "[\"" + std::string{jobs[1].context().id()} + "\"," +
                                                     std::to_string(jobs[1].job) + "]";
                                server("HSET", "hworker-progress-numbers", payload,
                                       R"("2999-01-01T00:00:00.000000000099Z")");
                                BOOST_TEST(!(co_await jobs[1].context().async_extend()).has_value());
                                BOOST_TEST((co_await jobs[0].context().async_extend()).has_value());
                                for (const auto& each : jobs)
                                    if (each.context().cancelled())
                                        marked.push_back(each.job);
                                BOOST_TEST(marked.size() == 1u);
                                BOOST_TEST(marked.front() == jobs[1].job);
                                try {
                                    co_await let_pass(1ms);
                                } catch (const system_error&) {
                                    was_cancelled = true;
                                }
                            },
                            {.up_to = 3, .wait = 1h});
        auto running = start(subject);
        co_await events.wait_for(event_kind::succeeded, 2);
        co_await stop(subject, running);
        BOOST_TEST(!was_cancelled);
        BOOST_TEST(events.count(event_kind::lease_lost) == 1u);
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 2u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_run_is_cancelled_when_all_of_its_jobs_were_told_to_end, many_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await push(0, 3);
        worker subject{redis, observed()};
        subject.handle_many(numbers, [&](rows) -> asio::awaitable<void> { co_await let_pass(1h); },
                            {.up_to = 3, .wait = 1h}, {.timeout = 30ms, .exceptions = on_exception::fail});
        co_await work(subject, 3);
    });
    BOOST_REQUIRE(events.count(event_kind::failed) == 3u);
    BOOST_TEST(reason_of_failure() == "its timeout has passed");
}

BOOST_FIXTURE_TEST_CASE(leases_of_all_are_renewed, many_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await push(0, 20);
        worker subject{redis, observed()};
        subject.handle_many(numbers,
                            [&](rows) -> asio::awaitable<void> {
                                co_await events.wait_until(
                                    "more than a lease to pass", [](const event_log& log) {
                                        return log.total(event_kind::leases_renewed) >= 4 * 20;
                                    });
                            },
                            {.up_to = 20, .wait = 1h}, {.lease = 5s});
        co_await work(subject, 20);
        BOOST_TEST(events.count(event_kind::lease_lost) == 0u);
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 20u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_stop_releases_jobs_that_gather, many_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await push(0, 5);
        worker subject{redis, observed({.shutdown_timeout = 1h})};
        subject.handle_many(numbers, [&](rows jobs) { note(jobs); }, {.up_to = 100, .wait = 1h});
        auto running = start(subject);
        co_await events.wait_for(event_kind::started, 5);
        co_await stop(subject, running);
        BOOST_TEST(events.count(event_kind::released) == 5u);
        BOOST_TEST(length() == 5);
    });
    BOOST_TEST(runs.empty());
}

BOOST_FIXTURE_TEST_CASE(a_stop_lets_a_run_end, many_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await push(0, 5);
        worker subject{redis, observed({.shutdown_timeout = 1h})};
        subject.handle_many(numbers,
                            [&](rows) -> asio::awaitable<void> {
                                subject.stop();
                                co_await events.wait_for(event_kind::stopping);
                                co_await let_pass(1ms);
                            },
                            {.up_to = 5, .wait = 1h});
        co_await subject.async_run();
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == 5u);
    });
}

BOOST_FIXTURE_TEST_CASE(a_timeout_ends_a_job_that_gathers, many_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await push(0, 2);
        worker subject{redis, observed()};
        subject.handle_many(numbers, [&](rows jobs) { note(jobs); }, {.up_to = 100, .wait = 1h},
                            {.timeout = 20ms, .exceptions = on_exception::fail});
        co_await work(subject, 2);
    });
    BOOST_TEST(runs.empty());
    BOOST_TEST(reason_of_failure() == "its timeout has passed");
}

BOOST_FIXTURE_TEST_CASE(managed_jobs_of_a_kind_gather, many_test)
{
    for (int i = 0; i != 20; ++i)
        put("job" + std::to_string(i), i % 2 == 0 ? "Row" : "Other", std::to_string(i));
    run([&]() -> asio::awaitable<void> {
        std::size_t others = 0;
        worker subject{redis, observed()};
        handlers_by_kind handlers;
        handlers.on_many<int>(
            "Row",
            [&](rows jobs) -> asio::awaitable<std::vector<outcome>> {
                note(jobs);
                std::vector<outcome> outcomes;
                for (const auto& each : jobs) {
                    BOOST_TEST(each.context().kind() == "Row");
                    each.context().set_progress(0.5);
                    each.context().effects().add({"INCRBY", "sum", std::to_string(each.job)});
                    outcomes.push_back(each.job == 4 ? retry("again", 0ms) : success_with(each.job));
                    if (each.context().attempt() > 1)
                        outcomes.back() = failure("enough", ":enough");
                }
                co_return outcomes;
            },
            {.up_to = 10, .wait = 100ms});
        handlers.on<int>("Other", [&](int) { ++others; });
        subject.handle(mail, handlers);
        co_await work(subject, 20);
        BOOST_TEST(others == 10u);
        BOOST_TEST((co_await mail.async_wait_for<int>("job6")) == 6);
    });
    BOOST_REQUIRE(runs.size() == 2u);
    BOOST_TEST(runs[0].size() == 10u);
    BOOST_TEST(server("GET", "sum").text == std::to_string(0 + 2 + 6 + 8 + 10 + 12 + 14 + 16 + 18));
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(no_run_is_left_for_a_wait_of_one_job, many_test)
{
    for (int i = 0; i != 3; ++i)
        put("job" + std::to_string(i), "Row", std::to_string(i));
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        handlers_by_kind handlers;
        handlers.on_many<int>("Row",
                              [&](rows jobs) -> asio::awaitable<void> {
                                  note(jobs);
                                  co_await jobs.front().context().sleep_for("long", 1h);
                              },
                              {.up_to = 3, .wait = 1h});
        subject.handle(mail, handlers, {.exceptions = on_exception::fail});
        co_await work(subject, 3);
    });
    BOOST_TEST(runs.size() == 1u);
    BOOST_TEST(reason_of_failure().starts_with("a handler of many jobs cannot sleep or wait for a signal"));
    BOOST_TEST(server("LLEN", "ql:f:Row:std::logic_error").integer == 3);
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(a_managed_queue_has_one_handler_of_all_kinds, many_test)
{
    put("a", "One", "1");
    put("b", "Two", "2");
    put("c", "Two", "\"no number\"");
    run([&]() -> asio::awaitable<void> {
        std::set<std::string> kinds;
        worker subject{redis, observed()};
        subject.handle_many<int>(mail,
                                 [&](rows jobs) {
                                     note(jobs);
                                     for (const auto& each : jobs)
                                         kinds.emplace(each.context().kind());
                                 },
                                 {.up_to = 2, .wait = 1h});
        co_await work(subject, 3);
        BOOST_TEST(kinds.size() == 2u);
        BOOST_TEST(events.count(event_kind::succeeded) == 2u);
    });
    BOOST_TEST(runs.size() == 1u);
    BOOST_TEST(server("LLEN", "ql:f:Two:not-decodable").integer == 1);
}

BOOST_FIXTURE_TEST_CASE(two_workers_race_for_jobs_that_gather, many_test)
{
    constexpr int jobs = 300;
    run([&]() -> asio::awaitable<void> {
        client other{io.get_executor(), options()};
        list_queue<int> same{other, "numbers"};
        std::map<int, int> seen;
        const auto handler = [&](rows all) -> asio::awaitable<std::vector<outcome>> {
            co_await let_pass(1ms);
            std::vector<outcome> outcomes;
            for (const auto& each : all) {
                const bool is_first = ++seen[each.job] == 1;
                outcomes.push_back(each.job % 10 == 0 && is_first ? retry("once more", 0ms) : success());
            }
            co_return outcomes;
        };
        worker one{redis, observed({.concurrency = 20})}, two{other, observed({.concurrency = 20})};
        const many_options many{.up_to = 7, .wait = 5ms};
        one.handle_many(numbers, handler, many);
        two.handle_many(same, handler, many);
        auto first = start(one), second = start(two);
        for (int i = 0; i != jobs; i += 50)
            co_await push(i, i + 50);
        co_await events.wait_for(event_kind::succeeded, jobs);
        one.stop();
        two.stop();
        co_await first.join();
        co_await second.join();
        for (int i = 0; i != jobs; ++i)
            BOOST_TEST(seen[i] == (i % 10 == 0 ? 2 : 1));
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == std::uint64_t{jobs});
        co_await other.async_stop();
    });
}

BOOST_FIXTURE_TEST_CASE(a_program_may_end_while_jobs_gather, many_test)
{
    const auto kept = std::make_shared<int>();
    {
        asio::io_context own{1};
        client there{own.get_executor(), options()};
        list_queue<int> same{there, "numbers"};
        worker subject{there, observed()};
        subject.handle_many(same, [kept](rows) {}, {.up_to = 100, .wait = 1h});
        subject.async_run([](error_code) {});
        push_raw(R"(["a",1])");
        while (events.count(event_kind::started) == 0)
            own.run_one();
        BOOST_TEST(kept.use_count() > 1);
    }
    BOOST_TEST(kept.use_count() == 1); // nothing holds itself
}

BOOST_FIXTURE_TEST_CASE(middleware_is_around_each_job, many_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await push(0, 5);
        int before = 0, after = 0;
        auto how = observed();
        how.middleware = {middleware{[&](job_context&, next_handler next) -> asio::awaitable<outcome> {
            ++before;
            auto result = co_await next();
            ++after;
            co_return result;
        }}};
        worker subject{redis, how};
        subject.handle_many(numbers, [&](rows jobs) { note(jobs); }, {.up_to = 5, .wait = 1h});
        co_await work(subject, 5);
        BOOST_TEST(before == 5);
        BOOST_TEST(after == 5);
    });
    BOOST_TEST(runs.size() == 1u);
}

BOOST_FIXTURE_TEST_CASE(more_than_may_run_together_is_refused, many_test)
{
    worker subject{redis, observed({.concurrency = 50})};
    const auto refused = [&](many_options many, handle_options how) {
        try {
            subject.handle_many(
                numbers, [](rows) {}, many, how);
            return std::string{};
        } catch (const system_error& error) {
            BOOST_TEST(error.code() == errc::invalid_option);
            return std::string{error.what()};
        }
    };
    BOOST_TEST(refused({.up_to = 51}, {}).find("set worker_options::concurrency") != std::string::npos);
    BOOST_TEST(refused({.up_to = 50}, {.concurrency = 49}).find("handle_options::concurrency") !=
               std::string::npos);
    BOOST_TEST(refused({.up_to = 0}, {}) != "");
    BOOST_TEST(refused({.wait = -1ms}, {}) != "");
    BOOST_TEST(refused({.up_to = 50}, {.concurrency = 50}) == "");
}

BOOST_FIXTURE_TEST_CASE(runs_of_one_queue_use_the_threads_of_a_pool, many_test)
{
    constexpr int jobs = is_sanitized ? 400 : 2'000;
    asio::thread_pool pool{2};
    std::mutex mutex;
    std::set<int> seen;
    std::atomic<int> at_work = 0, most = 0;
    run([&]() -> asio::awaitable<void> {
        co_await push(0, jobs);
        worker subject{redis, observed({.concurrency = 40})};
        handle_options how;
        how.executor = pool.get_executor();
        how.lease = 5s;
        subject.handle_many(
            numbers,
            [&](rows all) -> asio::awaitable<std::vector<outcome>> {
                most = std::max<int>(most, ++at_work);
                for (const auto& each : all) {
                    each.context().set_progress(0.5);
                    (void)co_await each.context().async_extend();
                    const std::lock_guard lock{mutex};
                    seen.insert(each.job);
                }
                --at_work;
                co_return std::vector<outcome>(all.size());
            },
            {.up_to = 10, .wait = 50ms}, how);
        co_await work(subject, jobs);
        BOOST_TEST((co_await numbers.async_sizes()).total_succeeded == std::uint64_t{jobs});
    });
    BOOST_TEST(seen.size() == std::size_t{jobs});
    BOOST_TEST(most > 1);
}

BOOST_AUTO_TEST_SUITE_END()
