// SPDX-License-Identifier: MIT
#pragma once

#include "gateway/answer.hpp"

namespace coworker::detail {

/// What goes before the body of an answer: its status line and its fields, up to the empty line.
std::string format_head(const answer& what, bool keep_alive);

} // namespace coworker::detail
