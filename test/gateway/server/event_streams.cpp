// SPDX-License-Identifier: MIT
#include "managed_gateway_test.hpp"

#include "coworker/managed_queue.hpp"
#include "gateway/event_stream.hpp"

/// What becomes of the events of a client that reads slowly, or that has nothing to read.
BOOST_AUTO_TEST_SUITE(event_streams)

using namespace coworker::test;
using namespace coworker;

namespace {

struct event_stream_test : managed_gateway_test
{
    managed_queue mail{redis, "mail"};

    std::shared_ptr<detail::event_stream> make_stream(detail::event_stream_limits limits)
    {
        return std::make_shared<detail::event_stream>(redis, "ql:", limits);
    }

    /// By the connection of the stream, so that all have come when this completes.
    asio::awaitable<void> push(std::size_t count)
    {
        std::vector<new_managed_job> jobs(count);
        for (auto& job : jobs)
            job.kind = "Letter";
        co_await mail.async_push_many(jobs);
    }

    template<class Test>
    void run_and_stop(Test test)
    {
        run([&]() -> asio::awaitable<void> {
            co_await test();
            co_await redis.async_stop();
        });
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(who_reads_slowly_is_told_how_many_events_were_dropped, event_stream_test)
{
    run_and_stop([&]() -> asio::awaitable<void> {
        const auto stream = make_stream({.capacity = 3, .heartbeat = 1h});
        co_await stream->begin();
        co_await push(10);
        for (int i = 0; i != 3; ++i) {
            const auto part = co_await stream->next();
            BOOST_TEST(part.starts_with("event: put\ndata: {"), part);
        }
        auto part = co_await stream->next();
        BOOST_TEST(part == "event: missed\ndata: {\"event\":\"missed\",\"count\":7}\n\n");
        co_await push(1); // it goes on
        part = co_await stream->next();
        BOOST_TEST(part.starts_with("event: put\n"), part);
    });
}

BOOST_FIXTURE_TEST_CASE(sends_a_comment_when_nothing_happens, event_stream_test)
{
    run_and_stop([&]() -> asio::awaitable<void> {
        const auto stream = make_stream({.heartbeat = 10ms});
        co_await stream->begin();
        for (int i = 0; i != 3; ++i) {
            const auto part = co_await stream->next();
            BOOST_TEST(part == ": nothing new\n\n");
        }
        co_await push(1); // what comes after one is not lost
        auto part = co_await stream->next();
        BOOST_TEST(part.starts_with("event: put\n"), part);
        part = co_await stream->next();
        BOOST_TEST(part == ": nothing new\n\n");
    });
}

BOOST_FIXTURE_TEST_CASE(ends_when_it_is_stopped, event_stream_test)
{
    run_and_stop([&]() -> asio::awaitable<void> {
        const auto stream = make_stream({.heartbeat = 1h});
        co_await stream->begin();
        asio::post(io, [stream] { stream->stop(); }); // while the next line waits
        auto part = co_await stream->next();
        BOOST_TEST(part == "");
        part = co_await stream->next();
        BOOST_TEST(part == "");
    });
}

BOOST_FIXTURE_TEST_CASE(who_reads_nothing_is_disconnected, event_stream_test)
{
    settings.write_timeout = 200ms;
    serve([&]() -> asio::awaitable<void> {
        auto silent = connect();
        co_await silent.send("GET /v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n");
        const auto head = co_await silent.receive_until(": listening\n\n");
        BOOST_TEST(head.starts_with("HTTP/1.1 200"), head);
        // More than the system keeps of what nobody reads.
        const std::string event = R"({"event":"failed","id":"j","worker":"w","group":"g","message":")" +
                                  std::string(1024 * 1024, 'x') + "\"}";
        auto other = connect();
        bool has_timed_out = false;
        for (int sent = 0; !has_timed_out; ++sent) {
            if (sent < 32)
                store()("PUBLISH", "ql:log", event);
            const auto page = co_await other.get("/metrics");
            has_timed_out = page.body.find("\ncoworker_gateway_timeouts_total 1\n") != page.body.npos;
        }
        co_await silent.receive_rest(); // comes to an end
    });
}

BOOST_AUTO_TEST_SUITE_END()
