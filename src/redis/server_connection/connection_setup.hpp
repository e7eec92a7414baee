// SPDX-License-Identifier: MIT
#pragma once

#include "redis/boost_redis.hpp"
#include "redis/reply.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/ssl/context.hpp>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

/// The commands with which a connection begins, and what it means when Redis refuses one.
namespace coworker::detail {

namespace asio = boost::asio;

enum class setup_step
{
    hello, ///< with user, password and name
    select_database,
    tracking,
    subscribe,
};

struct connection_setup
{
    std::string user, password, name;
    int database = 0;
    bool tracking = false;
    std::vector<std::string> channels;

    /// Adds the commands to a request. Returns which step each answer belongs to.
    std::vector<setup_step> add_to(boost::redis::request& request) const;
};

/// What Redis said to the first command that it did not carry out.
struct setup_refusal
{
    setup_step step;
    std::string text;    ///< Redis' own words
    std::string version; ///< of the server, if it told
};

enum class setup_verdict
{
    passes, ///< the server starts, is busy or full: the next attempt may succeed
    poll,   ///< nothing but tracking is refused, which can be done without
    authentication_refused,
    too_old,
    refused,
};

/// What a refusal means. Of Redis' words only the code counts, which is the first: what follows may name users, keys
/// and commands.
setup_verdict judge(const setup_refusal& refusal);

/// Connects, sends a request, and returns what was answered: nothing if there was no connection, a part if it was lost.
asio::awaitable<reply> ask_once(asio::any_io_executor executor, asio::ssl::context tls,
                                boost::redis::config where, boost::redis::request request);

/// Sends the set-up to the server as ordinary commands, over a connection of its own, and returns what was refused.
/// None: nothing was, or there was no connection.
///
/// @param make_tls  makes the TLS settings of one connection: Sentinels may have to be asked first
///
/// Boost.Redis says of a set-up that was refused only what it writes to its log.
asio::awaitable<std::optional<setup_refusal>> find_setup_refusal(asio::any_io_executor executor,
                                                                 std::function<asio::ssl::context()> make_tls,
                                                                 boost::redis::config where,
                                                                 connection_setup setup);

} // namespace coworker::detail
