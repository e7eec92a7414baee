// SPDX-License-Identifier: MIT
#pragma once

#include "worker/dispatcher/dispatcher.hpp"
#include "worker/worker_life.hpp"

#include <boost/asio/steady_timer.hpp>

namespace coworker::detail {

/// Sees to it that a server that does not answer, of several that a worker takes jobs from, does not keep the worker's
/// places from the queues of the others.
class late_calls
{
public:
    late_calls(worker_life& life, dispatcher& dispatch)
        : life_{life}, dispatcher_{dispatch}, look_timer_{life.get_executor()}
    {}

    /// For a pump that finds nothing to do, which may be for want of places. Costs nothing while no call is under way.
    void look_later();
    /// There is nothing more to wait for.
    void end_looks() { look_timer_.cancel(); }

private:
    worker_life& life_;
    dispatcher& dispatcher_;
    asio::steady_timer look_timer_;
    bool will_look_ = false;
};

} // namespace coworker::detail
