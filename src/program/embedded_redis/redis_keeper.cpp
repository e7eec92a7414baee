// SPDX-License-Identifier: MIT
#include "exec/folders.hpp"
#include "program/embedded_redis/embedded_redis.hpp"
#include "program/embedded_redis/redis_files.hpp"

#include <cerrno>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <stdexcept>
#include <system_error>
#include <thread>

#include <sys/file.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/// The keeper process: the other side of `embedded_redis`.
namespace coworker::program {
namespace {

using clock = std::chrono::steady_clock;
using namespace std::chrono_literals;

constexpr auto between_looks = 10ms;
constexpr auto silence = 30s;   ///< of a server that does not even say that it is loading
constexpr auto short_life = 5s; ///< a server that ends sooner is started again only after a pause

std::vector<std::string> server_command(const std::string& program, const std::string& folder)
{
    return {
        program, "--port", "0", "--unixsocket", redis_socket(folder), "--unixsocketperm", "700", "--dir",
        folder, "--logfile", redis_log(folder), "--daemonize", "no",
        // A job that was accepted stays, also if the machine loses power: every write is on the disk before it
        // is answered. Calls that come together share one.
        "--appendonly", "yes", "--appendfsync", "always", "--save", "", "--maxmemory-policy", "noeviction"};
}

exec::child_process start_server(const std::string& folder)
{
    // It logs to a file. This process's own output has to end when this process says so.
    const auto nowhere = open_lock("/dev/null");
    for (const auto* program : {"redis-server", "valkey-server"}) {
        try {
            return exec::child_process{server_command(program, folder), {.output = nowhere.get()}};
        } catch (const std::system_error& error) {
            if (error.code() != std::errc::no_such_file_or_directory)
                throw;
        }
    }
    throw std::runtime_error{
        "neither redis-server nor valkey-server is on the PATH; install one of them, on Debian "
        "and Ubuntu with 'apt install redis-server', on Fedora with 'dnf install valkey'"};
}

std::string last_line(const std::string& file)
{
    std::ifstream log{file};
    std::string line;
    std::string last = "it said nothing";
    while (std::getline(log, line))
        if (!line.empty())
            last = line;
    return last;
}

/// Large data take their time.
void wait_until_ready(exec::child_process& server, const std::string& folder)
{
    const auto socket = redis_socket(folder);
    const auto until = clock::now() + silence;
    while (!redis_answers(socket)) {
        if (!server.is_running())
            throw std::runtime_error{"the server " + server.ending() + ": " + last_line(redis_log(folder))};
        if (clock::now() > until && !std::filesystem::exists(socket))
            throw std::runtime_error{"the server does not answer: " + last_line(redis_log(folder))};
        std::this_thread::sleep_for(between_looks);
    }
}

std::streamoff size_of(const std::string& file)
{
    std::error_code error;
    const auto size = std::filesystem::file_size(file, error);
    return error ? 0 : static_cast<std::streamoff>(size);
}

/// Whether a server that was killed has left the last of its writes in part, as the one that runs now has logged behind
/// `begin`.
bool has_cut_its_file(const std::string& folder, std::streamoff begin)
{
    std::ifstream log{redis_log(folder)};
    log.seekg(begin);
    for (std::string line; std::getline(log, line);)
        if (line.find("short read while loading the AOF") != std::string::npos)
            return true;
    return false;
}

/// Where Redis (7.0 and 8.0 at least) cuts off what was written in part, the beginning of a transaction may stay
/// without its end. What is written next would belong to that transaction, and be lost at the next start. In a new file
/// there is none.
void rewrite_file(const std::string& folder)
{
    const auto socket = redis_socket(folder);
    ask_redis(socket, "BGREWRITEAOF");
    const auto goes_on = [&] {
        const auto state = ask_redis(socket, "INFO persistence");
        return state.find("aof_rewrite_in_progress:1") != std::string::npos ||
               state.find("aof_rewrite_scheduled:1") != std::string::npos;
    };
    while (goes_on())
        std::this_thread::sleep_for(between_looks);
}

/// Returns false if another keeper has a server that answers.
bool become_keeper(const exec::file_descriptor& file, const std::string& folder)
{
    while (::flock(file.get(), LOCK_EX | LOCK_NB) != 0) {
        if (redis_answers(redis_socket(folder)))
            return false;
        std::this_thread::sleep_for(between_looks); // it is starting its server, or about to end
    }
    return true;
}

/// A child that ends when nobody uses the server any more. The lock is this process's by then, since both have the
/// same open file.
pid_t wait_for_disuse(const exec::file_descriptor& use)
{
    const pid_t keeper = ::getpid();
    const pid_t id = ::fork();
    if (id < 0)
        throw std::system_error{errno, std::generic_category(), "fork"};
    if (id > 0)
        return id;
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != keeper)
        ::_exit(1);
    while (::flock(use.get(), LOCK_EX) != 0 && errno == EINTR) {
    }
    ::_exit(0);
}

void say(const std::string& text)
{
    [[maybe_unused]] const auto written = ::write(STDOUT_FILENO, text.data(), text.size());
    const auto nowhere = open_lock("/dev/null");
    ::dup2(nowhere.get(), STDOUT_FILENO); // the reader waits for the end
}

class redis_keeper
{
public:
    explicit redis_keeper(std::string folder) : folder_{std::move(folder)} {}

    /// Until nobody uses the server any more.
    void run()
    {
        use_ = open_lock(use_lock(folder_));
        start();
        say("ready");
        disuse_ = wait_for_disuse(use_);
        while (is_used_) {
            int status = 0;
            const pid_t ended = ::waitpid(-1, &status, 0);
            if (ended == disuse_)
                see_disuse(status);
            else if (ended == server_.id())
                start_again();
        }
        server_.signal(SIGTERM); // it finishes what it writes
        server_.wait();
    }

private:
    void start()
    {
        started_ = clock::now();
        const auto logged = size_of(redis_log(folder_));
        server_ = start_server(folder_);
        wait_until_ready(server_, folder_);
        if (has_cut_its_file(folder_, logged))
            rewrite_file(folder_);
    }

    void see_disuse(int status)
    {
        is_used_ = !WIFEXITED(status) || WEXITSTATUS(status) != 0;
        if (is_used_) // somebody killed the one that waits
            disuse_ = wait_for_disuse(use_);
    }

    /// Somebody killed it, perhaps the kernel for want of memory, or the disk is full. Those who use it connect again
    /// by themselves, however long that takes.
    void start_again()
    {
        server_.release();
        for (bool runs = false; !runs && is_used_;) {
            if (clock::now() - started_ < short_life)
                std::this_thread::sleep_for(short_life);
            int status = 0;
            if (::waitpid(disuse_, &status, WNOHANG) == disuse_)
                see_disuse(status);
            if (is_used_)
                runs = try_to_start();
        }
    }

    bool try_to_start()
    {
        try {
            start();
            return true;
        } catch (const std::exception&) { // its log says more
            server_ = {};
            return false;
        }
    }

    std::string folder_;
    exec::file_descriptor use_;
    exec::child_process server_;
    clock::time_point started_{};
    pid_t disuse_ = -1; ///< the child that waits for the end of all use
    bool is_used_ = true;
};

} // namespace

int run_redis_keeper(const std::vector<std::string>& words)
{
    for (const int number : {SIGHUP, SIGINT, SIGPIPE}) // not meant for this process
        ::signal(number, SIG_IGN);
    ::prctl(PR_SET_NAME, "coworker-redis");
    ::umask(0077); // jobs are nobody else's business, whoever may look into the folder
    try {
        if (words.size() != 2)
            throw std::runtime_error{"'--redis embedded' starts this by itself"};
        const auto& folder = words[0];
        const auto alone = open_lock(keeper_lock(folder));
        if (!become_keeper(alone, folder)) {
            say("ready");
            return 0;
        }
        redis_keeper{folder}.run();
        if (words[1] == "remove")
            exec::remove_folder(folder);
        return 0;
    } catch (const std::exception& error) {
        say(error.what());
        return 1;
    }
}

} // namespace coworker::program
