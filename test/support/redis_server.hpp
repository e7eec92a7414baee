// SPDX-License-Identifier: MIT
#pragma once

#include "support/process.hpp"
#include "support/raw_redis.hpp"
#include "support/temporary_folder.hpp"

#include <chrono>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace coworker::test {

/// A port that is free at the moment at all addresses of the loopback device, and that no outgoing connection takes. No
/// other call in a test of this user returns it before this process has ended.
int find_free_port();

/// Does what takes such ports, up to four times, since another program may take one first.
template<class Function>
decltype(auto) with_free_ports(Function function)
{
    for (int attempts_left = 3; attempts_left != 0; --attempts_left) {
        try {
            return function();
        } catch (const std::runtime_error&) {
        }
    }
    return function();
}

struct redis_server_options
{
    /// Keep the data in an append-only file, so that they survive `kill` and `restart`.
    bool append_only = false;
    /// Also listen on a free port of the loopback device.
    bool tcp = false;
    /// The same with TLS, under a certificate made for "localhost"; see `certificate_file`.
    bool tls = false;
    /// With `tls`: ask clients for a certificate, which has to be the server's own.
    bool tls_clients = false;
    /// Further configuration, such as {"user", "alice", "on", ">secret", "~*", "+@all"}.
    std::vector<std::vector<std::string>> config{};
    /// A program that runs the server, with its arguments, such as {"valgrind", "--tool=callgrind"}.
    std::vector<std::string> run_by{};
};

/// A private Redis (or Valkey) on a unix socket in a temporary folder.
class redis_server
{
public:
    explicit redis_server(redis_server_options options = {});

    std::string url() const { return "unix://" + socket_path(); }
    std::string tcp_url() const { return "redis://127.0.0.1:" + std::to_string(tcp_port_); }
    std::string tls_url() const { return "rediss://localhost:" + std::to_string(tls_port_); }
    std::string socket_path() const { return folder_.file("redis.sock"); }
    std::string certificate_file() const { return folder_.file("certificate.pem"); }
    std::string key_file() const { return folder_.file("key.pem"); }
    const temporary_folder& folder() const noexcept { return folder_; }
    int tcp_port() const noexcept { return tcp_port_; }
    int tls_port() const noexcept { return tls_port_; }

    /// Sends a command on a connection of its own, which is reused; throws if the answer is an error.
    template<class... Words>
    redis_value operator()(const Words&... words)
    {
        return raw()(words...);
    }
    /// None of these keys is there, all seen at one moment: what moves from one to another meanwhile is not missed.
    template<class... Keys>
    bool has_none(const Keys&... keys)
    {
        return (*this)("EXISTS", keys...).integer == 0;
    }
    /// That connection. Made anew after a restart, and when an answer to it did not come.
    raw_redis& raw();

    /// Whether it says anything when it is asked, within these seconds.
    bool answers_within(std::chrono::seconds limit) const;

    /// SIGKILL: nothing is saved that has not been.
    void kill();
    /// SIGTERM, and waits for the end.
    void end();
    /// Starts it again on the same data; killed first if it runs. If it was killed while it wrote, its file is written
    /// anew, as docs/operating.md wants it: what follows half a transaction is lost at the next start.
    void restart();

    /// Stops the process from running, as a machine does that does not answer any more; and lets it go on.
    void freeze();
    void thaw();

private:
    void start();
    void wait_until_it_answers();
    void rewrite_append_only_file();
    std::vector<std::string> command_line() const;
    void make_certificate() const;

    redis_server_options options_;
    temporary_folder folder_;
    int tcp_port_ = 0;
    int tls_port_ = 0;
    std::optional<process> process_;
    std::optional<raw_redis> raw_;
};

} // namespace coworker::test
