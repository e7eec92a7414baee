// SPDX-License-Identifier: MIT
#include "exec/folders.hpp"
#include "exec/guardian.hpp"
#include "exec/launcher.hpp"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/// The launcher process: the other side of `launcher`.
namespace coworker::exec {
namespace {

constexpr int request_socket = STDIN_FILENO;
constexpr std::size_t longest_request = 256 * 1024;

/// Removed at the end with everything in it.
class run_folder
{
public:
    explicit run_folder(const std::string& base) : path_{make_folder(base, "coworker-work")} {}
    ~run_folder() { remove_folder(path_); }
    run_folder(const run_folder&) = delete;
    run_folder& operator=(const run_folder&) = delete;

    const std::string& path() const noexcept { return path_; }

private:
    std::string path_;
};

/// What every run gets: the environment without what belongs to this program, such as systemd's notes to it, or
/// to the job that this program itself may be run for.
std::vector<std::string> common_environment()
{
    std::vector<std::string> variables;
    for (char** variable = ::environ; *variable != nullptr; ++variable) {
        const std::string_view text{*variable};
        const bool is_ours = text.starts_with("COWORKER_") && !text.starts_with("COWORKER_REDIS=") &&
                             !text.starts_with("COWORKER_REDIS_");
        const bool is_systemds = text.starts_with("NOTIFY_SOCKET=") || text.starts_with("WATCHDOG_") ||
                                 text.starts_with("LISTEN_FDS=") || text.starts_with("LISTEN_PID=") ||
                                 text.starts_with("INVOCATION_ID=") || text.starts_with("JOURNAL_STREAM=");
        if (!is_ours && !is_systemds)
            variables.emplace_back(text);
    }
    return variables;
}

class launcher_process
{
public:
    launcher_process(command what, std::string folder, line_writer write_line)
        : what_{std::move(what)}, folder_{std::move(folder)}, write_line_{write_line}
    {}

    /// Until the other side of the socket is closed, and every guardian has ended. Returns false in a process
    /// that was a guardian.
    bool run();

private:
    bool receive();
    bool start(command_run run);
    void see_who_ended();
    void note_end(pid_t id, int status);

    command what_;
    std::string folder_;
    line_writer write_line_;
    file_descriptor ended_children_;
    std::map<pid_t, std::string> sandboxes_; ///< by guardian
    std::uint64_t runs_ = 0;
    std::vector<std::string> environment_ = common_environment();
    std::string buffer_ = std::string(longest_request, '\0');
    bool ends_ = false;
};

bool launcher_process::run()
{
    sigset_t child_ended;
    ::sigemptyset(&child_ended);
    ::sigaddset(&child_ended, SIGCHLD);
    ::sigprocmask(SIG_BLOCK, &child_ended, nullptr);
    ended_children_ = file_descriptor{::signalfd(-1, &child_ended, SFD_CLOEXEC | SFD_NONBLOCK)};
    while (!ends_) {
        pollfd files[] = {{request_socket, POLLIN, 0}, {ended_children_.get(), POLLIN, 0}};
        if (::poll(files, 2, -1) < 0)
            continue;
        if (files[1].revents != 0)
            see_who_ended();
        if (files[0].revents != 0 && !receive())
            return false;
    }
    // The guardians' own sockets are closed as well by now, so they end.
    int status = 0;
    for (pid_t id = 0; (id = ::waitpid(-1, &status, WUNTRACED)) > 0 || errno == EINTR;)
        if (id > 0 && WIFSTOPPED(status))
            ::kill(id, SIGCONT);
        else if (id > 0)
            note_end(id, status);
    return true;
}

/// Returns false in the guardian that was started.
bool launcher_process::receive()
{
    iovec part{buffer_.data(), buffer_.size()};
    int numbers[] = {-1, -1, -1}; // its control, its standard input, and perhaps its standard output
    alignas(cmsghdr) char room[CMSG_SPACE(sizeof numbers)] = {};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = sizeof room;
    const auto size = ::recvmsg(request_socket, &message, MSG_CMSG_CLOEXEC | MSG_DONTWAIT);
    if (size < 0 && (errno == EAGAIN || errno == EINTR))
        return true;
    const auto* header = CMSG_FIRSTHDR(&message);
    if (size <= 0 || header == nullptr || header->cmsg_len < CMSG_LEN(2 * sizeof(int)) ||
        header->cmsg_len > CMSG_LEN(sizeof numbers)) {
        ends_ = size <= 0;
        return true;
    }
    std::memcpy(numbers, CMSG_DATA(header), header->cmsg_len - CMSG_LEN(0));
    command_run run;
    run.control = file_descriptor{numbers[0]};
    run.input = file_descriptor{numbers[1]};
    run.output = file_descriptor{numbers[2]};
    run.environment = environment_;
    run.write_line = write_line_;
    std::string_view text{buffer_.data(), static_cast<std::size_t>(size)};
    run.about = text.substr(0, text.find('\0'));
    text.remove_prefix(std::min(run.about.size() + 1, text.size()));
    for (auto end = text.find('\0'); end != text.npos; end = text.find('\0')) {
        run.environment.emplace_back(text.substr(0, end));
        text.remove_prefix(end + 1);
    }
    run.sandbox = folder_ + '/';
    run.sandbox += std::to_string(++runs_);
    return start(std::move(run));
}

/// Returns false in the guardian.
bool launcher_process::start(command_run run)
{
    ::mkdir(folder_.c_str(), 0700); // who clears temporary files may have removed it
    const pid_t id = ::fork();
    if (id < 0) {
        const auto answer = to_bytes({command_end::kind::not_started, errno, "no process can be made"});
        ::send(run.control.get(), answer.data(), answer.size(), MSG_NOSIGNAL);
        return true;
    }
    if (id > 0) {
        sandboxes_.emplace(id, run.sandbox);
        return true;
    }
    ::dup2(run.input.get(), request_socket); // or the launcher's end would not be noticed
    ended_children_.close();
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    try {
        guard(what_, std::move(run));
    } catch (...) { // want of memory; the folders of other runs must not go with it
        ::_exit(1);
    }
    return false;
}

void launcher_process::see_who_ended()
{
    signalfd_siginfo ignored;
    while (::read(ended_children_.get(), &ignored, sizeof ignored) > 0) {
    }
    int status = 0;
    for (pid_t id = 0; (id = ::waitpid(-1, &status, WNOHANG | WUNTRACED)) > 0;)
        if (WIFSTOPPED(status)) // perhaps by the command it watches over
            ::kill(id, SIGCONT);
        else
            note_end(id, status);
}

void launcher_process::note_end(pid_t id, int status)
{
    const auto guardian = sandboxes_.extract(id);
    if (guardian && !WIFSIGNALED(status))
        return;
    // Somebody killed it, or one of those it watched over has ended since: they have come to this process.
    for (const auto child : children_of_this_process())
        if (!sandboxes_.contains(child))
            ::kill(child, SIGKILL);
    if (guardian)
        remove_folder(guardian.mapped());
}

void answer(const std::string& text)
{
    ::send(request_socket, text.data(), text.size(), MSG_NOSIGNAL);
}

command read_command(const std::vector<std::string>& words)
{
    constexpr std::size_t first_word = 3;
    if (words.size() <= first_word)
        throw std::runtime_error{"'coworker work' starts this by itself"};
    command what;
    what.file = words[0];
    what.sandboxes = words[1];
    what.grace = std::chrono::milliseconds{std::stoll(words[2])};
    what.words.assign(words.begin() + first_word, words.end());
    return what;
}

} // namespace

int run_launcher(const std::vector<std::string>& words, line_writer write_line)
{
    // To end is up to the other side, which may have to wait for commands.
    for (const int number : {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGPIPE, SIGUSR1, SIGUSR2, SIGALRM, SIGTSTP})
        ::signal(number, SIG_IGN);
    ::prctl(PR_SET_CHILD_SUBREAPER, 1);
    ::prctl(PR_SET_NAME, "coworker-run");
    try {
        auto what = read_command(words);
        const run_folder folder{what.sandboxes};
        answer('\0' + folder.path());
        launcher_process process{std::move(what), folder.path(), write_line};
        if (!process.run())
            ::_exit(0); // a guardian: the folder is not its own
        return 0;
    } catch (const std::exception& error) {
        answer(error.what());
        return 1;
    }
}

} // namespace coworker::exec
