// SPDX-License-Identifier: MIT
#pragma once

#include "managed/managed_call.hpp"
#include "redis/gathered_pushes.hpp"

#include <memory>
#include <string>

namespace coworker::detail {

/// A put that goes to Redis together with others of the same prefix, whatever their queues.
///
/// @param put  a call of `put`
std::shared_ptr<waiting_push> make_put(std::string jid, managed_call put);

} // namespace coworker::detail
