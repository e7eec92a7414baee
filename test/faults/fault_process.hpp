// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <exception>
#include <iostream>

/// What the processes of the fault tests have in common, which are made to be killed.
namespace coworker::test {

/// Runs until the coroutine has ended. Returns the exit code of the process.
inline int run_process(boost::asio::io_context& io, boost::asio::awaitable<void> body)
{
    int code = 0;
    boost::asio::co_spawn(io, std::move(body), [&](std::exception_ptr error) {
        try {
            if (error)
                std::rethrow_exception(error);
        } catch (const std::exception& failure) {
            std::cerr << failure.what() << std::endl;
            code = 1;
        }
    });
    io.run();
    return code;
}

} // namespace coworker::test
