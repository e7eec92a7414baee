// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_queue.hpp"

#include <boost/asio/awaitable.hpp>

#include <span>
#include <variant>
#include <vector>

namespace coworker::detail {

/// What became of a job: the result of its push, or what was wrong with it, or with Redis.
using tried_push = std::variant<push_result, system_error>;

/// Whether an error is of the job itself. It comes before anything is sent.
bool is_about_a_job(const error_code& code) noexcept;

/// Pushes jobs in one call; in halves where there is one that is wrong, so that it keeps no other away. Returns what
/// became of each, in the same order.
/// @param jobs  must live until it has ended
boost::asio::awaitable<std::vector<tried_push>> push_usable(const managed_queue& queue,
                                                            std::span<const new_managed_job> jobs);

} // namespace coworker::detail
