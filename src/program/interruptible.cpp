// SPDX-License-Identifier: MIT
#include "program/interruptible.hpp"

#include "program/service/service_signals.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>

#include <exception>

namespace coworker::program {

bool run_interruptibly(asio::io_context& io, const std::function<asio::awaitable<void>()>& task)
{
    asio::cancellation_signal cancel;
    bool cancelled = false;
    service_signals signals{io};
    const auto listen = [&]() -> asio::awaitable<void> {
        auto wanted = wish::quiet;
        while (wanted == wish::quiet) // nothing is begun here
            wanted = co_await signals.wait();
        cancelled = true;
        cancel.emit(asio::cancellation_type::terminal);
        for (;;)
            if (co_await signals.wait() == wish::stop)
                io.stop(); // it waits for a server that does not answer
    };
    std::exception_ptr error;
    const auto ended = [&](std::exception_ptr thrown) {
        error = thrown;
        signals.cancel();
    };
    asio::co_spawn(io, task(), asio::bind_cancellation_slot(cancel.slot(), ended));
    asio::co_spawn(io, listen(), [](std::exception_ptr) {});
    io.run();
    if (error && !cancelled)
        std::rethrow_exception(error);
    return !cancelled;
}

} // namespace coworker::program
