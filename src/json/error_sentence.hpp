// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"

#include <string>

namespace coworker::detail {

/// What is wrong, as one sentence with the error's code in brackets: what it says itself, or what its code means.
///
///     "A batch's id has at most 200 bytes [coworker:12]."
std::string sentence_of(const system_error& error);

/// What an error says, without what its code says of all errors like it. Empty: nothing.
std::string own_words_of(const system_error& error);

} // namespace coworker::detail
