// SPDX-License-Identifier: MIT
#include "integration/managed/client/managed_test.hpp"
#include "integration/queue/pushes_under_way.hpp"
#include "support/client_list.hpp"

#include <boost/asio/cancel_after.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <set>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

namespace {

struct puts_test : pushes_under_way<managed_test>
{
    /// Pushes to a queue by a handle of its own, as the handlers of a server do.
    outcome& push(const std::string& queue, int job, const managed_push_options& how = {},
                  const std::string& prefix = "ql:")
    {
        const managed_queue own_handle{redis, queue, {.prefix = prefix}};
        return begin([&](auto token) { own_handle.async_push("Letter", job, how, std::move(token)); });
    }

    /// The jids that wait, next to run first.
    texts waiting(const std::string& queue = "mail", const std::string& prefix = "ql:")
    {
        return server("ZREVRANGE", prefix + "q:" + queue + "-work", 0, -1).texts();
    }

    /// Those of some of the outcomes.
    texts ids(std::size_t first = 0, std::size_t step = 1) const
    {
        texts all;
        for (auto i = first; i < outcomes.size(); i += step)
            all.push_back(outcomes[i]->id);
        return all;
    }

    void expect_no_error() const
    {
        BOOST_TEST(std::count_if(outcomes.begin(), outcomes.end(),
                                 [](const auto& each) { return !!each->error; }) == 0);
    }
};

} // namespace

BOOST_AUTO_TEST_SUITE(puts_together)

BOOST_FIXTURE_TEST_CASE(concurrent_puts_are_few_calls_and_keep_their_order, puts_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        server("CONFIG", "RESETSTAT");
        for (int round = 0; round != 3; ++round) {
            for (int i = 0; i != 400; ++i)
                push("mail", static_cast<int>(outcomes.size()));
            co_await wait_for_all();
        }
        expect_no_error();
        const auto in_order = ids();
        BOOST_TEST((std::set<std::string>(in_order.begin(), in_order.end()).size() == 1200u));
        BOOST_TEST((waiting() == in_order));
        for (std::size_t i = 0; i < outcomes.size(); i += 97)
            BOOST_TEST(stored(outcomes[i]->id, "data") == std::to_string(i));
        BOOST_TEST(calls_of("evalsha") <= 24); // some of them for scripts that Redis does not have yet
        BOOST_TEST(calls_of("script|load") <= 2);
    });
}

BOOST_FIXTURE_TEST_CASE(puts_that_begin_when_others_end_keep_their_order_too, puts_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        for (int i = 0; i != 200; ++i) { // one alone, and many right behind it
            push("mail", i);
            if (i % 40 == 20)
                co_await asio::post(asio::use_awaitable);
            if (i % 40 == 0)
                co_await wait_for_all();
        }
        co_await wait_for_all();
        expect_no_error();
        BOOST_TEST((waiting() == ids()));
    });
}

BOOST_FIXTURE_TEST_CASE(queues_and_prefixes_go_together_and_apart, puts_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        for (int i = 0; i != 100; ++i) {
            push("mail", i);
            push("other", i);
            push("mail", i, {}, "{t}ql:");
        }
        co_await wait_for_all();
        expect_no_error();
        BOOST_TEST((waiting("mail") == ids(0, 3)));
        BOOST_TEST((waiting("other") == ids(1, 3)));
        BOOST_TEST((waiting("mail", "{t}ql:") == ids(2, 3)));
        BOOST_TEST(calls_of("evalsha") <= 12);
    });
}

BOOST_FIXTURE_TEST_CASE(each_keeps_its_options, puts_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_push("k", nothing, {.jid = "first"});
        const auto both = listed("urgent", "first"), colours = listed("red", "blue");
        push("mail", 1, {.jid = "urgent", .priority = 7, .retries = 2, .tags = colours});
        push("mail", 2, {.jid = "late", .delay = 1h});
        push("mail", 3, {.jid = "after", .depends = "first"});
        push("mail", 4, {.jid = "after both", .depends = both});
        push("mail", 5, {.jid = "first"}); // moves it
        push("other", 6, {.jid = "late"});
        co_await wait_for_all();
        expect_no_error();
        BOOST_TEST((ids() == listed("urgent", "late", "after", "after both", "first", "late")));
        const auto urgent = (co_await jobs.async_get("urgent")).value();
        BOOST_TEST(urgent.priority == 7);
        BOOST_TEST(urgent.retries == 2);
        BOOST_TEST((urgent.tags == colours));
        BOOST_TEST(stored("late", "queue") == "other");
        BOOST_TEST(stored("late", "data") == "6");
        BOOST_TEST(stored("after", "state") == "depends");
        BOOST_TEST((co_await jobs.async_get("after both")).value().dependencies.size() == 2u);
        BOOST_TEST(stored("first", "data") == "5");
        BOOST_TEST((waiting() == listed("urgent", "first")));
        BOOST_TEST((waiting("other") == listed("late")));
    });
}

BOOST_FIXTURE_TEST_CASE(a_refused_put_does_not_concern_the_others, puts_test)
{
    server("SET", "ql:j:broken", "no hash");
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        for (int i = 0; i != 90; ++i)
            if (i % 3 == 1)
                push("mail", i, {.jid = "broken"});
            else if (i % 3 == 2)
                push("mail", i, {.jid = ""}); // never sent
            else
                push("mail", i);
        co_await wait_for_all();
        for (std::size_t i = 0; i != outcomes.size(); ++i)
            BOOST_TEST((outcomes[i]->error == (i % 3 == 1   ? error_code{errc::command_refused}
                                               : i % 3 == 2 ? error_code{errc::invalid_job_id}
                                                            : error_code{})));
        BOOST_TEST((waiting() == ids(0, 3)));
        BOOST_TEST(server("GET", "ql:j:broken").text == "no hash");
        // The same reason as of one that is alone.
        const auto alone =
            co_await error_of([&] { return mail.async_push("k", nothing, {.jid = "broken"}); });
        BOOST_TEST(alone == errc::command_refused);
        BOOST_TEST(alone.says("is something else"));
    });
}

BOOST_FIXTURE_TEST_CASE(what_redis_refuses_as_a_whole_all_are_told, puts_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        server("ACL", "SETUSER", "default", "-hset");
        for (int i = 0; i != 50; ++i)
            push("mail", i);
        co_await wait_for_all();
        for (const auto& each : outcomes)
            BOOST_TEST((each->error == errc::command_refused));
        server("ACL", "SETUSER", "default", "+hset");
    });
}

BOOST_FIXTURE_TEST_CASE(one_of_them_is_cancelled, puts_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        server.freeze();
        const auto& first = push("mail", 1);
        const auto& second = push("mail", 2);
        auto& third = push("mail", 3);
        co_await asio::post(asio::use_awaitable);
        third.cancelled.emit(asio::cancellation_type::terminal);
        co_await wait_for(third);
        BOOST_TEST((third.error == asio::error::operation_aborted));
        BOOST_TEST(!first.has_ended);
        server.thaw();
        co_await wait_for_all();
        BOOST_TEST(!first.error);
        BOOST_TEST(!second.error);
        BOOST_TEST(waiting().front() == first.id);
    });
}

BOOST_FIXTURE_TEST_CASE(a_time_limit_ends_one_and_not_the_others, puts_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        server.freeze();
        const auto& other = push("mail", 1);
        const auto late =
            co_await error_of(mail.async_push("Letter", boost::json::value(2), asio::cancel_after(1ms)));
        BOOST_TEST((late.code == asio::error::operation_aborted));
        BOOST_TEST(!other.has_ended);
        server.thaw();
        co_await wait_for_all();
        expect_no_error();
    });
}

BOOST_FIXTURE_TEST_CASE(what_was_cancelled_before_there_was_a_connection_is_not_put_later, puts_test)
{
    server.kill();
    run([&]() -> asio::awaitable<void> {
        const auto refused =
            co_await error_of(mail.async_push("Letter", boost::json::value(1), asio::cancel_after(1ms)));
        BOOST_TEST((refused.code == asio::error::operation_aborted));
        server.restart();
        const auto jid = co_await mail.async_push("Letter", boost::json::value(2));
        BOOST_TEST((waiting() == listed(jid)));
    });
}

BOOST_FIXTURE_TEST_CASE(after_a_lost_connection_all_are_in_doubt, puts_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        server.freeze();
        for (int i = 0; i != 20; ++i)
            push("mail", i, {.jid = std::to_string(i)});
        co_await asio::post(asio::use_awaitable);
        co_await let_pass(50ms); // they are on their way
        server.kill();
        co_await wait_for_all();
        for (const auto& each : outcomes)
            BOOST_TEST((each->error == errc::in_doubt));
        server.restart();
        outcomes.clear();
        for (int i = 0; i != 20; ++i) // with a jid, it is safe to push again
            push("mail", i, {.jid = std::to_string(i)});
        co_await wait_for_all();
        expect_no_error();
        BOOST_TEST(waiting().size() == 20u);
    });
}

BOOST_FIXTURE_TEST_CASE(scripts_that_redis_has_lost_are_given_to_it_again, puts_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await mail.async_push("Letter", nothing, {.jid = "before"});
        server("SCRIPT", "FLUSH");
        for (int i = 0; i != 300; ++i)
            push("mail", i);
        co_await wait_for_all();
        expect_no_error();
        auto expected = ids();
        expected.insert(expected.begin(), "before");
        BOOST_TEST((waiting() == expected));
    });
}

BOOST_FIXTURE_TEST_CASE(large_ones_go_in_several_calls, puts_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        const raw_json large{'"' + std::string(400'000, 'x') + '"'};
        for (int i = 0; i != 20; ++i)
            begin([&](auto token) { mail.async_push("Letter", large, std::move(token)); });
        co_await wait_for_all();
        expect_no_error();
        BOOST_TEST((waiting() == ids()));
        BOOST_TEST(stored(outcomes.back()->id, "data").size() == large.text.size());
        BOOST_TEST(calls_of("evalsha") >= 7); // a megabyte in each
    });
}

BOOST_FIXTURE_TEST_CASE(what_begins_later_is_carried_out_later, puts_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await redis.async_connect();
        for (int i = 0; i != 10; ++i)
            push("mail", i, {.jid = std::to_string(i)});
        BOOST_TEST((co_await jobs.async_cancel("9")).has_value());
        push("mail", 10, {.jid = "10"});
        push("mail", 11, {.jid = "11"});
        const std::vector<int> many{12, 13};
        co_await mail.async_push_many("Letter", many);
        BOOST_TEST(waiting().size() == 13u);
        co_await wait_for_all();
        expect_no_error();
        const auto order = waiting();
        BOOST_TEST(order[9] == "10");
        BOOST_TEST(stored(order[12], "data") == "13");
    });
}

BOOST_AUTO_TEST_SUITE_END()
