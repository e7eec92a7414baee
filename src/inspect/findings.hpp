// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/finding.hpp"
#include "inspect/inspection.hpp"

namespace coworker::detail {

/// @param queue  of a list queue; empty: the managed queues
asio::awaitable<finding_page> show_findings(shared_inspection self, std::string queue, std::string cursor,
                                            bool repair, std::size_t count);

} // namespace coworker::detail
