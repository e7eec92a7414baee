// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <cstdlib>
#include <exception>
#include <string>

#include <unistd.h>

/// What the processes of the fault tests have in common, which are made to be killed.
namespace coworker::test {

/// Writes a line with this process' id to the standard error, which others write to as well. In one piece, so that the
/// lines of two that speak at once do not mix: a test waits for some of them.
inline void tell_test(const std::string& what)
{
    const auto line = std::to_string(::getpid()) + ' ' + what + '\n';
    if (::write(STDERR_FILENO, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
        std::abort();
}

/// Runs until the coroutine has ended. Returns the exit code of the process.
inline int run_process(boost::asio::io_context& io, boost::asio::awaitable<void> body)
{
    int code = 0;
    boost::asio::co_spawn(io, std::move(body), [&](std::exception_ptr error) {
        try {
            if (error)
                std::rethrow_exception(error);
        } catch (const std::exception& failure) {
            tell_test(failure.what());
            code = 1;
        }
    });
    io.run();
    return code;
}

} // namespace coworker::test
