// SPDX-License-Identifier: MIT
#include "redis/client_address.hpp"

#include "redis/sentinels.hpp"

#include <string>
#include <utility>

namespace coworker::detail {

address client_address(const client_options& options)
{
    address where = parse_url(options.url);
    if (!options.user.empty())
        where.user = options.user;
    if (!options.password.empty())
        where.password = options.password;
    if (options.client_name.str().find_first_of(" \t\r\n") != std::string::npos)
        throw explained_error{errc::invalid_option, "client_name contains blanks"};
    for (const auto& [name, time] : {std::pair{"connect_timeout", options.connect_timeout},
                                     {"command_timeout", options.command_timeout},
                                     {"health_check_interval", options.health_check_interval}})
        if (time.count() < 0)
            throw explained_error{errc::invalid_option, std::string{name} + " is negative"};
    if (!options.sentinels.empty() && !where.nodes.empty())
        throw explained_error{errc::invalid_option, "sentinels cannot be used with redis+cluster://"};
    if (!options.sentinels.empty() && where.kind == transport::unix_socket)
        throw explained_error{errc::invalid_option, "sentinels cannot be used with a unix socket"};
    for (const auto& sentinel : options.sentinels)
        (void)parse_sentinel(sentinel);
    return where;
}

} // namespace coworker::detail
