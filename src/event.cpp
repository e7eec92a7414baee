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
    case event_kind::taken:
        return "taken";
    case event_kind::started:
        return "started";
    case event_kind::succeeded:
        return "succeeded";
    case event_kind::advanced:
        return "advanced";
    case event_kind::retried:
        return "retried";
    case event_kind::failed:
        return "failed";
    case event_kind::broken:
        return "broken";
    case event_kind::given_back:
        return "given_back";
    case event_kind::lease_lost:
        return "lease_lost";
    case event_kind::leases_renewed:
        return "leases_renewed";
    case event_kind::recovered:
        return "recovered";
    case event_kind::settle_failed:
        return "settle_failed";
    case event_kind::take_failed:
        return "take_failed";
    case event_kind::safety_poll_found_work:
        return "safety_poll_found_work";
    case event_kind::draining:
        return "draining";
    case event_kind::stopped:
        return "stopped";
    }
    return "unknown";
}

} // namespace coworker
