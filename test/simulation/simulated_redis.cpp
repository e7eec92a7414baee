// SPDX-License-Identifier: MIT
#include "simulation/simulated_redis.hpp"

#include "simulation/answer_parts.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

namespace coworker::test {

namespace {

namespace fs = std::filesystem;

/// The part of the append-only file that grows. Empty: there is none.
fs::path newest_part()
{
    fs::path last;
    if (fs::exists("appendonlydir"))
        for (const auto& entry : fs::directory_iterator{"appendonlydir"})
            if (entry.path().string().ends_with(".incr.aof") && entry.path() > last)
                last = entry.path();
    return last;
}

} // namespace

int connect_to(const char* path)
{
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_un where{};
    where.sun_family = AF_UNIX;
    std::strncpy(where.sun_path, path, sizeof where.sun_path - 1);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0) {
        ::close(socket);
        return -1;
    }
    ::fcntl(socket, F_SETFL, O_NONBLOCK);
    return socket;
}

simulated_redis::simulated_redis(world& page, std::string program, std::string library)
    : page_{page}, program_{std::move(program)}, library_{std::move(library)}
{}

simulated_redis::~simulated_redis()
{
    kill();
}

void simulated_redis::run_server()
{
    // The first word is among what Redis tells: without it, that is the name of the folder.
    const std::array<const char*, 31> words{"/redis-server",
                                            "--port",
                                            "0",
                                            "--unixsocket",
                                            socket_path,
                                            "--save",
                                            "",
                                            "--appendonly",
                                            "yes",
                                            "--appendfsync",
                                            "no",
                                            "--auto-aof-rewrite-percentage",
                                            "0",
                                            "--logfile",
                                            "redis.log",
                                            "--loglevel",
                                            "warning",
                                            "--hz",
                                            "1",
                                            "--dynamic-hz",
                                            "no",
                                            "--latency-tracking",
                                            "no",
                                            "--crash-log-enabled",
                                            "no",
                                            "--aof-load-truncated",
                                            "yes",
                                            "--maxmemory-policy",
                                            "noeviction",
                                            "--io-threads",
                                            "1"};
    std::vector<char*> arguments;
    for (const char* const word : words)
        arguments.push_back(const_cast<char*>(word));
    arguments.push_back(nullptr);
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (const int nowhere = ::open("/dev/null", O_WRONLY); nowhere >= 0)
        ::dup2(nowhere, STDERR_FILENO); // a wrapper's complaints; Redis has a log
    ::personality(ADDR_NO_RANDOMIZE);
    ::setenv("LD_PRELOAD", library_.c_str(), 1);
    ::setenv("COWORKER_WORLD", "world", 1);
    ::setenv("MALLOC_CONF", "narenas:1,dirty_decay_ms:-1,muzzy_decay_ms:-1", 1);
    ::execvp(program_.c_str(), arguments.data());
    ::_exit(127);
}

void simulated_redis::start()
{
    if (runs())
        return;
    page_.turn = 1;
    page_.wakes = never;
    process_ = ::fork();
    if (process_ == 0)
        run_server();
    wait_for_turn();
    connection_ = connect_to(socket_path);
}

void simulated_redis::wait_for_turn()
{
    for (int seconds = 0; page_.turn.load() != 0; ++seconds) {
        wait_while(page_.turn, 1);
        if (page_.turn.load() != 0 && !page_.is_joined && seconds == 10)
            throw not_preloaded{program_ + " does not load " + library_};
        if (page_.turn.load() != 0 && ::waitpid(process_, nullptr, WNOHANG) == process_) {
            process_ = 0;
            throw std::runtime_error{program_ + " has ended by itself: see redis.log"};
        }
    }
}

void simulated_redis::hand_over()
{
    if (!runs())
        return;
    ++turns_;
    page_.turn = 1;
    wake(page_.turn);
    wait_for_turn();
}

void simulated_redis::kill()
{
    if (!runs())
        return;
    ::kill(process_, SIGKILL);
    ::waitpid(process_, nullptr, 0);
    process_ = 0;
    page_.turn = 0;
    page_.wakes = never;
    ::close(connection_);
    connection_ = -1;
}

std::vector<std::string> simulated_redis::ask(const std::vector<std::string>& words)
{
    std::string text = '*' + std::to_string(words.size()) + "\r\n";
    for (const auto& word : words)
        text += '$' + std::to_string(word.size()) + "\r\n" + word + "\r\n";
    if (::send(connection_, text.data(), text.size(), MSG_NOSIGNAL) != static_cast<ssize_t>(text.size()))
        throw std::runtime_error{"Redis cannot be asked: " + std::string{std::strerror(errno)} + " " +
                                 std::to_string(connection_)};
    std::string answer;
    std::array<char, 65536> buffer;
    for (int silent = 0; silent != 2;) { // it may have more, for which there was no room
        hand_over();
        const auto before = answer.size();
        for (ssize_t size; (size = ::read(connection_, buffer.data(), buffer.size())) > 0;)
            answer.append(buffer.data(), static_cast<std::size_t>(size));
        silent = answer.size() == before ? silent + 1 : 0;
        if (is_whole_answer(answer))
            break;
    }
    return answer_parts(answer);
}

std::uintmax_t simulated_redis::written() const
{
    const auto file = newest_part();
    return file.empty() ? 0 : fs::file_size(file);
}

void simulated_redis::forget_behind(std::uintmax_t size)
{
    const auto file = newest_part();
    if (!file.empty() && fs::file_size(file) > size)
        fs::resize_file(file, size);
}

} // namespace coworker::test
