// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

namespace coworker::program {

/// Where a command listens.
struct listen_place
{
    std::string address = "127.0.0.1"; ///< an IP address
    std::uint16_t port = 0;            ///< zero: any free one
};

/// Reads "HOST:PORT", with an address of IPv6 in brackets, and "localhost" for 127.0.0.1.
///
/// @param option  that said so, for the message
/// @throws failure  `exit_code::usage`
listen_place read_listen_place(const std::string& option, const std::string& text);

/// As a URL has it: "127.0.0.1:8080", "[::1]:8080".
std::string to_string(const listen_place& place);

} // namespace coworker::program
