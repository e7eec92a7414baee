// SPDX-License-Identifier: MIT
#pragma once

#include "exec/command_runner.hpp"

#include <boost/asio/posix/stream_descriptor.hpp>
#include <boost/asio/steady_timer.hpp>

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

namespace coworker::exec {

/// A command that stays, and answers a line on its standard input with one or more on its standard output. It is kept
/// by a `shared_ptr`, and lives until the command has ended. One question at a time.
class line_child : public std::enable_shared_from_this<line_child>
{
public:
    static constexpr std::size_t longest_answer = 64 * 1024 * 1024; ///< bytes

    /// Starts it; what goes wrong with that is its end.
    ///
    /// @param runner  must live until it has ended
    static std::shared_ptr<line_child> start(command_runner& runner, const asio::any_io_executor& executor,
                                             std::string about);

    /// Writes a line and waits for the next one, without its end. Nothing: the command has ended, or has written what
    /// is no answer to this line; `problem` says which. Is not cancelled: `end` ends it.
    asio::awaitable<std::optional<std::string>> ask(std::string line);
    /// Waits for the next line. Same results and cancellation as above.
    asio::awaitable<std::optional<std::string>> hear();
    /// Why it has not answered; empty: it has ended by itself, and `wait` tells how. To be asked when it has ended.
    std::string_view problem() const noexcept;
    /// What it had to do is done. If it has written more than that, it is not ready for the next.
    ///
    /// @param what  how the caller calls what it was
    void has_answered(std::string what);
    /// What it had to do last; empty: nothing yet.
    const std::string& last_answered() const noexcept { return last_; }

    /// It has not ended, and there is no output that nobody asked for.
    bool is_ready() const noexcept { return !ended_ && is_good_; }
    /// How often `has_answered` was called.
    std::size_t answered() const noexcept { return answered_; }

    /// It has not answered: ends it, unless it is about to end by itself.
    void give_up();

    /// Its standard input ends, which tells it that there are no more lines. If it has not ended after a while, it is
    /// told to with SIGTERM.
    void finish(std::chrono::milliseconds patience);

    /// Tells it to end: SIGTERM, and SIGKILL when the command's grace is over.
    void end();

    /// Waits until nothing of it is left. Is not cancelled.
    asio::awaitable<command_end> wait();

private:
    explicit line_child(const asio::any_io_executor& executor);
    static asio::awaitable<void> run(std::shared_ptr<line_child> self, command_runner& runner,
                                     command_input input);

    void end_after(std::chrono::milliseconds patience);

    asio::posix::stream_descriptor input_, output_; ///< our ends of the command's
    asio::steady_timer over_;                       ///< waits for the end
    asio::steady_timer patience_;
    asio::cancellation_signal end_;
    std::optional<command_end> ended_;
    std::string_view problem_{}; ///< with what it wrote
    bool has_closed_ = false;    ///< its standard output
    bool is_good_ = true;
    bool was_told_ = false; ///< to end
    std::size_t answered_ = 0;
    std::string question_, received_, last_;
};

} // namespace coworker::exec
