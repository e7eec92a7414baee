// SPDX-License-Identifier: MIT
#pragma once

#include "program/listen_place.hpp"
#include "program/options.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <functional>
#include <memory>
#include <string>

namespace coworker::program {

/// Serves one page over HTTP: GET /metrics.
///
/// Each client has two seconds, and of many the oldest has to go, so a process that runs jobs spends little on it
/// whatever clients do, and none of them keeps another waiting.
///
/// @par Lifetime  Its executor has to be single-threaded. Destroying it stops it.
class metrics_server
{
public:
    /// Listens, and serves from then on.
    ///
    /// @param page  makes the text; called on the executor
    /// @throws failure  `exit_code::failed`: it cannot listen there.
    metrics_server(boost::asio::any_io_executor executor, const listen_place& place,
                   std::function<std::string()> page);
    ~metrics_server();
    metrics_server(const metrics_server&) = delete;
    metrics_server& operator=(const metrics_server&) = delete;

    /// Where it can be found, "http://127.0.0.1:9100/metrics".
    std::string url() const;

    /// Ends it, so that the context can run out of work. Does nothing when it has ended.
    void stop();

private:
    struct state;

    listen_place place_;
    std::shared_ptr<state> state_;
};

/// Adds the option --metrics.
void add_metrics_option(command_options command, std::string& place);

} // namespace coworker::program
