// SPDX-License-Identifier: MIT
#pragma once

#include "support/managed_worker_test.hpp"

#include "coworker/managed_client.hpp"

namespace coworker::test {

/// Jobs that sleep, or wait for a signal.
struct suspended_job_test : managed_worker_test
{
    managed_client jobs{redis};

    /// Runs a worker with this handler while `meanwhile` takes place.
    template<class Handler, class Meanwhile>
    void run_with(Handler handler, Meanwhile meanwhile)
    {
        run([&]() -> asio::awaitable<void> {
            worker subject{redis, observed()};
            subject.handle(mail, handler, {.backoff = no_backoff});
            auto running = start(subject);
            co_await meanwhile();
            co_await stop(subject, running);
        });
        BOOST_TEST(broken() == "");
    }

    asio::awaitable<void> wait_until_asleep(std::string jid)
    {
        co_await eventually("the job sleeps", [&] { return state(jid) == "scheduled"; });
    }
};

} // namespace coworker::test
