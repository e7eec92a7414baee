// SPDX-License-Identifier: MIT
#pragma once

#include "program/exit_code.hpp"
#include "program/tls_files.hpp"

#include <coworker/client.hpp>
#include <coworker/job.hpp>
#include <coworker/managed_options.hpp>

#include <boost/asio/awaitable.hpp>

#include <functional>
#include <memory>
#include <string>

namespace coworker::program {

class embedded_redis;

/// What every command is told about the server.
struct server_settings
{
    std::string url;             ///< of --redis; empty: not given
    std::string environment_url; ///< of COWORKER_REDIS; empty: not set
    std::string prefix = "ql:";  ///< of the keys of managed queues
    tls_files files;             ///< of --redis-ca, --redis-cert and --redis-key
    tls_files environment_files; ///< of COWORKER_REDIS_CA and so on

    /// The server that is started when `embedded` is named as the URL; see `embedded_redis`. Here, so that it stays
    /// until the command has ended.
    mutable std::shared_ptr<embedded_redis> embedded{};

    managed_options managed() const { return {.prefix = prefix}; }

    /// What --redis or else COWORKER_REDIS says; empty: neither.
    const std::string& chosen_url() const { return url.empty() ? environment_url : url; }
};

/// Where Redis is looked for, who said so, and how to say it differently. Without user and password, and without what
/// stands behind a ?.
std::string where_redis_is(const server_settings& server);

/// The URL that a client needs; empty: the default. Starts the embedded server, if that is meant.
std::string url_of(const server_settings& server);

/// Sets COWORKER_REDIS and what belongs to it, so that programs that are started find the same server. May contain a
/// password.
void set_environment(const server_settings& server);

/// What an error says, without its number.
std::string text_of(const system_error& error);

/// What went wrong while a command was carried out, with what to do about it.
failure explain(const system_error& error, const server_settings& server);

/// A client that has not connected yet.
///
/// @param client_name  the beginning of its name in `CLIENT LIST`
/// @param adjust  called with the options before they are used
/// @throws failure  `exit_code::usage`: the URL cannot be used.
std::unique_ptr<client> make_client(const asio::any_io_executor& executor, const server_settings& server,
                                    std::string client_name,
                                    const std::function<void(client_options&)>& adjust = {});

/// Carries out `work`, and ends the connection behind it, whether it has ended, has failed or was cancelled. Throws
/// what `work` threw.
///
/// @param ended  called in between; may be empty
asio::awaitable<void> close_behind(client& redis, asio::awaitable<void> work, std::function<void()> ended);

using redis_task = std::function<asio::awaitable<exit_code>(client&)>;

/// Connects, carries out a task, and ends the connection.
///
/// @throws failure  The URL cannot be used, the server is away or unfit, or the task threw it.
exit_code with_redis(const server_settings& server, const redis_task& task);

} // namespace coworker::program
