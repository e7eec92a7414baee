// SPDX-License-Identifier: MIT
#pragma once

#include "support/expect.hpp"
#include "support/managed_worker_test.hpp"

#include "coworker/job_taker.hpp"

namespace coworker::test {

/// Jobs of a managed queue that are taken one at a time, and run elsewhere.
struct taken_job_test : managed_worker_test
{
    const queue_ref queue = queue_ref::managed("mail");
    job_taker subject{redis};

    asio::awaitable<taken_job> take_one(const take_options& options)
    {
        auto taken = co_await subject.async_take(queue, options);
        BOOST_TEST_REQUIRE(taken.size() == 1u);
        co_return std::move(taken[0]);
    }

    asio::awaitable<result<acknowledged_job>> acknowledge(std::string token, outcome how)
    {
        std::vector<ended_job> ended;
        ended.emplace_back(token, std::move(how));
        const auto results = co_await subject.async_acknowledge(queue, std::move(ended));
        co_return results.at(0);
    }

    asio::awaitable<void> end(std::string token, outcome how)
    {
        const auto ended = co_await acknowledge(std::move(token), std::move(how));
        BOOST_TEST(ended.has_value());
    }
};

} // namespace coworker::test
