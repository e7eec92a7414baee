#pragma once

#include "program/terminal/terminal_screen.hpp"

#include <boost/asio/any_io_executor.hpp>
#include <boost/asio/awaitable.hpp>
#include <boost/asio/cancellation_signal.hpp>

#include <chrono>
#include <memory>

namespace coworker::cli {

/// Keys, signals and time, for `top`.
///
/// @par Lifetime  The screen must outlive it.
class top_input
{
public:
    /// What happened while `wait` waited.
    struct happening
    {
        bool time_to_look = false;
        bool end = false;    ///< q, or a signal that ends programs
        bool redraw = false; ///< the window has another size, or the program was stopped for a while
        std::vector<key> keys{};
    };

    /// @param screen  none: there are no keys
    top_input(const boost::asio::any_io_executor& executor, terminal_screen* screen);
    ~top_input();

    /// Emits `terminal` at the end, for what is under way then.
    boost::asio::cancellation_slot end_slot();

    /// Waits until something happens, at the latest until `deadline`.
    boost::asio::awaitable<happening> wait(std::chrono::steady_clock::time_point deadline);

private:
    struct state;
    std::shared_ptr<state> state_;
};

} // namespace coworker::cli
