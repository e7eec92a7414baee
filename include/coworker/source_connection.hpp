// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/event.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <chrono>

namespace coworker {

namespace asio = boost::asio;

/// Receives what happens to the connection of a `job_source`. The worker implements it.
class connection_listener
{
public:
    /// The connection is up, is up again, was lost, or needs attention (a warning).
    virtual void connection_event(const event& what) = 0;

    /// A new connection is up, and nothing has been sent on it. While there was none, other workers may have
    /// fetched this worker's jobs. A server that has just become the primary may lack the last outcomes. So the
    /// worker renews all leases and reconciles the queues of this connection.
    virtual void new_connection() = 0;

protected:
    ~connection_listener() = default;
};

/// The connection to the place where jobs are kept. Several sources of one worker may share it.
///
/// All calls run on the worker's executor.
class source_connection
{
public:
    /// The clock of leases.
    using clock = std::chrono::steady_clock;

    virtual ~source_connection() = default;

    /// The executor on which everything of the connection runs. A worker or a monitor that runs on another one refuses
    /// the source. The default is an empty executor: any will do.
    virtual asio::any_io_executor get_executor() const { return {}; }

    /// When the present connection, or the attempt to make one, began. A call that is answered on this connection was
    /// not carried out earlier, however long it has waited to be sent. So a lease begins at this time, or when the
    /// source was called, whichever is later.
    virtual clock::time_point connecting_since() const noexcept = 0;

    /// How long a stopping worker goes on trying to store outcomes. Zero: for ever.
    virtual std::chrono::milliseconds command_timeout() const noexcept = 0;

    /// Calls `who` from now on until `detach`; it lives until then.
    virtual void attach(connection_listener& who) = 0;
    /// Ends what `attach` began.
    virtual void detach(connection_listener& who) = 0;
};

} // namespace coworker
