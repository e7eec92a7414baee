// SPDX-License-Identifier: MIT
#include "exec/guardian.hpp"

#include "exec/error_stream.hpp"
#include "exec/folders.hpp"
#include "exec/last_line.hpp"

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <csignal>
#include <fstream>
#include <optional>
#include <system_error>
#include <thread>

#include <fcntl.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

namespace coworker::exec {
namespace {

using clock = std::chrono::steady_clock;

command_end describe(int status)
{
    if (WIFSIGNALED(status))
        return {command_end::kind::signalled, WTERMSIG(status)};
    return {command_end::kind::exited, WEXITSTATUS(status)};
}

/// For whoever looks at standard error.
void tell(const std::string& text)
{
    error_stream out;
    out.add("coworker: " + text + '\n', clock::now());
    out.write();
}

class guardian
{
public:
    guardian(const command& what, command_run run)
        : what_{&what}, run_{std::move(run)}, lines_{std::move(run_.about), run_.write_line}
    {}

    void guard();

private:
    void start();
    void watch();
    int time_left() const;
    void hear_wishes();
    void see_who_ended();
    bool read_errors();
    void pass_on();
    void pass_rest_on();

    const command* what_;
    command_run run_;
    file_descriptor errors_, ended_children_;
    pid_t command_id_ = -1;
    std::optional<int> status_; ///< of the command, once it has ended
    bool at_once_ = false;      ///< nothing is waited for any more
    std::optional<clock::time_point> patience_ends_;
    error_stream shown_;
    output_lines lines_;
    last_line last_line_;
};

void guardian::guard()
{
    command_end end;
    try {
        start();
        watch();
        if (!status_)
            ::kill(-command_id_, SIGKILL);
        kill_descendants([this](pid_t id, int status) {
            if (id == command_id_)
                status_ = status;
        });
        end = status_ ? describe(*status_) : command_end{command_end::kind::signalled, SIGKILL};
        pass_rest_on();
        end.last_line = last_line_.text();
    } catch (const std::system_error& error) {
        end = {command_end::kind::not_started, error.code().value(), error.what()};
    }
    if (!remove_folder(run_.sandbox))
        tell("the working directory " + run_.sandbox + " cannot be removed");
    const auto answer = to_bytes(end);
    ::send(run_.control.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
}

void guardian::start()
{
    if (::mkdir(run_.sandbox.c_str(), 0700) != 0)
        throw std::system_error{errno, std::generic_category(), run_.sandbox};
    sigset_t child_ended;
    ::sigemptyset(&child_ended);
    ::sigaddset(&child_ended, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &child_ended, nullptr);
    ended_children_ = file_descriptor{::signalfd(-1, &child_ended, SFD_CLOEXEC | SFD_NONBLOCK)};
    auto errors = make_pipe();
    child_process child{what_->words,
                        {.input = run_.input.get(),
                         .output = run_.output.get(),
                         .errors = errors.write.get(),
                         .file = what_->file,
                         .folder = run_.sandbox,
                         .environment = run_.environment}};
    command_id_ = child.release();
    run_.input.close();
    run_.output.close(); // or its end would not be the command's
    errors_ = std::move(errors.read);
    ::fcntl(errors_.get(), F_SETFL, O_NONBLOCK);
}

/// How long `poll` waits: until the grace is over, or the reader counts as stalled.
int guardian::time_left() const
{
    const auto now = clock::now();
    auto until = clock::time_point::max();
    if (patience_ends_)
        until = *patience_ends_;
    if (shown_.wants_to_write() && !shown_.is_unread(now))
        until = std::min(until, shown_.unread_from());
    if (until == clock::time_point::max())
        return -1;
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(until - now).count();
    return left > 0 ? static_cast<int>(left) : 0;
}

/// Until the command has ended, or is to end at once.
void guardian::watch()
{
    while (!status_ && !at_once_) {
        const bool reads = errors_ && !shown_.is_full(clock::now());
        pollfd files[] = {{run_.control.get(), POLLIN, 0},
                          {ended_children_.get(), POLLIN, 0},
                          {reads ? errors_.get() : -1, POLLIN, 0},
                          {shown_.wants_to_write() ? shown_.file() : -1, POLLOUT, 0}};
        const int ready = ::poll(files, 4, time_left());
        at_once_ = patience_ends_ && clock::now() >= *patience_ends_;
        if (ready <= 0)
            continue;
        if (files[3].revents != 0)
            pass_on();
        if (files[2].revents != 0 && !read_errors())
            errors_.close();
        if (files[1].revents != 0)
            see_who_ended();
        if (files[0].revents != 0)
            hear_wishes();
    }
}

void guardian::hear_wishes()
{
    char wished = wish::kill; // so is the end
    if (::recv(run_.control.get(), &wished, 1, MSG_DONTWAIT) < 0 && (errno == EAGAIN || errno == EINTR))
        return;
    if (wished != wish::terminate) {
        at_once_ = true;
    } else if (!patience_ends_) {
        patience_ends_ = clock::now() + what_->grace;
        if (!status_) // else the number may be another's by now
            ::kill(-command_id_, SIGTERM);
    }
}

void guardian::see_who_ended()
{
    signalfd_siginfo ignored;
    while (::read(ended_children_.get(), &ignored, sizeof ignored) > 0) {
    }
    int status = 0;
    for (pid_t id = 0; (id = ::waitpid(-1, &status, WNOHANG)) > 0;)
        if (id == command_id_)
            status_ = status;
}

/// Returns whether there may be more.
bool guardian::read_errors()
{
    char part[4096];
    const auto size = ::read(errors_.get(), part, sizeof part);
    if (size <= 0)
        return size < 0 && (errno == EAGAIN || errno == EINTR);
    const std::string_view text{part, static_cast<std::size_t>(size)};
    last_line_.add(text);
    shown_.add(lines_.add(text), clock::now());
    return true;
}

/// Writes what can be written; behind a gap, how large it is.
void guardian::pass_on()
{
    shown_.write();
    if (const auto lost = shown_.take_loss())
        shown_.add(lines_.describe_loss(lost), clock::now());
}

/// All who could write are dead, so what is in the pipe is all there is.
void guardian::pass_rest_on()
{
    while (errors_) {
        pollfd file{errors_.get(), POLLIN, 0};
        if (::poll(&file, 1, 0) != 1 || !read_errors())
            break;
    }
    shown_.add(lines_.end(), clock::now());
    shown_.end();
    while (shown_.wants_to_write() && !shown_.is_unread(clock::now()) && !at_once_) {
        pollfd files[] = {{run_.control.get(), POLLIN, 0}, {shown_.file(), POLLOUT, 0}};
        if (::poll(files, 2, time_left()) == 0)
            return;
        if (files[1].revents != 0)
            pass_on();
        if (files[0].revents != 0)
            hear_wishes();
        at_once_ = at_once_ || (patience_ends_ && clock::now() >= *patience_ends_);
    }
}

} // namespace

void guard(const command& what, command_run run)
{
    guardian{what, std::move(run)}.guard();
}

std::vector<pid_t> children_of_this_process()
{
    std::vector<pid_t> children;
    const auto self = std::to_string(::getpid());
    std::ifstream list{"/proc/" + self + "/task/" + self + "/children"};
    for (pid_t child = 0; list >> child;)
        children.push_back(child);
    return children;
}

namespace {

/// Whoever ends within five seconds; 0: nobody.
pid_t wait_for_child(int& status)
{
    constexpr std::chrono::milliseconds between_looks{1};
    const auto until = clock::now() + std::chrono::seconds{5};
    pid_t id = 0;
    while ((id = ::waitpid(-1, &status, WNOHANG)) == 0 && clock::now() < until)
        std::this_thread::sleep_for(between_looks);
    return id;
}

} // namespace

/// Only children that have not been waited for are killed, so their numbers cannot be another's.
void kill_descendants(const std::function<void(pid_t, int)>& ended)
{
    int status = 0;
    for (;;) {
        pid_t id = ::waitpid(-1, &status, WNOHANG);
        if (id < 0 && errno == ECHILD)
            return;
        if (id == 0) {
            for (const auto child : children_of_this_process())
                ::kill(child, SIGKILL);
            id = wait_for_child(status);
        }
        if (id <= 0)
            return; // one that may not be killed, such as another user's
        ended(id, status);
    }
}

} // namespace coworker::exec
