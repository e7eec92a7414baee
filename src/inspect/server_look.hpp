// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/inspect/server_info.hpp"
#include "inspect/inspection.hpp"

namespace coworker::detail {

asio::awaitable<server_info> show_server(shared_inspection self);

} // namespace coworker::detail
