// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace coworker::test {

/// Checks bytes that came from the gateway: answers in a row, each as HTTP wants it, with a body that is what it
/// claims to be. Returns what is wrong, empty if nothing is. An answer that says that the gateway failed is wrong.
std::string check_answers(std::string_view bytes);

} // namespace coworker::test
