// SPDX-License-Identifier: MIT
#include "coworker/event.hpp"

namespace coworker {

std::string_view to_string(event_kind kind) noexcept
{
    switch (kind) {
    case event_kind::connected:
        return "connected";
    case event_kind::disconnected:
        return "disconnected";
    case event_kind::reconnected:
        return "reconnected";
    case event_kind::warning:
        return "warning";
    case event_kind::fetched:
        return "fetched";
    case event_kind::started:
        return "started";
    case event_kind::succeeded:
        return "succeeded";
    case event_kind::forwarded:
        return "forwarded";
    case event_kind::retried:
        return "retried";
    case event_kind::failed:
        return "failed";
    case event_kind::broken:
        return "broken";
    case event_kind::released:
        return "released";
    case event_kind::lease_lost:
        return "lease_lost";
    case event_kind::in_doubt:
        return "in_doubt";
    case event_kind::unhandled:
        return "unhandled";
    case event_kind::leases_renewed:
        return "leases_renewed";
    case event_kind::recovered:
        return "recovered";
    case event_kind::ack_failed:
        return "ack_failed";
    case event_kind::fetch_failed:
        return "fetch_failed";
    case event_kind::fallback_poll_found_work:
        return "fallback_poll_found_work";
    case event_kind::stopping:
        return "stopping";
    case event_kind::stopped:
        return "stopped";
    }
    return "unknown";
}

} // namespace coworker
