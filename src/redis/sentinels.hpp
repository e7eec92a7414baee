// SPDX-License-Identifier: MIT
#pragma once

#include "redis/reply.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/redis/config.hpp>

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace coworker::detail {

namespace asio = boost::asio;

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
asio::awaitable<std::optional<named_primary>> ask_all_sentinels(asio::any_io_executor executor,
                                                                boost::redis::config where);

} // namespace coworker::detail
