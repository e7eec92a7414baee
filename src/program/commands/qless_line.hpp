#pragma once

#include "redis/reply.hpp"
#include "redis/script.hpp"

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

/// The script of a command, such as "put" or "config.get"; none if there is no such command.
const detail::script* find_command(std::string_view name);

/// The line for what a script answered, errors included.
std::string reply_line(const detail::reply& answers);

/// The line for an error. Bytes of a text that is not UTF-8 are shown in hexadecimal.
std::string error_line(std::string_view text);

/// What clients of qless see of an error that Redis answered: without its code `ERR`, and without the name,
/// line and hash of the script that raised it.
std::string bare_error(std::string_view text);

} // namespace coworker::program
