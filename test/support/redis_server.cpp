// SPDX-License-Identifier: MIT
#include "support/redis_server.hpp"

#include "support/append_only_file.hpp"

#include <arpa/inet.h>
#include <atomic>
#include <chrono>
#include <csignal>
#include <fcntl.h>
#include <filesystem>
#include <netinet/in.h>
#include <random>
#include <stdexcept>
#include <sys/socket.h>
#include <system_error>
#include <thread>
#include <unistd.h>

namespace coworker::test {
namespace {

using namespace std::chrono_literals;

std::string find_server_program()
{
    for (const char* name : {"redis-server", "valkey-server"}) {
        process probe{{name, "--version"}};
        if (probe.wait() == 0)
            return name;
    }
    throw std::runtime_error{"neither redis-server nor valkey-server is on the PATH"};
}

/// Reserves a port among all tests of this user until the process ends: locks a byte of a file that they share.
bool reserve_port(int port)
{
    static const auto path =
        std::filesystem::temp_directory_path() / ("coworker-test-ports-" + std::to_string(::getuid()));
    static const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    struct flock lock
    {};
    lock.l_type = F_WRLCK;
    lock.l_whence = SEEK_SET;
    lock.l_start = port;
    lock.l_len = 1;
    return ::fcntl(file, F_OFD_SETLK, &lock) == 0;
}

bool can_bind(int port)
{
    const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    sockaddr_in address{}; // any: free at all addresses of the loopback device
    address.sin_family = AF_INET;
    address.sin_port = htons(static_cast<std::uint16_t>(port));
    const bool is_free = ::bind(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
    ::close(probe);
    return is_free;
}

} // namespace

int find_free_port()
{
    // Below those that systems give to connections, one of which may take a port before the server does.
    constexpr int first = 10'000, count = 22'000;
    static std::atomic<unsigned> next{std::random_device{}() % count};
    for (int attempts_left = 1'000; attempts_left != 0; --attempts_left) {
        const int port = first + static_cast<int>(next++ % count);
        if (reserve_port(port) && can_bind(port))
            return port;
    }
    throw std::runtime_error{"no free port on the loopback device"};
}

redis_server::redis_server(redis_server_options options) : options_{std::move(options)}
{
    if (options_.tls)
        make_certificate();
    const auto start_on_free_ports = [this] {
        tcp_port_ = options_.tcp ? find_free_port() : 0;
        tls_port_ = options_.tls ? find_free_port() : 0;
        start();
    };
    if (options_.tcp || options_.tls)
        with_free_ports(start_on_free_ports);
    else
        start();
}

raw_redis& redis_server::raw()
{
    if (!raw_ || !raw_->is_open())
        raw_.emplace(socket_path());
    return *raw_;
}

bool redis_server::answers_within(std::chrono::seconds limit) const
{
    try {
        raw_redis{socket_path(), limit}.try_command({"PING"});
        return true;
    } catch (const std::exception&) { // not there yet, or the socket is the one of a killed server
        return false;
    }
}

void redis_server::kill()
{
    raw_.reset();
    if (process_)
        process_->kill();
}

void redis_server::end()
{
    raw_.reset();
    process_->signal(SIGTERM);
    process_->wait();
}

void redis_server::restart()
{
    kill();
    const auto logged = read_file(folder_.file("redis.log")).size();
    start();
    if (read_file(folder_.file("redis.log")).find("short read while loading the AOF", logged) !=
        std::string::npos)
        rewrite_append_only_file();
}

void redis_server::rewrite_append_only_file()
{
    raw()("BGREWRITEAOF");
    const auto goes_on = [this] {
        auto state = raw()("INFO", "persistence").text;
        return state.find("aof_rewrite_in_progress:1") != std::string::npos ||
               state.find("aof_rewrite_scheduled:1") != std::string::npos;
    };
    while (goes_on())
        std::this_thread::sleep_for(1ms);
}

void redis_server::freeze()
{
    process_->signal(SIGSTOP);
}

void redis_server::thaw()
{
    process_->signal(SIGCONT);
}

void redis_server::start()
{
    static const std::string program = find_server_program();
    auto words = command_line();
    words.insert(words.begin(), program);
    words.insert(words.begin(), options_.run_by.begin(), options_.run_by.end());
    process_.emplace(words, folder_.file("redis.log"));
    wait_until_it_answers();
}

void redis_server::wait_until_it_answers()
{
    const auto give_up = std::chrono::steady_clock::now() + 30s;
    while (process_->is_running() && std::chrono::steady_clock::now() < give_up) {
        try {
            raw_redis probe{socket_path(), 5s};
            const auto answer = probe.try_command({"PING"});
            if (!answer.is_error() || answer.text.starts_with("NOAUTH") || answer.text.starts_with("NOPERM"))
                return;
        } catch (const std::exception&) { // not there yet, or the socket is the one of a killed server
        }
        std::this_thread::sleep_for(1ms);
    }
    throw std::runtime_error{"the Redis server does not start:\n" + read_file(folder_.file("redis.log"))};
}

std::vector<std::string> redis_server::command_line() const
{
    std::vector<std::string> words{"--port",       std::to_string(tcp_port_),
                                   "--bind",       "127.0.0.1",
                                   "--unixsocket", socket_path(),
                                   "--dir",        folder_.path(),
                                   "--save",       "",
                                   "--appendonly", options_.append_only ? "yes" : "no"};
    const auto add = [&](const std::string& name, const std::string& value) {
        words.push_back("--" + name);
        words.push_back(value);
    };
    if (options_.append_only)
        add("appendfsync",
            "always"); // everysec writes up to 2 s late when the disk is slow, and SIGKILL loses that
    if (options_.tls) {
        add("tls-port", std::to_string(tls_port_));
        add("tls-cert-file", certificate_file());
        add("tls-key-file", key_file());
        add("tls-ca-cert-file", certificate_file());
        add("tls-auth-clients", options_.tls_clients ? "yes" : "no");
    }
    for (const auto& line : options_.config) {
        words.push_back("--" + line.front());
        words.insert(words.end(), line.begin() + 1, line.end());
    }
    return words;
}

void redis_server::make_certificate() const
{
    process::run({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                  "-nodes", "-days", "2", "-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost",
                  "-keyout", key_file(), "-out", certificate_file()});
}

} // namespace coworker::test
