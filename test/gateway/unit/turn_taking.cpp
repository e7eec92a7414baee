// SPDX-License-Identifier: MIT
#include "gateway/turns.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/post.hpp>
#include <boost/test/unit_test.hpp>

#include <string>

/// Calls whose answers may be large come one at a time.
BOOST_AUTO_TEST_SUITE(turn_taking)

using namespace coworker;
using namespace coworker::detail;

namespace {

struct turns_test
{
    asio::io_context io;
    turns subject{io.get_executor()};
    std::string calls; ///< in the order in which they began
    int under_way = 0;

    asio::awaitable<void> call(char name, bool fails)
    {
        BOOST_TEST(++under_way == 1);
        calls += name;
        for (int i = 0; i != 3; ++i)
            co_await asio::post(io, asio::use_awaitable);
        --under_way;
        if (fails)
            throw system_error{errc::unavailable, "away"};
    }

    asio::awaitable<void> make(char name, int count, bool fails = false)
    {
        for (int i = 0; i != count; ++i)
            co_await subject.take(call(name, fails));
    }

    /// What became of it is added to the calls.
    auto noted(char name)
    {
        return [this, name](std::exception_ptr error) {
            if (error)
                calls.append("!").push_back(name);
        };
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(one_that_makes_many_calls_lets_others_in_between, turns_test)
{
    asio::co_spawn(io, make('a', 4), noted('a'));
    asio::co_spawn(io, make('b', 2), noted('b'));
    asio::co_spawn(io, make('c', 1), noted('c'));
    io.run();
    BOOST_TEST(calls == "abcabaa");
}

BOOST_FIXTURE_TEST_CASE(who_does_not_want_to_wait_any_more_is_passed_over, turns_test)
{
    asio::cancellation_signal end;
    asio::co_spawn(io, make('a', 2), noted('a'));
    asio::co_spawn(io, make('b', 1), asio::bind_cancellation_slot(end.slot(), noted('b')));
    asio::co_spawn(io, make('c', 1), noted('c'));
    asio::post(io, [&] { end.emit(asio::cancellation_type::terminal); });
    io.run();
    BOOST_TEST(calls == "a!bca");
}

BOOST_FIXTURE_TEST_CASE(those_who_wait_are_told_that_redis_is_away, turns_test)
{
    asio::co_spawn(io, make('a', 1, true), noted('a'));
    asio::co_spawn(io, make('b', 1), noted('b'));
    asio::co_spawn(io, make('c', 1), noted('c'));
    io.run();
    BOOST_TEST(calls.size() == 7u);
    BOOST_TEST(calls.find("!b") != calls.npos);
    BOOST_TEST(calls.find("!c") != calls.npos);
    calls.clear();
    io.restart();
    asio::co_spawn(io, make('d', 1), noted('d')); // it may have come back
    io.run();
    BOOST_TEST(calls == "d");
}

BOOST_AUTO_TEST_SUITE_END()
