// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// Redis URLs.
namespace coworker::detail {

enum class transport
{
    tcp,
    tls,
    unix_socket
};

struct address
{
    transport kind = transport::tcp;
    std::string host = "localhost";
    std::string port = "6379";
    std::string path; ///< of the unix socket
    std::string user;
    std::string password;
    int database = 0;
    std::vector<std::pair<std::string, std::string>>
        nodes{}; ///< hosts and ports of a cluster's; none: it is one server

    /// For messages; without the password.
    std::string display() const;
};

/// @throws system_error  `errc::invalid_option`, saying which part of the URL is wrong.
address parse_url(std::string_view url);

} // namespace coworker::detail
