// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace coworker::test {

/// Checks bytes that came from the gateway: answers in a row, each as HTTP wants it, with a body that is what it
/// claims to be. Returns what is wrong, empty if nothing is.
///
/// @param may_fail  an answer may say that Redis is away, or has answered what makes no sense
std::string check_answers(std::string_view bytes, bool may_fail = false);

} // namespace coworker::test
