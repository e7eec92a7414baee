// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/queue_ref.hpp"

#include <optional>
#include <string>
#include <string_view>

/// How queues are named in paths, in JSON and on the command line: `NAME` is a list queue, `managed:NAME` a managed one,
/// and `list:NAME` a list queue whose name may begin with either.
namespace coworker::detail {

/// In bytes.
inline constexpr std::size_t longest_queue_name = 512;

/// The queue of that name. Nothing if the name is empty or too long.
std::optional<queue_ref> queue_called(std::string_view text);

/// The queue's name as `queue_called` reads it. For a managed queue without a name, which stands for all of them: empty.
std::string call_queue(const queue_ref& queue);

/// The same for a managed queue.
std::string call_managed_queue(std::string_view name);

/// "there is no queue 'mail', or it is empty and nobody has ever worked on it"
std::string complaint_of_missing(const queue_ref& queue);

} // namespace coworker::detail
