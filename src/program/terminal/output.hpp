// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace coworker::program {

/// Whoever read standard output has gone. The program ends without a word.
struct output_closed
{};

enum class tone
{
    plain,
    heading,
    good,
    attention,
    bad
};

/// Whether a file is a terminal of somebody who does not refuse colours.
bool may_have_colours(int file);

/// Standard output. What is written is kept until it is worth a call, or until `flush`.
class output
{
public:
    output();

    /// People read along: colours may be used, and lines be overwritten.
    bool is_terminal() const noexcept { return terminal_; }
    /// Colours only for people who do not refuse them with NO_COLOR.
    bool has_colours() const noexcept { return colours_; }

    /// Writes a line. The text must be fit for a terminal; see `escaped`.
    void line(std::string_view text);

    /// The text in a colour, where there are colours.
    std::string painted(std::string_view text, tone colour) const;

    /// @throws output_closed
    /// @throws failure  for any other reason, such as a full disk
    void flush();

private:
    std::string waiting_;
    bool terminal_;
    bool colours_;
};

/// Writes a line to standard error, whatever becomes of it. Control characters are escaped.
void complain(std::string_view text);

/// To be called first: a closed pipe must not kill the program between two steps of its work, and no connection
/// may get the number of a standard stream that was closed.
void prepare_standard_streams();

} // namespace coworker::program
