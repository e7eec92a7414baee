// SPDX-License-Identifier: MIT
#pragma once

#include "redis/reply.hpp"
#include "redis/script.hpp"
#include "redis/script_arguments.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/redis/request.hpp>

#include <functional>
#include <span>

namespace coworker::detail {

namespace asio = boost::asio;

/// Sends a request to where its keys are, and waits for the answers.
using request_sender = std::function<asio::awaitable<void>(const boost::redis::request&, reply&)>;

/// Calls a script that only reads with each of these arguments, of which there are some; all in one request. Each node
/// has its own scripts: one that does not have this one is given it, and all is called again. The answers stand in the
/// order of the arguments.
asio::awaitable<reply> call_on_each_node(const script& what, std::span<const script_arguments> calls,
                                         request_sender send);

} // namespace coworker::detail
