// SPDX-License-Identifier: MIT
#pragma once

#include "simulation/random_stream.hpp"
#include "simulation/simulated_process.hpp"

#include <cstdint>
#include <deque>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::test {

class simulation;

/// What delays and breaks connections. Rates are for each piece of bytes.
struct network_faults
{
    nanoseconds latency_min = 50 * microsecond, latency_max = 500 * microsecond;
    double cut = 0;      ///< the connection is cut, at any byte
    double hold = 0;     ///< the piece, and all behind it, is held back for up to `longest_hold`
    double late_end = 0; ///< of those that are cut: one side hears of it up to `longest_hold` later
    double silence = 0;  ///< nothing arrives any more, in either direction, and nobody is told
    nanoseconds longest_hold = 30 * second;

    /// Of the pieces of workers in which any of these words stands: the machine is lost that has written it, for some
    /// seconds, and the piece arrives late.
    double last_word = 0;
    std::vector<std::string_view> words{};
};

/// The path that stands for a TCP port of a simulated process.
std::string path_of_port(int port);

/// The network between simulated processes and Redis, and a process that listens. Clients connect to a socket of its own; what they write goes on
/// piece by piece, each with a delay. What they wrote before they gave a connection up is delivered, too: as the
/// network does.
class simulated_network
{
public:
    simulated_network(simulation& all, std::uint64_t seed);
    ~simulated_network();
    simulated_network(const simulated_network&) = delete;
    simulated_network& operator=(const simulated_network&) = delete;

    /// Where clients connect: the same name in each run.
    static constexpr const char* url = "unix:///proc/self/cwd/network.sock";

    /// Where clients of a process connect.
    static constexpr const char* host_path = "host.sock";
    /// That process, and the port that it listens to.
    void serve(simulated_process& host, int port);

    network_faults faults{};
    struct
    {
        std::uint64_t connections = 0, pieces = 0, bytes = 0, cuts = 0, holds = 0, silences = 0,
                      last_words = 0;
    } count;

    /// The process that runs makes a connection.
    void expect_connection() noexcept { is_connection_expected_ = true; }
    /// Takes what a process has just written, and its new connections.
    void collect_from(simulated_process& process);
    /// Takes what Redis has just written.
    void collect_from_redis();
    /// Redis was killed.
    void lose_redis();
    /// A process was killed, or its whole machine: then nobody hears of it.
    void lose(simulated_process& process, bool with_machine);

    /// Delivers the piece that is due first. @return false if none is due
    bool deliver_one();
    nanoseconds next_due() const;

private:
    struct piece
    {
        nanoseconds due;
        std::string bytes; ///< empty: the end of the connection
    };
    struct direction
    {
        std::deque<piece> queue{};
        nanoseconds last = 0; ///< when its last piece is due
        bool is_closed = false;
    };
    struct link
    {
        int number;
        simulated_process* owner;     ///< null: it was killed
        simulated_process* host;      ///< whom it leads to; null: Redis
        int client = -1, server = -1; ///< sockets
        direction to_redis{}, to_client{};
        bool is_silent = false;
    };

    void accept_from(simulated_process& process);
    link& add_link(simulated_process& owner, int client);
    void read_from_host(link& each);
    void send(link& on, direction& way, std::string bytes);
    bool is_last_word(const link& on, const std::string& bytes);
    static void disturb(link& on, nanoseconds until);
    void cut(link& on, direction& way, piece last);
    static void close(int& socket);
    std::string read_all(int socket, bool& has_ended);
    bool read_from_redis(link& each);
    bool is_deliverable(const direction& way) const;
    void deliver_to_redis(link& on);
    void deliver_to_host(link& on);
    void deliver_to_client(link& on);
    void forget_closed();

    simulation& all_;
    random_stream random_;
    int listener_ = -1, host_listener_ = -1;
    bool is_connection_expected_ = false; ///< to accept where there is none costs as much as all else here
    simulated_process* host_ = nullptr;
    int port_ = 0;
    std::vector<std::unique_ptr<link>> links_;
};

} // namespace coworker::test
