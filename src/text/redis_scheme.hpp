// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace coworker::detail {

/// What is wrong with the beginning of a URL of Redis, as a part of a sentence; empty: nothing. It shows nothing that may
/// be a password.
///
/// @param others  schemes that the caller reads beside those of a client
std::string complaint_of_scheme(std::string_view url, std::span<const std::string_view> others = {});

} // namespace coworker::detail
