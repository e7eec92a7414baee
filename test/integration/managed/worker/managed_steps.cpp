// SPDX-License-Identifier: MIT
#include "support/managed_worker_test.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/describe.hpp>
#include <boost/test/unit_test.hpp>

#include <map>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <utility>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// Parts of a job that are carried out once, whatever becomes of its attempts.
BOOST_AUTO_TEST_SUITE(managed_steps)

namespace {

struct receipt
{
    int number = 0;
    std::string text;
};
BOOST_DESCRIBE_STRUCT(receipt, (), (number, text))

struct steps_test : managed_worker_test
{
    /// Runs a worker until something has become of a job "a", and if that is to be put again, of that.
    template<class Handler>
    void run_job(Handler handler, event_kind end, std::optional<event_kind> second_end = std::nullopt)
    {
        put("a", "Order");
        run([&]() -> asio::awaitable<void> {
            worker subject{redis, observed()};
            subject.handle(mail, handler, {.backoff = no_backoff});
            auto running = start(subject);
            co_await events.wait_for(end);
            if (second_end) {
                put("a", "Order"); // as a retry by hand does
                co_await events.wait_for(*second_end);
            }
            co_await stop(subject, running);
        });
        BOOST_TEST(broken() == "");
    }

    /// What a handler does, once: the error of it.
    template<class Act>
    void run_and_catch(error_code& caught, std::string& why, Act act)
    {
        run_job(
            [&caught, &why, act](raw_json, job_context& context) -> asio::awaitable<void> {
                try {
                    co_await act(context);
                } catch (const system_error& error) {
                    caught = error.code();
                    why = error.what();
                }
            },
            event_kind::succeeded);
    }

    bool has_steps() { return server("HEXISTS", "ql:j:a", "steps").integer == 1; }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(are_carried_out_once_however_often_the_job_runs, steps_test)
{
    int charged = 0, counted = 0, told = 0;
    std::vector<std::string> seen;
    run_job(
        [&](raw_json, job_context& context) -> asio::awaitable<outcome> {
            const receipt paid = co_await context.step("charge", [&]() -> asio::awaitable<receipt> {
                co_await let_pass(1ms);
                receipt made{++charged, "for ada"};
                co_return made;
            });
            const int count = co_await context.step("count", [&] { return ++counted; });
            co_await context.step("tell", [&]() -> asio::awaitable<void> {
                ++told;
                co_return;
            });
            const std::optional<int> none =
                co_await context.step("none", [] { return std::optional<int>{}; });
            seen.push_back(std::to_string(paid.number) + paid.text + std::to_string(count) +
                           std::to_string(none.has_value()));
            if (context.attempt() == 3)
                co_return success();
            co_return retry("again", 0ms);
        },
        event_kind::succeeded);
    BOOST_TEST(seen == std::vector<std::string>(3, "1for ada10"), boost::test_tools::per_element());
    BOOST_TEST(charged == 1);
    BOOST_TEST(counted == 1);
    BOOST_TEST(told == 1);
    BOOST_TEST(!has_steps());
    BOOST_TEST(server("HLEN", "ql:j:a").integer == 13); // as if it had never had any
}

BOOST_FIXTURE_TEST_CASE(that_throw_store_nothing_and_may_be_begun_again, steps_test)
{
    int tries = 0;
    run_job(
        [&](raw_json, job_context& context) -> asio::awaitable<void> {
            const auto fails_at_first = [&] {
                if (++tries == 1)
                    throw std::runtime_error{"no luck"};
                return tries;
            };
            bool has_thrown = false;
            try {
                co_await context.step("try", fails_at_first);
            } catch (const std::runtime_error& error) {
                has_thrown = std::string{error.what()} == "no luck";
            }
            BOOST_TEST(has_thrown);
            BOOST_TEST(!has_steps());
            const int second = co_await context.step("try", fails_at_first);
            BOOST_TEST(second == 2);
            BOOST_TEST(field("a", "step:try") == "2");
        },
        event_kind::succeeded);
}

BOOST_FIXTURE_TEST_CASE(have_names_of_their_own_in_a_run, steps_test)
{
    error_code code;
    std::string why;
    int runs = 0;
    run_and_catch(code, why, [&](job_context& context) -> asio::awaitable<void> {
        co_await context.step("one", [&] { ++runs; });
        co_await context.step("one", [&] { ++runs; });
    });
    BOOST_TEST((code == errc::invalid_option));
    BOOST_TEST(why.find("this run has had a step 'one' before") != why.npos, why);
    BOOST_TEST(runs == 1);
}

BOOST_FIXTURE_TEST_CASE(may_run_side_by_side_but_not_with_one_name, steps_test)
{
    using namespace asio::experimental::awaitable_operators;
    error_code code;
    std::string why;
    int runs = 0;
    run_and_catch(code, why, [&](job_context& context) -> asio::awaitable<void> {
        const auto slow = [&]() -> asio::awaitable<int> {
            ++runs;
            co_await let_pass(10ms);
            co_return runs;
        };
        co_await (context.step("left", slow) && context.step("right", slow));
        BOOST_TEST(field("a", "steps") == "2 11");
        co_await context.step("both",
                              [&]() -> asio::awaitable<void> { co_await context.step("both", slow); });
    });
    BOOST_TEST((code == errc::invalid_option));
    BOOST_TEST(runs == 2);
}

BOOST_FIXTURE_TEST_CASE(of_a_job_that_failed_stay_and_are_there_when_it_is_retried_by_hand, steps_test)
{
    int charged = 0;
    bool fails = true;
    const auto handler = [&](raw_json, job_context& context) -> asio::awaitable<outcome> {
        const int number = co_await context.step("charge", [&] { return ++charged; });
        BOOST_TEST(number == 1);
        co_return std::exchange(fails, false) ? failure("no") : success();
    };
    run_job(handler, event_kind::failed, event_kind::succeeded);
    BOOST_TEST(charged == 1);
    BOOST_TEST(!has_steps());
}

BOOST_FIXTURE_TEST_CASE(are_there_after_a_release_which_counts_no_attempt, steps_test)
{
    std::vector<unsigned> attempts;
    int charged = 0;
    run_job(
        [&](raw_json, job_context& context) -> asio::awaitable<outcome> {
            attempts.push_back(context.attempt());
            co_await context.step("charge", [&] { ++charged; });
            co_return attempts.size() == 1 ? release() : success();
        },
        event_kind::succeeded);
    BOOST_TEST(attempts == (std::vector<unsigned>{1, 1}), boost::test_tools::per_element());
    BOOST_TEST(charged == 1);
}

BOOST_FIXTURE_TEST_CASE(store_nothing_when_the_lease_is_lost, steps_test)
{
    error_code code;
    std::string why;
    run_and_catch(code, why, [&](job_context& context) -> asio::awaitable<void> {
        if (context.attempt() > 1)
            co_return;
        server("HSET", "ql:j:a", "worker", "another"); // which nobody announces
        std::exception_ptr lost;
        try {
            co_await context.step("late", [] { return 1; });
        } catch (const system_error&) {
            lost = std::current_exception();
        }
        server("HSET", "ql:j:a", "worker", redis.client_name());
        if (lost)
            std::rethrow_exception(lost);
    });
    BOOST_TEST((code == errc::lease_lost));
    BOOST_TEST(!has_steps());
}

/// Leases end while steps are carried out, and another worker has the job then: of each step one value is stored, and all
/// attempts that come past the step have that.
BOOST_FIXTURE_TEST_CASE(have_one_value_however_two_workers_race, managed_worker_test)
{
    constexpr int count = 12;
    std::map<std::string, std::set<int>> values;
    std::map<std::string, std::set<std::string>> workers;
    int calls = 0, lost = 0;
    set_option("grace-period", "0");
    const auto handler = [&](raw_json, job_context& context) -> asio::awaitable<void> {
        const std::string me{context.id()};
        workers[me].insert(context.lease_token());
        const auto charge = [&]() -> asio::awaitable<int> {
            const int value = ++calls;
            co_await asio::co_spawn(
                context.get_executor(), let_pass(5ms), // which nobody cancels
                asio::bind_cancellation_slot(asio::cancellation_slot{}, asio::use_awaitable));
            co_return value;
        };
        try {
            const int value = co_await context.step("charge", charge);
            values[me].insert(value);
        } catch (const system_error& error) {
            lost += error.code() == errc::lease_lost ? 1 : 0;
            throw;
        }
        co_await let_pass(2ms);
    };
    run([&]() -> asio::awaitable<void> {
        client second{io.get_executor(), options()};
        const managed_queue of_second{second, "mail"};
        worker one{redis, {}}, two{second, {}};
        one.handle(mail, handler, {.concurrency = 4, .max_crashes = 0});
        two.handle(of_second, handler, {.concurrency = 4, .max_crashes = 0});
        background first{io.get_executor(), one.async_run()}, other{io.get_executor(), two.async_run()};
        // each lease ends at once, until enough steps were late
        for (int rounds = 0; lost < 10 && rounds != 2000; ++rounds) {
            if (server.has_none("ql:q:mail-work", "ql:q:mail-locks"))
                for (int i = 0; i != count; ++i)
                    put(std::to_string(rounds) + "-" + std::to_string(i), "Order", "{}", "retries", "100000");
            co_await let_pass(3ms);
            for (const auto& jid : server("ZRANGE", "ql:q:mail-locks", "0", "-1").texts())
                server("ZADD", "ql:q:mail-locks", "XX", "1", jid);
        }
        co_await eventually("all have ended", [&] {
            return server.has_none("ql:q:mail-work", "ql:q:mail-locks", "ql:q:mail-scheduled");
        });
        one.stop();
        two.stop();
        co_await first.join();
        co_await other.join();
        co_await second.async_stop();
    });
    BOOST_TEST(lost >= 10);
    bool have_met = false;
    for (const auto& [me, all] : values) {
        BOOST_TEST(all.size() == 1u, me);
        have_met = have_met || workers[me].size() == 2;
    }
    BOOST_TEST(have_met);
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(are_bounded, steps_test)
{
    error_code large, many;
    int runs = 0;
    run_job(
        [&](raw_json, job_context& context) -> asio::awaitable<outcome> {
            if (context.attempt() == 2) {
                try {
                    co_await context.step("one more", [&] { ++runs; });
                } catch (const system_error& error) {
                    many = error.code();
                }
                co_return success();
            }
            try {
                co_await context.step("large", [] { return std::string(1024 * 1024, 'x'); });
            } catch (const system_error& error) {
                large = error.code();
            }
            for (int i = 0; i != 1000; ++i)
                co_await context.step(std::to_string(i), [&] { ++runs; });
            co_return retry("again", 0ms);
        },
        event_kind::succeeded);
    BOOST_TEST((large == errc::job_too_large));
    BOOST_TEST((many == errc::job_too_large));
    BOOST_TEST(runs == 1000);
}

BOOST_FIXTURE_TEST_CASE(say_what_does_not_decode, steps_test)
{
    std::string why;
    run_job(
        [&](raw_json, job_context& context) -> asio::awaitable<outcome> {
            if (context.attempt() == 1) {
                co_await context.step("charge", [] { return std::string{"seven"}; });
                co_return retry("again", 0ms);
            }
            try { // as after a deployment
                co_await context.step("charge", [] { return 7; });
            } catch (const system_error& error) {
                why = error.what();
            }
            co_return success();
        },
        event_kind::succeeded);
    BOOST_TEST(why.find("step 'charge'") != why.npos, why);
}

BOOST_FIXTURE_TEST_CASE(of_a_killed_worker_are_found_by_the_next, steps_test)
{
    int charged = 0, shipped = 0;
    const auto handler = [&](raw_json, job_context& context) -> asio::awaitable<int> {
        const int number = co_await context.step("charge", [&] { return ++charged * 41; });
        co_await context.step("ship", [&]() -> asio::awaitable<void> {
            if (++shipped == 1)
                co_await let_pass(60s);
        });
        co_return number + 1;
    };
    put("a", "Order");
    run([&]() -> asio::awaitable<void> {
        client first{io.get_executor(), options()}, second{io.get_executor(), options()};
        const managed_queue of_first{first, "mail"}, of_second{second, "mail"};
        worker killed{first, {.shutdown_timeout = 0ms}};
        killed.handle(of_first, handler, {.worker_grace = 200ms});
        background dying{io.get_executor(), killed.async_run()};
        co_await eventually("the second step has begun", [&] { return shipped == 1; });
        co_await first.async_stop(); // as seen from Redis: the connection is closed without a word
        (void)co_await dying.join_and_tell();

        worker survivor{second};
        survivor.handle(of_second, handler, {.worker_grace = 200ms});
        background running{io.get_executor(), survivor.async_run()};
        const int value = co_await mail.async_wait_for<int>("a");
        BOOST_TEST(value == 42);
        survivor.stop();
        co_await running.join();
        co_await second.async_stop();
    });
    BOOST_TEST(charged == 1);
    BOOST_TEST(shipped == 2); // the first time it had no end
    BOOST_TEST(!has_steps());
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(go_with_effects_into_one_step, steps_test)
{
    std::vector<std::string> orders;
    run_job(
        [&](raw_json, job_context& context) -> asio::awaitable<outcome> {
            const int number =
                co_await context.step("number", [&] { return static_cast<int>(orders.size()); });
            orders.push_back(std::to_string(number));
            const std::string field = orders.back();
            context.effects().add(text_list{"HINCRBY", "orders", field, "1"});
            if (orders.size() < 3)
                co_return retry("again", 0ms);
            co_return success();
        },
        event_kind::succeeded);
    BOOST_TEST(server("HGETALL", "orders").texts() == (std::vector<std::string>{"0", "1"}),
               boost::test_tools::per_element());
}

BOOST_FIXTURE_TEST_CASE(are_not_there_in_list_queues, steps_test)
{
    error_code refused;
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        subject.handle(numbers, [&](int, job_context& context) -> asio::awaitable<void> {
            const auto none = co_await context.async_steps();
            BOOST_TEST(none.empty());
            try {
                co_await context.step("one", [] { return 1; });
            } catch (const system_error& error) {
                refused = error.code();
            }
        });
        co_await numbers.async_push(1);
        co_await work(subject, 1);
    });
    BOOST_TEST((refused == errc::not_supported));
}

BOOST_AUTO_TEST_SUITE_END()
