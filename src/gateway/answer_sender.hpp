// SPDX-License-Identifier: MIT
#pragma once

#include "gateway/answer.hpp"
#include "gateway/answer_head.hpp"
#include "gateway/byte_stream.hpp"
#include "gateway/timed_socket.hpp"

#include <chrono>

namespace coworker::detail {

/// Sends the answers of one connection. What a client takes too slowly ends the connection.
class answer_sender
{
public:
    /// @param limit  for each part of an answer
    answer_sender(byte_stream& stream, timed_socket& socket, std::chrono::milliseconds limit)
        : stream_{stream}, socket_{socket}, limit_{limit}
    {}

    /// Sends an answer with all its parts; after HEAD the head of it.
    asio::awaitable<void> send(const answer& what, bool is_head, head_facts facts, error_code& ec);

private:
    asio::awaitable<void> send_parts(const answer& what, error_code& ec);

    byte_stream& stream_;
    timed_socket& socket_;
    std::chrono::milliseconds limit_;
};

} // namespace coworker::detail
