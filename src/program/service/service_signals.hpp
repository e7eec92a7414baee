// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

namespace coworker::program {

namespace asio = boost::asio;

/// What a signal asks of a program that runs until it is told to end.
enum class wish
{
    stop,   ///< end when what runs has ended; the second time, at once
    reload, ///< read files anew; where there are none, end when what runs has ended
    quiet,  ///< begin nothing more, and stay
};

/// The signals of such a program. One that means nothing to it does not end it. docs/service.md has the table.
class service_signals
{
public:
    /// From now on signals wait to be heard. A SIGHUP that is ignored already, as `nohup` has it, stays so.
    explicit service_signals(asio::io_context& io);

    /// Waits for the next wish.
    ///
    /// @throws system_error  `operation_aborted`, after `cancel`
    asio::awaitable<wish> wait();

    /// Ends `wait`.
    void cancel() { signals_.cancel(); }

private:
    asio::signal_set signals_;
};

} // namespace coworker::program
