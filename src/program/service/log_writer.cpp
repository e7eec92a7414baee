// SPDX-License-Identifier: MIT
#include "program/service/log_writer.hpp"

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <mutex>
#include <thread>
#include <utility>

#include <poll.h>
#include <unistd.h>

namespace coworker::program {
namespace {

constexpr std::size_t piece = 4096; // a pipe takes it whole, so that lines of several processes do not mix
constexpr std::chrono::seconds patience{1};

/// As many whole lines as make a piece; at least one.
std::size_t next_size(std::string_view lines)
{
    if (lines.size() <= piece)
        return lines.size();
    const auto last = lines.rfind('\n', piece - 1);
    return (last != lines.npos ? last : lines.find('\n')) + 1;
}

/// Signals are for the other threads.
class blocked_signals
{
public:
    blocked_signals()
    {
        sigset_t all;
        ::sigfillset(&all);
        ::pthread_sigmask(SIG_SETMASK, &all, &before_);
    }
    ~blocked_signals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }
    blocked_signals(const blocked_signals&) = delete;
    blocked_signals& operator=(const blocked_signals&) = delete;

private:
    sigset_t before_{};
};

} // namespace

/// Shared with the thread, which may have to be left behind.
struct log_writer::state
{
    int file;
    std::function<std::string(std::uint64_t)> describe_loss;
    std::mutex mutex{};
    std::condition_variable changed{};
    std::string waiting{};     ///< whole lines
    std::uint64_t dropped = 0; ///< how many lines came after those that wait
    std::uint64_t steps = 0;   ///< how often the file has taken something
    bool ends = false;         ///< nothing more comes
    bool ended = false;

    void run();
    void write(std::string_view lines);
    bool write_piece(std::string_view part);
};

void log_writer::state::run()
{
    std::unique_lock lock{mutex};
    for (;;) {
        changed.wait(lock, [this] { return !waiting.empty() || ends; });
        if (waiting.empty())
            break;
        auto lines = std::exchange(waiting, {});
        const auto lost = std::exchange(dropped, 0);
        lock.unlock();
        if (lost != 0)
            lines += describe_loss(lost) + '\n';
        write(lines);
        lock.lock();
    }
    ended = true;
    changed.notify_all();
}

void log_writer::state::write(std::string_view lines)
{
    while (!lines.empty()) {
        const auto size = next_size(lines);
        if (!write_piece(lines.substr(0, size)))
            return; // nobody to tell
        lines.remove_prefix(size);
        const std::lock_guard lock{mutex};
        ++steps;
        changed.notify_all();
    }
}

bool log_writer::state::write_piece(std::string_view part)
{
    while (!part.empty()) {
        const auto written = ::write(file, part.data(), part.size());
        if (written >= 0) {
            part.remove_prefix(static_cast<std::size_t>(written));
        } else if (errno == EAGAIN) { // another program has made it so
            pollfd room{file, POLLOUT, 0};
            ::poll(&room, 1, -1);
        } else if (errno != EINTR) {
            return false;
        }
    }
    return true;
}

log_writer::log_writer(int file, std::function<std::string(std::uint64_t)> describe_loss)
    : state_{new state{file, std::move(describe_loss)}}
{
    const blocked_signals for_the_thread;
    std::thread{[state = state_] { state->run(); }}.detach();
}

log_writer::~log_writer()
{
    std::unique_lock lock{state_->mutex};
    state_->ends = true;
    state_->changed.notify_all();
    for (bool goes_on = true; goes_on && !state_->ended;) {
        const auto before = state_->steps;
        goes_on = state_->changed.wait_for(lock, patience,
                                           [&] { return state_->ended || state_->steps != before; });
    }
}

void log_writer::add(std::string_view line)
{
    const std::lock_guard lock{state_->mutex};
    // Behind a line that was dropped all are, until the writer comes: the loss is told where it was.
    if (state_->dropped != 0 || state_->waiting.size() + line.size() >= capacity) {
        ++state_->dropped;
        return;
    }
    state_->waiting += line;
    state_->waiting += '\n';
    state_->changed.notify_all();
}

} // namespace coworker::program
