// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"
#include "list/keys.hpp"
#include "redis/gathered_pushes.hpp"

#include <memory>
#include <string>

/// Pushes of single jobs to list queues, which go to Redis together.
namespace coworker::detail {

/// One LPUSH takes no more values: short commands keep Redis' other clients from waiting.
constexpr std::size_t pushes_per_command = 256;

/// A push of a job that may run now and whose id is not remembered.
std::shared_ptr<waiting_push> make_plain_push(const list_keys& keys, std::string id, std::string payload);

/// A push of a job with options.
///
/// @param most  how many jobs may wait; zero: any number
/// @param pushed  where to note whether its id was new, if the push succeeds; has to exist as long as the push's
///   handler does. Null: nobody asks.
std::shared_ptr<waiting_push> make_submission(std::shared_ptr<const list_keys> keys, std::string id,
                                              std::string payload, const push_options& how,
                                              std::uint64_t most, bool* pushed = nullptr);

} // namespace coworker::detail
