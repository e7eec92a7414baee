// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/io_context.hpp>

#include <functional>

namespace coworker::program {

namespace asio = boost::asio;

/// Runs a coroutine of a program that has nothing to finish, until it ends. A signal to stop or to reload cancels it
/// (terminal), once; what it throws then is dropped. A second signal to stop leaves it where it is: it may wait for a
/// server that does not answer. See `service_signals`.
///
/// Returns whether it ended by itself.
bool run_interruptibly(asio::io_context& io, const std::function<asio::awaitable<void>()>& task);

} // namespace coworker::program
