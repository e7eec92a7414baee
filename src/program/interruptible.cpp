// SPDX-License-Identifier: MIT
#include "program/interruptible.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/system/error_code.hpp>

#include <csignal>
#include <exception>

namespace coworker::program {

bool run_interruptibly(asio::io_context& io, const std::function<asio::awaitable<void>()>& task)
{
    asio::cancellation_signal cancel;
    bool cancelled = false;
    asio::signal_set signals{io, SIGINT, SIGTERM};
    signals.async_wait([&](const boost::system::error_code& ec, int) {
        if (ec)
            return;
        cancelled = true;
        signals.async_wait([&io](const boost::system::error_code& again, int) {
            if (!again)
                io.stop();
        });
        cancel.emit(asio::cancellation_type::terminal);
    });
    std::exception_ptr error;
    const auto ended = [&](std::exception_ptr thrown) {
        error = thrown;
        signals.cancel();
    };
    asio::co_spawn(io, task(), asio::bind_cancellation_slot(cancel.slot(), ended));
    io.run();
    if (error && !cancelled)
        std::rethrow_exception(error);
    return !cancelled;
}

} // namespace coworker::program
