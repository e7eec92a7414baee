// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/durability.hpp"
#include "redis/reply.hpp"

#include <boost/redis/request.hpp>

#include <exception>
#include <optional>
#include <string_view>

/// How writes are confirmed: by a command behind them in the same request, so on the same connection.
namespace coworker::detail {

/// The command that says whether writes have reached what was asked for.
enum class confirmation
{
    wait,    ///< WAIT, which waits for replicas
    waitaof, ///< WAITAOF, which waits for the disk
    config, ///< CONFIG GET: where it says that Redis syncs before it answers, the answers are the confirmation
};

/// Asks the server how it can confirm `durability::synced`.
void write_question(boost::redis::request& request);

/// Reads what it answered. Throws `errc::not_supported` where it cannot.
confirmation read_means(const reply& answers);

/// Appends the command that waits for what stands before it in the request.
void write_confirmation(boost::redis::request& request, confirmation means, const durability& wanted);

/// Whether a command was refused: what was refused is not there to be confirmed.
bool has_refusal(const reply& answers);

/// Why the answer to that command is no confirmation, as `errc::unconfirmed`; null if it is one.
std::exception_ptr why_unconfirmed(const reply& answer, confirmation means, const durability& wanted);

} // namespace coworker::detail
