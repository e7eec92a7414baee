// SPDX-License-Identifier: MIT
#pragma once

#include "exec/launcher.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/posix/stream_descriptor.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace coworker::exec {

namespace asio = boost::asio;

/// Runs a command, as often and as many at a time as is asked for. One executor, one handler at a time.
class command_runner
{
public:
    /// @throws std::runtime_error  as `launcher`
    command_runner(const asio::any_io_executor& executor, const command& what);

    /// Runs the command in a sandbox of its own, and returns when nothing of it is left.
    ///
    /// @param input  its text need not live longer than the call; its files are closed here as soon as the command has
    ///   them
    /// @param cancelled  when this emits, the command is told to end, and killed when the grace is over. Nothing
    ///   else cancels.
    /// @throws std::system_error  It could not be tried.
    asio::awaitable<command_end> run(command_input input, asio::cancellation_slot cancelled);

    /// From now on commands that are told to end are killed at once.
    void be_short() noexcept { short_ = true; }

    /// Waits until the process that starts commands has ended, which it should not.
    asio::awaitable<void> wait_for_loss();

private:
    asio::awaitable<void> launch(int control, const command_input& what);

    launcher launcher_;
    asio::posix::stream_descriptor launcher_socket_; ///< the launcher's, to wait with
    bool short_ = false;
};

} // namespace coworker::exec
