// SPDX-License-Identifier: MIT
#pragma once

#include "redis/reply.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ssl/context.hpp>
#include <boost/redis/config.hpp>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace coworker::detail {

namespace asio = boost::asio;

/// Reads "host:port", "[address]:port" with an IPv6 address, or either without a port, which is 26379 then.
///
/// @throws system_error  `errc::invalid_option`
boost::redis::address parse_sentinel(std::string_view place);

/// Which server is the primary, as a Sentinel tells.
struct named_primary
{
    boost::redis::address where{{}, {}};
    std::string run_id;       ///< of the server that was found there last; empty: it has not been reached yet
    std::uint64_t epoch = 0;  ///< of the failover that made it the primary: a later one counts
    std::size_t sentinel = 0; ///< who told: the place in the configuration
};

/// Reads the answer to `SENTINEL MASTER`. Nothing if it is an error or names no server. Throws
/// `errc::unexpected_answer` for an answer of another shape.
std::optional<named_primary> read_primary(const reply::answer& told);

/// Asks all Sentinels of a configuration, one after the other, and returns what is the latest; nothing if none of them
/// answers. One that is cut from the others may not have heard of the last failover.
///
/// @param make_tls  makes the TLS settings of one connection
asio::awaitable<std::optional<named_primary>> ask_all_sentinels(asio::any_io_executor executor,
                                                                std::function<asio::ssl::context()> make_tls,
                                                                boost::redis::config where);

/// How to connect to one of the Sentinels of a configuration, and sign in to it.
boost::redis::config sentinel_alone(boost::redis::config where, const boost::redis::address& sentinel);

/// What Boost.Redis says of Sentinels that were asked in vain, each on a line of its own, on one line.
std::string on_one_line(std::string_view text);

} // namespace coworker::detail
