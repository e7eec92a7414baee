// SPDX-License-Identifier: MIT
#pragma once

#include "gateway/timed_socket.hpp"

#include <boost/asio/cancellation_signal.hpp>

#include <memory>

namespace coworker::detail {

/// Notices that a client goes while its request is being answered: it closes its side of the connection, or all of it.
/// Nothing else reads meanwhile. A client that has sent its next request already is not noticed.
class departure
{
public:
    explicit departure(std::shared_ptr<timed_socket> socket);
    ~departure();
    departure(const departure&) = delete;
    departure& operator=(const departure&) = delete;

    /// For what is to end then.
    asio::cancellation_slot ends_waiting() const;
    bool has_happened() const noexcept;

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace coworker::detail
