// SPDX-License-Identifier: MIT
#include "support/client_test.hpp"
#include "support/own_source.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// A worker on a source that confirms acknowledgements when a test lets it.
BOOST_AUTO_TEST_SUITE(confirming_sources)

namespace {

struct confirmations
{
    bool may_end = false;
    errc why_not = errc::unexpected_exception; ///< thrown unless it is this
    bool throws_another = false;               ///< what nobody expects
    std::size_t begun = 0;
    std::optional<durability> wanted;
};

class confirming_source final : public own_source
{
public:
    confirming_source(source_script& script, confirmations& control)
        : own_source{"own", script}, control_{control}
    {}

    void confirm_as(const durability& wanted) override { control_.wanted = wanted; }

    asio::awaitable<void> confirm() override
    {
        ++control_.begun;
        if (control_.throws_another)
            throw std::runtime_error{"thrown by confirm"};
        co_await eventually("the test lets it end", [this] { return control_.may_end; });
        if (control_.why_not != errc::unexpected_exception)
            throw system_error{control_.why_not, "the reason"};
    }

private:
    confirmations& control_;
};

struct confirming_test : client_test
{
    source_script script;
    confirmations control;

    void handle(worker& subject, durability how = durability::replicated(3, 1s))
    {
        subject.handle_source<std::string>(std::make_unique<confirming_source>(script, control),
                                           [](std::string) {}, {.durability = how});
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(a_source_that_confirms_nothing_is_refused, confirming_test)
{
    worker subject{redis, observed()};
    BOOST_TEST(error_in([&] {
                   subject.handle_source<std::string>(std::make_unique<own_source>("own", script),
                                                      [](std::string) {},
                                                      {.durability = durability::synced()});
               }) == errc::not_supported);
}

BOOST_FIXTURE_TEST_CASE(nothing_is_confirmed_that_nobody_wants_to_be, confirming_test)
{
    run([&]() -> asio::awaitable<void> {
        script.add("a", R"("job")");
        worker subject{redis, observed()};
        handle(subject, durability::memory());
        co_await work(subject, 1);
        BOOST_TEST(!control.wanted);
        BOOST_TEST(control.begun == 0u);
    });
}

BOOST_FIXTURE_TEST_CASE(ends_are_told_in_order_when_they_are_confirmed, confirming_test)
{
    run([&]() -> asio::awaitable<void> {
        worker subject{redis, observed()};
        handle(subject);
        BOOST_TEST((control.wanted == durability::replicated(3, 1s)));
        auto running = start(subject);
        script.add("a", R"("job")");
        co_await eventually("a confirmation is under way", [&] { return control.begun == 1; });
        for (const char* id : {"b", "c", "d"}) {
            script.add(id, R"("job")");
            co_await eventually("the next job is acknowledged",
                                [&] { return script.settled.back() == std::string{id} + " success"; });
        }
        BOOST_TEST(events.count(event_kind::succeeded) == 0u);
        BOOST_TEST(control.begun == 1u);
        control.may_end = true;
        co_await events.wait_for(event_kind::succeeded, 4);
        BOOST_TEST(control.begun == 2u); // one for the others together
        std::string order;
        for (const auto& each : events.of(event_kind::succeeded))
            order += each.job_id;
        BOOST_TEST(order == "abcd");
        co_await stop(subject, running);
    });
}

BOOST_FIXTURE_TEST_CASE(whatever_a_source_throws_leaves_jobs_unconfirmed, confirming_test)
{
    run([&]() -> asio::awaitable<void> {
        control.may_end = true;
        worker subject{redis, observed()};
        handle(subject);
        auto running = start(subject);
        std::size_t told = 0;
        for (const auto why : {errc::unconfirmed, errc::in_doubt, errc::command_refused}) {
            control.why_not = why;
            script.add("a", R"("job")");
            const auto event = co_await events.wait_for(event_kind::unconfirmed, ++told);
            BOOST_TEST(event.message.starts_with("succeeded, not confirmed: the reason"), event.message);
        }
        control.why_not = errc::unexpected_exception;
        script.add("a", R"("job")");
        co_await events.wait_for(event_kind::succeeded);
        co_await stop(subject, running);
    });
}

BOOST_FIXTURE_TEST_CASE(what_nobody_expects_ends_run_and_leaves_jobs_unconfirmed, confirming_test)
{
    run([&]() -> asio::awaitable<void> {
        control.throws_another = true;
        worker subject{redis, observed()};
        handle(subject);
        script.add("a", R"("job")");
        auto running = start(subject);
        BOOST_TEST((co_await running.join_and_tell()) == "thrown by confirm");
        const auto told = events.of(event_kind::unconfirmed);
        BOOST_TEST_REQUIRE(told.size() == 1u);
        BOOST_TEST(told[0].message == "succeeded, not confirmed: the worker has ended");
    });
}

BOOST_FIXTURE_TEST_CASE(a_source_that_has_ended_keeps_nobody_waiting, confirming_test)
{
    run([&]() -> asio::awaitable<void> {
        control.may_end = true;
        control.why_not = errc::stopped;
        worker subject{redis, observed()};
        handle(subject);
        script.add("a", R"("job")");
        auto running = start(subject);
        (void)co_await running.join_and_tell();
        BOOST_TEST(events.count(event_kind::unconfirmed) == 1u);
    });
}

BOOST_AUTO_TEST_SUITE_END()
