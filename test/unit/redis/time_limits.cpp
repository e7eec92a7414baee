// SPDX-License-Identifier: MIT
#include "redis/time_limits.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/test/unit_test.hpp>

#include <memory>
#include <vector>

BOOST_AUTO_TEST_SUITE(time_limits)

using namespace std::chrono_literals;
using limits = coworker::detail::time_limits;

BOOST_AUTO_TEST_CASE(whatever_runs_out_first_is_cancelled_first)
{
    boost::asio::io_context io;
    const auto all = std::make_shared<limits>(io.get_executor());
    const auto now = limits::clock::now();
    std::vector<std::unique_ptr<limits::limited>> calls;
    std::vector<int> cancelled;
    const auto add = [&](int which, limits::clock::time_point deadline) {
        calls.push_back(std::make_unique<limits::limited>(*all, deadline));
        calls.back()->slot().assign(
            [&cancelled, which](boost::asio::cancellation_type) { cancelled.push_back(which); });
    };
    add(1, now + 1h);
    add(2, now + 20ms); // it waited elsewhere before
    add(3, limits::clock::time_point::max());
    add(4, now + 10ms);
    io.run_for(2s);
    BOOST_TEST((cancelled == std::vector{4, 2}));
    calls.clear();
    all->stop();
    io.run();
}

BOOST_AUTO_TEST_SUITE_END()
