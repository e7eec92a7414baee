// SPDX-License-Identifier: MIT
#include "coworker/managed_details.hpp"
#include "coworker/testing.hpp"

#include <boost/asio/post.hpp>
#include <boost/asio/redirect_error.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/describe/class.hpp>
#include <boost/test/unit_test.hpp>

#include <stdexcept>

using namespace coworker;
using namespace coworker::testing;
using namespace std::chrono_literals;

/// Code around handlers, as users' tests run it.
BOOST_AUTO_TEST_SUITE(middleware_around_handlers)

namespace {

using end_kind = outcome::kind;
using steps = std::vector<std::string>;

struct parcel
{
    std::string to;
};
BOOST_DESCRIBE_STRUCT(parcel, (), (to))

/// Notes when it begins and ends.
middleware note(steps& into, std::string name)
{
    return [&into, name](job_context&, next_handler next) -> asio::awaitable<outcome> {
        into.push_back(name + " begins");
        auto result = co_await next();
        into.push_back(name + " ends");
        co_return result;
    };
}

handle_options with(std::vector<middleware> around)
{
    handle_options options;
    options.middleware = std::move(around);
    return options;
}

ended_run run_parcel(job_handler handler, std::vector<middleware> around,
                     const job_conditions& conditions = {})
{
    return run_handler(std::move(handler), raw_json{R"({"to":"ada"})"}, conditions, with(std::move(around)));
}

job_handler noting(steps& into)
{
    return make_handler<parcel>([&into](const parcel& job) { into.push_back("for " + job.to); });
}

} // namespace

BOOST_AUTO_TEST_CASE(the_first_is_outermost)
{
    steps seen;
    const auto run = run_parcel(noting(seen), {note(seen, "a"), note(seen, "b")});
    BOOST_TEST((run.result.what() == end_kind::success));
    BOOST_TEST(seen == (steps{"a begins", "b begins", "for ada", "b ends", "a ends"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(handlers_may_be_coroutines_that_wait)
{
    steps seen;
    const auto handler =
        make_handler<parcel>([&](parcel job, job_context& context) -> asio::awaitable<outcome> {
            co_await asio::post(context.get_executor(), asio::use_awaitable);
            seen.push_back("for " + job.to);
            co_return failure("lost");
        });
    const auto run = run_parcel(handler, {note(seen, "a")});
    BOOST_TEST(run.result.reason() == "lost");
    BOOST_TEST(seen == (steps{"a begins", "for ada", "a ends"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(one_can_change_the_job)
{
    steps seen;
    const middleware rename = [](job_context&, next_handler next) -> asio::awaitable<outcome> {
        std::string text{next.job()};
        text.replace(text.find("ada"), 3, "grace hopper, whose text is longer");
        co_return co_await next(text);
    };
    // Those inside of it see the new text, with a handler that is a function and with one that is a coroutine.
    const middleware look = [&](job_context&, next_handler next) -> asio::awaitable<outcome> {
        seen.emplace_back(next.job());
        co_return co_await next();
    };
    run_parcel(noting(seen), {rename, look});
    run_parcel(make_handler<parcel>([&](parcel job, job_context& context) -> asio::awaitable<void> {
                   co_await asio::post(context.get_executor(), asio::use_awaitable);
                   seen.push_back("for " + job.to);
               }),
               {rename});
    const std::string name = "grace hopper, whose text is longer";
    BOOST_TEST(seen == (steps{R"({"to":")" + name + "\"}", "for " + name, "for " + name}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(one_can_change_the_outcome)
{
    steps seen;
    const middleware strict = [](job_context&, next_handler next) -> asio::awaitable<outcome> {
        const auto result = co_await next();
        co_return result.what() == end_kind::success ? failure("nothing is ever good") : result;
    };
    BOOST_TEST(run_parcel(noting(seen), {strict}).result.reason() == "nothing is ever good");
}

BOOST_AUTO_TEST_CASE(one_need_not_call_the_handler)
{
    steps seen;
    const middleware closed = [](job_context&, next_handler) -> asio::awaitable<outcome> {
        co_return retry("closed today", 1h);
    };
    const auto run = run_parcel(noting(seen), {closed, note(seen, "inside")});
    BOOST_TEST(run.result.reason() == "closed today");
    BOOST_TEST(seen.empty());
}

BOOST_AUTO_TEST_CASE(exceptions_pass_through)
{
    steps seen;
    const middleware watch = [&](job_context&, next_handler next) -> asio::awaitable<outcome> {
        try {
            co_return co_await next();
        } catch (const std::runtime_error& error) {
            seen.emplace_back(error.what());
            throw;
        }
    };
    const auto function =
        make_handler<parcel>([](const parcel&) { throw std::runtime_error{"from a function"}; });
    const auto coroutine = make_handler<parcel>([](parcel, job_context& context) -> asio::awaitable<void> {
        co_await asio::post(context.get_executor(), asio::use_awaitable);
        throw std::runtime_error{"from a coroutine"};
    });
    for (const auto& handler : {function, coroutine}) {
        const auto run = run_parcel(handler, {watch, watch});
        BOOST_TEST((run.result.what() == end_kind::retry)); // as without middleware
        BOOST_TEST(run.result.reason() == seen.back());
    }
    BOOST_TEST(seen == (steps{"from a function", "from a function", "from a coroutine", "from a coroutine"}),
               boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(what_a_middleware_throws_counts_as_the_handler_s)
{
    steps seen;
    const middleware broken = [](job_context&, next_handler) -> asio::awaitable<outcome> {
        throw std::runtime_error{"no key"};
        co_return success();
    };
    const auto run = run_parcel(noting(seen), {note(seen, "a"), broken});
    BOOST_TEST(run.result.reason() == "no key");
    BOOST_TEST(seen == (steps{"a begins"}), boost::test_tools::per_element());
}

BOOST_AUTO_TEST_CASE(a_job_that_does_not_decode_is_seen)
{
    auto what = end_kind::success;
    const middleware look = [&](job_context&, next_handler next) -> asio::awaitable<outcome> {
        auto result = co_await next();
        what = result.what();
        co_return result;
    };
    run_handler(make_handler<parcel>([](const parcel&) {}), raw_json{"[]"}, {}, with({look}));
    BOOST_TEST((what == end_kind::broken));
}

BOOST_AUTO_TEST_CASE(a_timeout_ends_the_handler_through_middleware)
{
    bool was_cancelled = false;
    const auto slow = make_handler<parcel>([&](parcel, job_context& context) -> asio::awaitable<void> {
        asio::steady_timer timer{context.get_executor(), 1h};
        error_code ec;
        co_await timer.async_wait(asio::redirect_error(asio::use_awaitable, ec));
        was_cancelled = context.cancelled();
        throw system_error{ec};
    });
    steps seen;
    auto options = with({note(seen, "a")});
    options.timeout = 10ms;
    const auto run = run_handler(slow, raw_json{R"({"to":"ada"})"}, {}, options);
    BOOST_TEST(was_cancelled);
    BOOST_TEST((run.result.what() == end_kind::retry));
}

BOOST_AUTO_TEST_CASE(a_trace_is_found_and_replaced)
{
    const auto caller = trace_context::make();
    const auto details = std::make_shared<managed_details>();
    details->metadata = {{"traceparent", caller.traceparent()}, {"tenant", "42"}};
    std::optional<trace_context> found, inside;
    std::string tenant;
    const middleware trace = [&](job_context& context, next_handler next) -> asio::awaitable<outcome> {
        found = context.trace();
        context.set_trace(found->child());
        co_return co_await next();
    };
    const auto handler = make_handler<parcel>([&](const parcel&, job_context& context) {
        inside = context.trace();
        tenant = context.metadata("tenant").value_or("none");
    });
    job_conditions conditions;
    conditions.details = details;
    run_parcel(handler, {trace}, conditions);
    BOOST_TEST((found == caller));
    BOOST_REQUIRE(inside.has_value());
    BOOST_TEST(inside->trace_id() == caller.trace_id());
    BOOST_TEST(inside->span_id() != caller.span_id());
    BOOST_TEST(tenant == "42");

    details->metadata["traceparent"] = "damaged";
    run_parcel(handler, {}, conditions);
    BOOST_TEST(!inside.has_value());
    run_parcel(handler, {});
    BOOST_TEST(!inside.has_value());
    BOOST_TEST(tenant == "none");
}

BOOST_AUTO_TEST_CASE(a_trace_belongs_to_one_run)
{
    memory_queue<parcel> parcels;
    for (int i = 0; i != 3; ++i)
        parcels.push({"ada"});
    int had_one = 0;
    drain(parcels, [&](const parcel&, job_context& context) {
        had_one += context.trace().has_value();
        context.set_trace(trace_context::make());
    });
    BOOST_TEST(parcels.raw().ended().size() == 3);
    BOOST_TEST(had_one == 0);
}

BOOST_AUTO_TEST_SUITE_END()
