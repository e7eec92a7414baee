// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"

#include <string>
#include <string_view>

namespace coworker::detail {

/// What is wrong, as one sentence with the error's code in brackets: what it says itself, or what its code means.
///
///     "A batch's id has at most 200 bytes [coworker:12]."
std::string sentence_of(const system_error& error);

/// The same without its code, as a part of a sentence.
std::string words_of(const system_error& error);

/// The same text with a capital letter in front.
std::string begin_sentence(std::string text);

/// What an error says, without what its code says of all errors like it. Empty: nothing.
std::string own_words_of(const system_error& error);

/// What a script of a managed queue says against a request: its text begins with the name of the command, "Put(): ".
/// Empty: it is Redis that refuses something.
std::string complaint_of_script(std::string_view text);

} // namespace coworker::detail
