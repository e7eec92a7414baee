// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"

#include <optional>
#include <string_view>

namespace coworker::detail {

/// What a script means that answers with this text, with or without Redis' "ERR ". Empty: it does not say no to
/// a sensible question but complains about the question.
std::optional<errc> find_refusal(std::string_view text) noexcept;

/// The error that such a text is, whatever it says.
error_code error_of_refusal(std::string_view text);

} // namespace coworker::detail
