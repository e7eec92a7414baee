// SPDX-License-Identifier: MIT
#pragma once

#include <coworker/qless_reply.hpp>

#include <string>
#include <string_view>
#include <vector>

/// The lines that `coworker qless` reads and writes.
///
/// A request is an object whose `args` are the command and its arguments, `now` first, as texts; whole
/// numbers stand for their text. Other members are ignored.
///
/// | answer | when |
/// | --- | --- |
/// | `{"ok": reply}` | texts as strings, integers as numbers, nil as null, lists as arrays |
/// | `{"hex": reply}` | in place of it when a text is not UTF-8, which JSON cannot hold: all texts in
/// hexadecimal | | `{"err": "text"}` | the command was refused, the line is none, or Redis is away |
namespace coworker::program {

struct request_line
{
    std::vector<std::string> words;
    std::string complaint; ///< what is wrong with the line; empty if nothing is
};

request_line parse_request(std::string_view line);

/// The line for what a command answered, errors included.
std::string reply_line(const qless_reply& reply);

/// The line for an error. Bytes of a text that is not UTF-8 are shown in hexadecimal.
std::string error_line(std::string_view text);

} // namespace coworker::program
