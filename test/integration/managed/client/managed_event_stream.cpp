// SPDX-License-Identifier: MIT
#include "coworker/managed_events.hpp"

#include "integration/managed/client/managed_test.hpp"
#include "support/client_list.hpp"

#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;
using kind = coworker::managed_event_kind;

BOOST_AUTO_TEST_SUITE(managed_event_stream)

namespace {

/// An event as one line.
std::string line(const managed_event& event)
{
    std::string text{event.of_tracked ? "*" : ""};
    text += to_string(event.kind);
    for (const auto& part : {event.jid, event.queue, event.worker, event.group, event.message, event.to,
                             event.option, event.value})
        if (!part.empty())
            text += " " + part;
    return text;
}

struct events_test : managed_test
{
    managed_events stream{redis};

    asio::awaitable<texts> take(std::size_t count)
    {
        texts lines;
        while (lines.size() != count)
            lines.push_back(line(co_await stream.async_next()));
        co_return lines;
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(the_life_of_a_job_is_told, events_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await stream.async_listen();
        co_await stream.async_listen();
        co_await mail.async_push("k", nothing, {.jid = "a"});
        co_await mail.async_push("k", nothing, {.jid = "b"});
        const auto popped = co_await pop("w", 2);
        co_await complete_job(jobs, coworker::test::held_job{"a", "w", "mail"}, listed("next", "other"));
        co_await fail_job(jobs, coworker::test::held_job{"b", "w", "mail"}, "g", "m");
        co_await jobs.async_cancel("a");
        co_await jobs.async_set_config("colour", "blue");
        co_await jobs.async_unset_config("colour");
        BOOST_TEST(co_await take(7) == listed("put a mail", "put b mail", "advanced a mail other",
                                              "failed b w g m", "canceled a other", "config_set colour blue",
                                              "config_unset colour"));
    });
}

BOOST_FIXTURE_TEST_CASE(it_is_told_while_somebody_waits, events_test)
{
    run([&]() -> asio::awaitable<void> {
        texts lines;
        background reader{io.get_executor(), [](events_test& test, texts& told) -> asio::awaitable<void> {
                              told = co_await test.take(2);
                          }(*this, lines)};
        co_await eventually("somebody listens",
                            [&] { return server("PUBSUB", "NUMSUB", "ql:log").elements[1].integer == 1; });
        co_await mail.async_push("k", nothing, {.jid = "a"});
        co_await mail.async_push("k", nothing, {.jid = "b"});
        co_await reader.join();
        BOOST_TEST(lines == listed("put a mail", "put b mail"));
    });
}

BOOST_FIXTURE_TEST_CASE(only_what_was_chosen_is_told, managed_test)
{
    managed_events tracked{redis, {}, {.all = false}}, all{redis, {}, {.tracked = false}};
    managed_events tenant{redis, {.prefix = "{t}ql:"}};
    managed_queue other{redis, "other", {.prefix = "{t}ql:"}};
    run([&]() -> asio::awaitable<void> {
        co_await tracked.async_listen();
        co_await all.async_listen();
        co_await tenant.async_listen();
        co_await mail.async_push("k", nothing, {.jid = "a"});
        co_await jobs.async_track("a");
        co_await mail.async_push("k", nothing, {.jid = "a"});
        co_await other.async_push("k", nothing, {.jid = "c"});
        BOOST_TEST(line(co_await tracked.async_next()) == "*tracked a");
        BOOST_TEST(line(co_await tracked.async_next()) == "*put a");
        BOOST_TEST(line(co_await all.async_next()) == "put a mail");
        BOOST_TEST(line(co_await all.async_next()) == "put a mail");
        BOOST_TEST(line(co_await tenant.async_next()) == "put c other");
    });
}

BOOST_FIXTURE_TEST_CASE(what_did_not_fit_is_said_to_be_missed, managed_test)
{
    managed_events small{redis, {}, {.capacity = 3}};
    run([&]() -> asio::awaitable<void> {
        co_await small.async_listen();
        std::vector<new_managed_job> many(10);
        for (auto& job : many)
            job.kind = "k";
        co_await mail.async_push_many(many);
        for (int i = 0; i != 3; ++i)
            BOOST_TEST(((co_await small.async_next()).kind == kind::put));
        const auto gap = co_await small.async_next();
        BOOST_TEST((gap.kind == kind::missed));
        BOOST_TEST(gap.count == 7u);
        co_await mail.async_push("k", nothing, {.jid = "a"});
        BOOST_TEST(line(co_await small.async_next()) == "put a mail");
    });
}

BOOST_FIXTURE_TEST_CASE(after_a_lost_connection_it_goes_on_and_says_so, events_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await stream.async_listen();
        co_await mail.async_push("k", nothing, {.jid = "a"});
        cut_connections(server);
        co_await events.wait_for(event_kind::reconnected);
        BOOST_TEST(co_await take(2) == listed("put a mail", "missed"));
        co_await mail.async_push("k", nothing, {.jid = "b"});
        BOOST_TEST(co_await take(1) == listed("put b mail"));
    });
}

BOOST_FIXTURE_TEST_CASE(stopping_forgets_and_listening_begins_anew, events_test)
{
    run([&]() -> asio::awaitable<void> {
        co_await stream.async_listen();
        co_await mail.async_push("k", nothing, {.jid = "a"});
        co_await stream.async_stop();
        BOOST_TEST(server("PUBSUB", "NUMSUB", "ql:log").elements[1].integer == 0);
        co_await mail.async_push("k", nothing, {.jid = "b"});
        co_await stream.async_listen();
        co_await mail.async_push("k", nothing, {.jid = "c"});
        BOOST_TEST(co_await take(1) == listed("put c mail"));
    });
}

BOOST_FIXTURE_TEST_CASE(waiting_ends_when_it_is_cancelled_or_the_client_stops, events_test)
{
    redis_test::run([&]() -> asio::awaitable<void> {
        background cancelled{io.get_executor(), [](managed_events& from) -> asio::awaitable<void> {
                                 co_await from.async_next();
                             }(stream)};
        co_await eventually("somebody listens",
                            [&] { return server("PUBSUB", "NUMSUB", "ql:log").elements[1].integer == 1; });
        cancelled.cancel();
        BOOST_TEST(!(co_await cancelled.join_and_tell()).empty());
        background waiting{io.get_executor(), [](managed_events& from) -> asio::awaitable<void> {
                               co_await from.async_next();
                           }(stream)};
        co_await mail.async_push("k", nothing, {.jid = "a"});
        co_await waiting.join();
        background stopped{io.get_executor(), [](managed_events& from) -> asio::awaitable<void> {
                               BOOST_TEST(co_await error_of(from.async_next()) == errc::stopped);
                           }(stream)};
        (co_await mail.async_counts()).length();
        co_await redis.async_stop();
        co_await stopped.join();
    });
}

BOOST_FIXTURE_TEST_CASE(unusable_options_are_refused, managed_test)
{
    const auto refused = [&](managed_options options, managed_events_options which) {
        return error_in([&] { managed_events{redis, options, which}; });
    };
    BOOST_TEST(refused({.prefix = ""}, {}) == errc::invalid_option);
    BOOST_TEST(refused({}, {.capacity = 0}) == errc::invalid_option);
    BOOST_TEST(refused({}, {.all = false, .tracked = false}) == errc::invalid_option);
}

BOOST_AUTO_TEST_CASE(without_permission_it_is_refused)
{
    redis_test fixture{{.config = {{"user", "carol", "on", "nopass", "~*", "&coworker:*", "+@all"}}}};
    auto options = fixture.options();
    options.user = "carol";
    options.password = "x";
    client redis{fixture.io.get_executor(), options};
    managed_events stream{redis};
    fixture.run([&]() -> asio::awaitable<void> {
        BOOST_TEST(co_await error_of(stream.async_next()) == errc::command_refused);
        co_await redis.async_stop();
    });
}

BOOST_AUTO_TEST_SUITE_END()
