#pragma once

#include "program/commands/top_frame.hpp"

#include <string>
#include <string_view>
#include <vector>

#include <termios.h>

namespace coworker::cli {

enum class key
{
    other,
    quit,
    left,
    right,
    up,
    down,
    page_up,
    page_down,
    reverse
};

/// The keys in what was read from a terminal.
std::vector<key> read_keys(std::string_view bytes);

/// The terminal that standard output is, taken over as a whole and given back as it was.
class terminal_screen
{
public:
    /// @throws failure  It cannot be opened.
    terminal_screen();
    ~terminal_screen();
    terminal_screen(const terminal_screen&) = delete;
    terminal_screen& operator=(const terminal_screen&) = delete;

    /// Switches to a screen of its own, without echo and cursor; `leave` undoes that. Both may be called again.
    void enter();
    void leave() noexcept;

    screen_size size() const;
    /// @throws output_closed  The terminal has gone.
    void show(const std::vector<std::string>& lines);

    /// To wait on for keys.
    int file() const noexcept { return file_; }
    /// What was typed; empty: nothing was. Never waits.
    std::string read();

private:
    int file_ = -1; ///< of its own, since it does not block
    termios before_{};
    bool entered_ = false;
};

} // namespace coworker::cli
