// SPDX-License-Identifier: MIT
#include "support/sentinel_servers.hpp"

#include <chrono>
#include <fstream>
#include <functional>
#include <stdexcept>
#include <system_error>
#include <thread>

namespace coworker::test {
namespace {

/// False also if a Sentinel ends the connection meanwhile.
template<class Look>
bool is_seen(Look look)
{
    try {
        return look();
    } catch (const std::system_error&) {
        return false;
    }
}

void wait_until_so(const std::string& what, const std::function<bool()>& is_so)
{
    const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds{30};
    while (!is_so()) {
        if (std::chrono::steady_clock::now() > give_up)
            throw std::runtime_error{what + " does not happen"};
        std::this_thread::sleep_for(std::chrono::milliseconds{5});
    }
}

} // namespace

sentinel_servers::sentinel_servers(cuttable_network* network) : network_{network}
{
    start_server();
    for (int i = 0; i != 2; ++i) {
        start_server();
        auto& replica = servers_.back();
        wait_until_so("that a replica follows",
                      [&] { return replica.raw().info("replication", "master_link_status") == "up"; });
    }
    for (int i = 0; i != 3; ++i)
        start(sentinels_.emplace_back());
    for (std::size_t i = 0; i != sentinels_.size(); ++i)
        wait_until_so("that the Sentinels know each other", [&] { return knows_all(i); });
}

/// The first one is the primary of the others.
void sentinel_servers::start_server()
{
    redis_server_options how{.tcp = true};
    how.config = {{"repl-diskless-sync-delay", "0"}};
    if (network_ != nullptr) {
        const auto& place = *places_.emplace_back(&network_->add_place());
        how.config.insert(how.config.end(), {{"bind-source-addr", place.address},
                                             {"replica-announce-ip", "127.0.0.1"},
                                             {"replica-announce-port", std::to_string(place.port)}});
    }
    if (!servers_.empty())
        how.config.push_back({"replicaof", "127.0.0.1", std::to_string(port_of(0))});
    auto& server = servers_.emplace_back(how);
    if (network_ != nullptr)
        network_->open(*places_.back(), server.tcp_port());
}

int sentinel_servers::port_of(std::size_t server) const
{
    return network_ == nullptr ? servers_[server].tcp_port() : places_[server]->port;
}

void sentinel_servers::start(sentinel& which)
{
    for (int attempt = 0; attempt != 4; ++attempt) { // another program may take the free port first
        which.port = find_free_port();
        std::ofstream{which.folder.file("sentinel.conf")}
            << "port " << which.port << "\nbind 127.0.0.1\nunixsocket " << which.folder.file("sock")
            << "\ndir " << which.folder.path().string() << "\nsentinel monitor jobs 127.0.0.1 " << port_of(0)
            << " 2\nsentinel down-after-milliseconds jobs 10000\nsentinel failover-timeout jobs 5000\n"
            << (network_ == nullptr ? ""
                                    : "bind-source-addr " + cuttable_network::address_of_others() +
                                          "\nsentinel announce-ip 127.0.0.1\n");
        which.running.clear();
        which.running.emplace_back(
            std::vector<std::string>{"redis-server", which.folder.file("sentinel.conf"), "--sentinel"},
            which.folder.file("log"));
        const auto give_up = std::chrono::steady_clock::now() + std::chrono::seconds{30};
        while (which.running.front().is_running() && std::chrono::steady_clock::now() < give_up) {
            try {
                raw_redis probe{which.folder.file("sock")};
                if (!probe.try_command({"PING"}).is_error())
                    return;
            } catch (const std::exception&) {
                std::this_thread::sleep_for(std::chrono::milliseconds{5});
            }
        }
    }
    throw std::runtime_error{"a Sentinel does not start"};
}

redis_value sentinel_servers::ask(std::size_t number, const std::vector<std::string>& words)
{
    return raw_redis{sentinels_[number].folder.file("sock")}.command(words);
}

bool sentinel_servers::knows_all(std::size_t number)
{
    auto known = ask(number, {"SENTINEL", "MASTER", "jobs"}).pairs();
    return known["num-slaves"] == "2" && known["num-other-sentinels"] == "2" && known["flags"] == "master";
}

int sentinel_servers::named_port(std::size_t number)
{
    return std::stoi(ask(number, {"SENTINEL", "GET-MASTER-ADDR-BY-NAME", "jobs"}).texts().at(1));
}

raw_redis sentinel_servers::primary()
{
    const int port = named_port(0);
    for (std::size_t i = 0; i != servers_.size(); ++i)
        if (port_of(i) == port)
            return raw_redis{servers_[i].socket_path()};
    throw std::runtime_error{"the Sentinels name an unknown primary"};
}

void sentinel_servers::count_as_down_after(std::chrono::milliseconds time)
{
    for (std::size_t i = 0; i != sentinels_.size(); ++i)
        ask(i, {"SENTINEL", "SET", "jobs", "down-after-milliseconds", std::to_string(time.count())});
}

bool sentinel_servers::has_failed_over()
{
    for (std::size_t i = 0; i != sentinels_.size(); ++i)
        if (named_port(i) == port_of(0))
            return false;
    return is_seen([&] { return primary().info("replication", "role") == "master"; });
}

bool sentinel_servers::first_is_replica_without(const std::string& client_name)
{
    return is_seen([&] {
        return look_at_first().info("replication", "role") == "slave" &&
               look_at_first()("CLIENT", "LIST").text.find(client_name) == std::string::npos;
    });
}

std::vector<std::string> sentinel_servers::places() const
{
    std::vector<std::string> all;
    for (const auto& each : sentinels_)
        all.push_back("127.0.0.1:" + std::to_string(each.port));
    return all;
}

} // namespace coworker::test
