// SPDX-License-Identifier: MIT
#pragma once

#include "generator.hpp"
#include "live_queue.hpp"
#include "managed_model.hpp"

namespace coworker::test::model {

/// A call as it can be read, and typed again.
std::string text_of(const generated_call& call);

std::string differ(const std::string& what, const strings& is, const strings& wanted);

/// What differs between the scripts' reply and the model's; nothing if they are equal.
std::string difference(const redis_value& found, const outcome& expected);

} // namespace coworker::test::model
