// SPDX-License-Identifier: MIT
#pragma once

#include <boost/asio/awaitable.hpp>
#include <boost/asio/ssl/context.hpp>

#include <chrono>
#include <string>
#include <string_view>

namespace coworker::program {

/// Where webhooks go.
struct webhook_target
{
    bool tls = true;
    std::string host, port;
    std::string authority; ///< host and port as the URL has them
    std::string path;      ///< with what stands behind a ?
};

/// @throws failure  `exit_code::usage`: it is no http:// or https:// URL.
webhook_target read_webhook_target(std::string_view url);

/// Whom to trust. Connections are made by it.
///
/// @param ca_file  empty: those whom the system trusts
/// @throws failure  `exit_code::usage`: the file cannot be read.
boost::asio::ssl::context make_webhook_tls(const std::string& ca_file);

/// A request, headers and all.
///
/// @param headers  lines, each with its end
std::string webhook_request(const webhook_target& target, std::string_view headers, std::string_view body);

/// Sends it over a connection of its own, and returns the status of the answer, of which it reads the first line: nothing
/// behind it does harm, however much it is, and redirects are not followed.
///
/// @throws system_error  There was no such answer within this time.
boost::asio::awaitable<int> post_webhook(const webhook_target& target, boost::asio::ssl::context& tls,
                                         const std::string& request, std::chrono::milliseconds timeout);

} // namespace coworker::program
