// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "redis/reply.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/redis/request.hpp>

namespace coworker::detail {

namespace asio = boost::asio;

/// Asks a server over a connection of its own, which is not checked: one that is not fit to hold jobs answers, too. The
/// answer is the reply's last. Throws `errc::unavailable` when there is none.
///
/// @param how  the server's URL, and how to reach it
asio::awaitable<reply> ask_apart(asio::any_io_executor executor, client_options how,
                                 boost::redis::request what);

} // namespace coworker::detail
