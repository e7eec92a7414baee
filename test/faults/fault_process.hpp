// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>

#include <cstdlib>
#include <exception>
#include <iostream>
#include <string>

#include <fcntl.h>
#include <unistd.h>

/// What the processes of the fault tests have in common: they are made to be killed, and leave lines in a file.
namespace coworker::test {

inline int open_record(const char* name)
{
    return ::open(name, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
}

/// In one piece, so that what was written survives SIGKILL.
inline void write_down(int file, const std::string& line)
{
    if (::write(file, line.data(), line.size()) != static_cast<ssize_t>(line.size()))
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
            std::cerr << failure.what() << std::endl;
            code = 1;
        }
    });
    io.run();
    return code;
}

} // namespace coworker::test
