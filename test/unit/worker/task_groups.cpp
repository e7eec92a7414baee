// SPDX-License-Identifier: MIT
#include "support/coroutine.hpp"
#include "worker/task_group.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/test/unit_test.hpp>

namespace coworker::test {

BOOST_AUTO_TEST_SUITE(task_groups)

BOOST_AUTO_TEST_CASE(a_group_that_was_cancelled_starts_nothing_more)
{
    asio::io_context io{1};
    bool has_begun = false;
    const auto never = [&]() -> asio::awaitable<void> {
        has_begun = true;
        asio::steady_timer timer{io, std::chrono::hours{1}};
        co_await timer.async_wait(asio::use_awaitable);
    };
    const auto body = [&]() -> asio::awaitable<void> {
        const auto group =
            std::make_shared<detail::task_group>(io.get_executor(), [](const std::exception_ptr&) {});
        group->cancel();
        group->spawn(never());
        co_await group->wait();
        BOOST_TEST(!has_begun);
    };
    run_coroutine(io, body(), std::chrono::seconds{5});
}

BOOST_AUTO_TEST_SUITE_END()

} // namespace coworker::test
