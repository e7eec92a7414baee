// SPDX-License-Identifier: MIT

// Queues a mail from main, without coroutines: waits for a future. Says the job's id.
#include "mail.hpp"

#include <coworker/client.hpp>
#include <coworker/list_queue.hpp>

#include <boost/asio/thread_pool.hpp>
#include <boost/asio/use_future.hpp>

#include <iostream>

namespace asio = boost::asio;

int main(int, char** argv)
try {
    asio::thread_pool pool{1};
    coworker::client redis{pool, argv[1]};
    coworker::list_queue<mail> mails{redis, "mail"};
    const mail job{argv[2]};
    auto pushed = mails.async_push(job, coworker::with_diagnostics(asio::use_future));
    std::cout << pushed.get() << '\n'; // throws what went wrong
    redis.async_stop(asio::use_future).get();
} catch (const coworker::system_error& error) {
    std::cerr << "not queued: " << error.what() << '\n';
    return error.code() == coworker::errc::unavailable ? 75 : 1;
}
