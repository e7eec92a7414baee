#pragma once

#include "coworker/event.hpp"

#include <chrono>

namespace coworker {

/// Is told what happens to the connection of a `job_source`. A worker is one.
class connection_listener
{
public:
    /// The connection was made, made again, or lost, or needs attention.
    virtual void connection_event(const event& what) = 0;

    /// A new connection is up, and nothing has been sent on it. While there was none, others may have taken over the
    /// jobs; and a server that has just become the primary may not know of the last outcomes. The worker then renews
    /// all leases and reconciles the queues of this connection.
    virtual void new_connection() = 0;

protected:
    ~connection_listener() = default;
};

/// What several sources of one worker may share: the connection to where their jobs are.
///
/// All calls run on the worker's executor.
class source_connection
{
public:
    using clock = std::chrono::steady_clock;

    virtual ~source_connection() = default;

    /// When the present connection, or the attempt to make one, began. What is answered on it was not carried out
    /// earlier, however long the call has waited to be sent: a lease begins here, or when the source was called,
    /// whichever is later.
    virtual clock::time_point connecting_since() const noexcept = 0;

    /// How long a worker that ends goes on trying to store outcomes. Zero: for ever.
    virtual std::chrono::milliseconds command_timeout() const noexcept = 0;

    /// Tells `who` of everything from now on. It lives until `detach`.
    virtual void attach(connection_listener& who) = 0;
    virtual void detach(connection_listener& who) = 0;
};

} // namespace coworker
