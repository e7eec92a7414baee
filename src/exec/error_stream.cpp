// SPDX-License-Identifier: MIT
#include "exec/error_stream.hpp"

#include <algorithm>
#include <cerrno>
#include <utility>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

namespace coworker::exec {

/// The flag belongs to the open file, which others share, so a pipe or a terminal is opened once more. (A file on
/// a disk must not be: it would be written to from its beginning. It does not block either.)
error_stream::error_stream() : file_{STDERR_FILENO}
{
    struct stat status
    {};
    if (::fstat(file_, &status) != 0)
        return;
    is_socket_ = S_ISSOCK(status.st_mode);
    if (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode))
        reopened_ = file_descriptor{
            ::open("/proc/self/fd/2", O_WRONLY | O_APPEND | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)};
    if (reopened_)
        file_ = reopened_.get();
}

void error_stream::add(std::string_view text, clock::time_point now)
{
    if (is_unread(now) || lost_ != 0) { // behind a gap nothing follows before it has been told
        lost_ += text.size();
        return;
    }
    if (!wants_to_write())
        moved_ = now;
    waiting_ += text;
}

std::uint64_t error_stream::take_loss()
{
    if (lost_ == 0 || wants_to_write())
        return 0;
    end(); // a line whose rest was dropped
    return std::exchange(lost_, 0);
}

void error_stream::end()
{
    if (!waiting_.empty() && !waiting_.ends_with('\n'))
        waiting_ += '\n';
}

/// Whole lines; a line that is too long, in pieces.
std::size_t error_stream::ready_size() const noexcept
{
    const auto part = std::string_view{waiting_}.substr(0, capacity);
    const auto last = part.rfind('\n');
    return last != part.npos ? last + 1 : part.size() == capacity ? capacity : 0;
}

void error_stream::write()
{
    const auto size = ready_size();
    const auto written = is_socket_ ? ::send(file_, waiting_.data(), size, MSG_DONTWAIT | MSG_NOSIGNAL)
                                    : ::write(file_, waiting_.data(), size);
    if (written >= 0) {
        waiting_.erase(0, static_cast<std::size_t>(written));
        moved_ = clock::now();
    } else if (errno != EAGAIN && errno != EINTR) {
        waiting_.clear(); // nobody reads it any more
    }
}

} // namespace coworker::exec
