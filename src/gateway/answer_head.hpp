// SPDX-License-Identifier: MIT
#pragma once

#include "gateway/answer.hpp"

namespace coworker::detail {

/// What becomes of a connection behind an answer, and what it is.
struct head_facts
{
    bool keep_alive = true;       ///< another request may come
    bool says_keep_alive = false; ///< to a client of HTTP/1.0, which has to be told
    bool is_encrypted = false;    ///< then browsers are told to use TLS from now on
};

/// What goes before the body of an answer: its status line and its fields, up to the empty line.
std::string format_head(const answer& what, const head_facts& facts);

} // namespace coworker::detail
