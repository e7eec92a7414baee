#pragma once

#include "program/connection.hpp"
#include "program/queue_name.hpp"

#include <coworker/list_queue.hpp>
#include <coworker/managed_queue.hpp>

#include <set>
#include <string>
#include <vector>

namespace coworker::program {

/// The names of all list queues, in order. Looks at every key of the database, in small steps.
asio::awaitable<std::vector<std::string>> list_queue_names(client& redis);

/// Whether anything is stored of a list queue. An empty one of which nothing has been counted is not.
asio::awaitable<bool> list_queue_exists(client& redis, const std::string& name);

/// Throws `failure` with `exit_code::not_found` if one of the queues does not exist.
asio::awaitable<void> expect_queues(client& redis, const server_settings& server,
                                    const std::vector<queue_name>& queues);

} // namespace coworker::program
