// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/queue_ref.hpp"
#include "coworker/job_source.hpp"

#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace coworker::detail {

/// What has to be known of a job to renew its lease and to end it: all that a token contains.
struct leased_job
{
    fetched_job job; ///< as far as its source needs it; without the data in managed queues
    std::chrono::milliseconds retry_delay{0}; ///< for a retry that names none
    std::optional<unsigned> partition{};      ///< of a list queue; nothing: it is in the queue as a whole
    std::string worker{}; ///< of a list queue: who has taken it. In managed queues that is the lease
};

/// Writes a token. Texts in it have their length in front, so that any bytes may be in them.
std::string write_token(queue_kind kind, std::optional<unsigned> partition, const fetched_job& job,
                        std::chrono::milliseconds retry_delay, std::string_view worker);

/// Reads what `write_token` has written for a queue of this kind; nothing for anything else.
std::optional<leased_job> read_token(queue_kind kind, std::string_view token);

} // namespace coworker::detail
