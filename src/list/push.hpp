#pragma once

#include "coworker/list_queue.hpp"
#include "redis/connection.hpp"

#include <string>
#include <vector>

namespace coworker::detail {

/// A job under an id of the caller's.
struct identified_job
{
    std::string id;
    std::string job; ///< JSON text, known to be valid
};

/// Queues many in a list queue, thousands in a round trip, in order. The same id twice is two jobs.
///
/// @param when  for all of them; an id cannot be given
/// @par Errors  as `raw_list_queue::push_json` for many; all are checked before any is sent.
asio::awaitable<void> push_identified(connection& redis, std::string queue, list_queue_options options,
                                      std::vector<identified_job> jobs, push_options when);

} // namespace coworker::detail
