// SPDX-License-Identifier: MIT
#include "coworker/job.hpp"

#include <boost/uuid/string_generator.hpp>
#include <boost/uuid/uuid.hpp>

namespace coworker {

std::optional<timestamp> queued_at(std::string_view job_id)
{
    // With dashes, or without, as qless' clients write it. Anything else is only taken for a UUID by accident.
    if (job_id.size() != 36 && job_id.size() != 32)
        return std::nullopt;
    try {
        const auto id = boost::uuids::string_generator{}(job_id.begin(), job_id.end());
        if (id.version() != boost::uuids::uuid::version_time_based_v7)
            return std::nullopt;
        return timestamp{id.time_point_v7().time_since_epoch()};
    } catch (const std::exception&) {
        return std::nullopt;
    }
}

} // namespace coworker
