// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace coworker::detail {

/// How TLS is used with a MySQL; `unset` is what the option files say.
enum class mysql_tls
{
    unset,
    off,
    required,
    verify
};

/// Where a MySQL is, and how to connect to it. What is empty comes from the option files.
struct mysql_address
{
    std::string user{}, password{}, host{}, database{};
    unsigned port = 0;
    std::string socket{};
    mysql_tls tls = mysql_tls::unset;
    std::string ca{}, certificate{}, key{}; ///< files
    std::string plugins{};                  ///< folder
    std::string option_file{};
};

/// @throws system_error  `errc::invalid_option`; its text does not repeat the URL, which may have a password
mysql_address read_mysql_address(std::string_view url);

} // namespace coworker::detail
