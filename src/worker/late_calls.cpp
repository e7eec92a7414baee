// SPDX-License-Identifier: MIT
#include "worker/late_calls.hpp"

namespace coworker::detail {
namespace {

/// A call is late when nothing was heard of its queue for one to two of these: far more than calls over long distances
/// take, and far less than it takes a cluster to replace a node.
constexpr std::chrono::milliseconds time_between_looks{500};

} // namespace

void late_calls::look_later()
{
    if (will_look_ || life_.stops() || !dispatcher_.keeps_places())
        return;
    will_look_ = true;
    look_timer_.expires_after(time_between_looks);
    look_timer_.async_wait([self = life_.keep(), this](error_code ec) {
        will_look_ = false;
        if (ec)
            return;
        dispatcher_.look_for_late_calls();
        life_.there_is_work(); // and a pump that finds none has this look again
    });
}

} // namespace coworker::detail
