#pragma once

#include "coworker/inspect/worker_info.hpp"
#include "inspect/inspection.hpp"

namespace coworker::detail {

asio::awaitable<std::vector<worker_info>> show_workers(shared_inspection self);

} // namespace coworker::detail
