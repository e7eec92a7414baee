// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace coworker::program {

/// The word that somebody may have meant who has typed another one; empty: none is like it.
std::string nearest_word(std::string_view typed, std::span<const std::string> known);

} // namespace coworker::program
