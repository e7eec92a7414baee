// SPDX-License-Identifier: MIT
#include "simulation/simulated_redis.hpp"

#include <array>
#include <csignal>
#include <cstdlib>
#include <filesystem>

#include <fcntl.h>
#include <sys/personality.h>
#include <sys/prctl.h>
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
    connection_.emplace(socket_path, [this] { hand_over(); });
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
    connection_.reset();
}

std::vector<std::string> simulated_redis::ask(const std::vector<std::string>& words)
{
    return connection_->try_command(words).parts();
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
