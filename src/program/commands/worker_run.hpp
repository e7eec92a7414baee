// SPDX-License-Identifier: MIT
#pragma once

#include "program/listen_place.hpp"
#include "program/redis_access.hpp"

#include "program/service/log_format.hpp"
#include "program/service/notifier.hpp"

#include <coworker/worker.hpp>

#include <boost/asio/io_context.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace coworker::program {

/// A worker that runs until somebody tells this process to stop.
struct worker_run
{
    std::string client_name;
    worker_options options{};
    std::vector<queue_ref> queues{};       ///< on which it works
    log_settings log{};                    ///< its events are logged
    notify_settings service{};             ///< and a service manager is told
    std::optional<listen_place> metrics{}; ///< where they are served

    /// Gives the worker its queues; called when the server has answered.
    std::function<void(client&, worker&)> prepare;

    /// The second SIGTERM or SIGINT has come: what runs is about to be cancelled.
    std::function<void()> hurry{};

    /// Something that must not end while the worker runs. When it returns, the worker is stopped at once, and the
    /// text is the reason.
    std::function<asio::awaitable<std::string>()> watch{};
};

/// Connects and works. The first SIGTERM or SIGINT lets what runs end, the second gives it back at once.
///
/// @throws failure  as `with_redis`
exit_code run_worker(asio::io_context& io, const server_settings& server, const worker_run& run);

} // namespace coworker::program
