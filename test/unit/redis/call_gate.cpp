// SPDX-License-Identifier: MIT
#include "redis/server_connection/call_gate.hpp"
#include "support/coroutine.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <vector>

using namespace coworker::test;
using namespace std::chrono_literals;

BOOST_AUTO_TEST_SUITE(call_gate)

namespace {

namespace asio = boost::asio;
using gate_of_calls = coworker::detail::call_gate;

struct gate_test
{
    asio::io_context io{1};
    gate_of_calls gate{io.get_executor()};
    std::vector<int> passed;

    /// A call that passes, or is given up at the deadline.
    background call(int number,
                    gate_of_calls::clock::time_point deadline = gate_of_calls::clock::time_point::max())
    {
        return {
            io.get_executor(),
            [](gate_test& test, int which, gate_of_calls::clock::time_point until) -> asio::awaitable<void> {
                gate_of_calls::place mine{test.gate, until};
                while (!mine.may_pass() && gate_of_calls::clock::now() < until)
                    co_await mine.wait();
                test.passed.push_back(mine.may_pass() ? which : -which);
            }(*this, number, deadline)};
    }
};

} // namespace

BOOST_FIXTURE_TEST_CASE(calls_pass_in_the_order_in_which_they_came, gate_test)
{
    BOOST_TEST(!gate.is_open());
    std::vector<background> calls;
    for (int i = 1; i <= 5; ++i)
        calls.push_back(call(i));
    io.poll();
    BOOST_TEST(passed.empty());
    gate.open();
    BOOST_TEST(!gate.is_open()); // whoever comes now would overtake those that wait
    io.restart();
    io.poll();
    BOOST_TEST((passed == std::vector{1, 2, 3, 4, 5}));
    BOOST_TEST(gate.is_open());
}

BOOST_FIXTURE_TEST_CASE(calls_wait_on_when_it_is_closed_meanwhile, gate_test)
{
    auto first = call(1);
    auto second = call(2);
    io.poll();
    gate.open();
    gate.close();
    io.restart();
    io.poll();
    BOOST_TEST(passed.empty());
    gate.wake_all(); // for nothing
    io.restart();
    io.poll();
    BOOST_TEST(passed.empty());
    gate.open();
    io.restart();
    io.poll();
    BOOST_TEST((passed == std::vector{1, 2}));
}

BOOST_FIXTURE_TEST_CASE(calls_that_are_given_up_keep_nobody_waiting, gate_test)
{
    auto first = call(1, gate_of_calls::clock::now());
    auto second = call(2);
    io.restart();
    io.poll();
    BOOST_TEST((passed == std::vector{-1}));
    gate.open();
    io.restart();
    io.poll();
    BOOST_TEST((passed == std::vector{-1, 2}));
}

BOOST_AUTO_TEST_SUITE_END()
