// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::program {

/// Where a primary is found with the help of Sentinels.
struct sentinel_url
{
    std::string url;                    ///< of the primary, but for its host: user, password, database, TLS
    std::vector<std::string> sentinels; ///< "host:port" each
    std::string primary;                ///< its name
    std::string user, password;         ///< at the Sentinels
};

/// Without and with TLS.
inline constexpr std::array<std::string_view, 2> sentinel_schemes = {"redis+sentinel", "rediss+sentinel"};

/// Reads redis+sentinel://[user:password@]HOST[:PORT][,HOST[:PORT]...]/PRIMARY[/DATABASE], or rediss+sentinel:// for
/// TLS to the primary and to the Sentinels. Behind a ? may follow sentinel_user=…, sentinel_password=… and db=…, with &
/// between them. Nothing if it has another scheme.
///
/// @throws failure  `exit_code::usage`
std::optional<sentinel_url> parse_sentinel_url(std::string_view url);

} // namespace coworker::program
