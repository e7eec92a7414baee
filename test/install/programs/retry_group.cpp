// SPDX-License-Identifier: MIT

// Shows why mails failed, and queues those of the largest group again.
#include <coworker/client.hpp>
#include <coworker/inspector.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>

#include <iostream>

namespace asio = boost::asio;

asio::awaitable<void> retry_largest(const char* url)
{
    const auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, url};
    coworker::inspector inspector{redis};
    const auto mails = coworker::queue_ref::list("mail");

    const auto failures = co_await inspector.async_failures(mails);
    for (const auto& each : failures.groups)
        std::cout << each.count << ' ' << each.message << '\n';

    if (!failures.groups.empty()) {
        coworker::job_filter group;
        group.group = failures.groups.front().group;
        group.message = failures.groups.front().message;
        const auto queued =
            co_await inspector.async_act_on_all(coworker::job_action::retry, mails, std::move(group));
        std::cout << "queued again: " << queued << '\n';
    }
    co_await redis.async_stop();
}

int main(int, char** argv)
{
    asio::io_context io;
    auto end = asio::co_spawn(io, retry_largest(argv[1]), asio::use_future);
    io.run();
    end.get(); // throws what went wrong
}
