// SPDX-License-Identifier: MIT
#include "support/managed_worker_test.hpp"

#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

using namespace coworker;
using namespace coworker::test;

/// Code around pushes and handlers.
BOOST_AUTO_TEST_SUITE(managed_middleware)

namespace {

struct middleware_test : managed_worker_test
{
    std::map<std::string, std::string> seen; ///< what the handler found, by the job's kind or its data

    /// Runs as many jobs.
    template<class Handler>
    asio::awaitable<void> work(Handler handler, std::size_t count, worker_options options)
    {
        options.observers = {events.observe()};
        worker subject{redis, options};
        subject.handle(mail, handler);
        background running{io.get_executor(), subject.async_run(asio::use_awaitable)};
        co_await events.wait_for(event_kind::succeeded, count);
        subject.stop();
        co_await running.join();
    }
    template<class Handler>
    asio::awaitable<void> work(Handler handler, std::size_t count)
    {
        return work(std::move(handler), count, worker_options{});
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_trace_travels_from_push_to_handler, middleware_test)
{
    const auto caller =
        trace_context::parse("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01", "a=1").value();
    std::vector<std::optional<trace_context>> traces;
    run([&]() -> asio::awaitable<void> {
        const auto traced = mail.with(carry_trace(caller));
        const raw_json data{"{}"};
        co_await traced.async_push("One", data);
        std::vector<new_managed_job> many(2);
        for (auto& each : many)
            each.kind = "Many";
        co_await traced.async_push_many(many);
        co_await traced.async_push_each(many);
        const std::vector<raw_json> texts{data, data};
        co_await traced.async_push_many("Texts", texts);
        BOOST_TEST(many[0].options.metadata.empty()); // the caller's own
        const auto handler = [&](raw_json, job_context& context) { traces.push_back(context.trace()); };
        co_await work(handler, 7);
    });
    BOOST_TEST(traces.size() == 7);
    for (const auto& each : traces)
        BOOST_TEST((each == caller));
    BOOST_TEST(broken() == "");
}

BOOST_FIXTURE_TEST_CASE(other_handles_carry_nothing, middleware_test)
{
    bool has_trace = true, has_tenant = true;
    run([&]() -> asio::awaitable<void> {
        (void)mail.with(carry_trace(trace_context::make()));
        const raw_json data{"{}"};
        co_await mail.async_push("One", data);
        const auto handler = [&](raw_json, job_context& context) {
            has_trace = context.trace().has_value();
            has_tenant = context.metadata("tenant").has_value();
        };
        co_await work(handler, 1);
    });
    BOOST_TEST(!has_trace);
    BOOST_TEST(!has_tenant);
}

BOOST_FIXTURE_TEST_CASE(a_job_keeps_a_trace_of_its_own, middleware_test)
{
    const auto own = trace_context::make();
    std::optional<trace_context> found;
    run([&]() -> asio::awaitable<void> {
        managed_push_options options;
        own.write(options.metadata);
        const raw_json data{"{}"};
        co_await mail.with(carry_trace(trace_context::make())).async_push("One", data, options);
        const auto handler = [&](raw_json, job_context& context) { found = context.trace(); };
        co_await work(handler, 1);
    });
    BOOST_TEST((found == own));
}

BOOST_FIXTURE_TEST_CASE(pushes_pass_through_all_in_their_order, middleware_test)
{
    run([&]() -> asio::awaitable<void> {
        const push_middleware first = [](new_managed_job& job) {
            job.data = R"({"n":1})";
            job.options.jid = "a";
        };
        const push_middleware second = [](new_managed_job& job) {
            job.kind = job.kind + (job.data == R"({"n":1})" ? "Second" : "First");
        };
        const raw_json data{"{}"};
        const auto jid = co_await mail.with(first).with(second).async_push("Letter", data);
        BOOST_TEST(jid == "a");
        const auto handler = [&](raw_json job, job_context& context) {
            seen.emplace(context.kind(), job.text);
        };
        co_await work(handler, 1);
    });
    BOOST_TEST(seen.size() == 1);
    BOOST_TEST(seen["LetterSecond"] == R"({"n":1})");
}

BOOST_FIXTURE_TEST_CASE(what_a_push_middleware_throws_the_push_throws, middleware_test)
{
    std::string thrown;
    run([&]() -> asio::awaitable<void> {
        const push_middleware refuse = [](new_managed_job&) { throw std::runtime_error{"no tenant"}; };
        const raw_json data{"{}"};
        try {
            co_await mail.with(refuse).async_push("Letter", data);
        } catch (const std::exception& error) {
            thrown = error.what();
        }
        const auto length = (co_await mail.async_counts()).length();
        BOOST_TEST(length == 0);
    });
    BOOST_TEST(!thrown.empty());
}

BOOST_FIXTURE_TEST_CASE(a_worker_s_middleware_are_around_those_of_its_queues, middleware_test)
{
    std::vector<std::string> steps;
    const auto note = [&](std::string name) -> middleware {
        return [&steps, name](job_context& context, next_handler next) -> asio::awaitable<outcome> {
            steps.push_back(name + " " + context.queue());
            co_return co_await next();
        };
    };
    run([&]() -> asio::awaitable<void> {
        const raw_json data{"{}"};
        co_await mail.async_push("Letter", data);
        co_await numbers.async_push(1);
        worker_options options;
        options.observers = {events.observe()};
        options.middleware = {note("worker")};
        worker subject{redis, options};
        handle_options of_mail, of_numbers;
        of_mail.middleware = {note("mail's")};
        of_numbers.middleware = {note("numbers'")};
        subject.handle(
            mail, [](raw_json) {}, of_mail);
        subject.handle(
            numbers, [](int) {}, of_numbers);
        background running{io.get_executor(), subject.async_run(asio::use_awaitable)};
        co_await events.wait_for(event_kind::succeeded, 2);
        subject.stop();
        co_await running.join();
    });
    std::ranges::sort(steps);
    const std::vector<std::string> expected{"mail's mail", "numbers' numbers", "worker mail",
                                            "worker numbers"};
    BOOST_TEST(steps == expected, boost::test_tools::per_element());
}

BOOST_AUTO_TEST_SUITE_END()
