// SPDX-License-Identifier: MIT
#include "simulation/simulated_network.hpp"

#include "simulation/simulation.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace coworker::test {

namespace {

constexpr const char* network_path = "network.sock";

sockaddr_un address_of(const char* path)
{
    sockaddr_un where{};
    where.sun_family = AF_UNIX;
    std::strncpy(where.sun_path, path, sizeof where.sun_path - 1);
    return where;
}

/// A non-blocking connection; less than zero if there is none.
int connect_to(const char* path)
{
    const int socket = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    const auto where = address_of(path);
    if (::connect(socket, reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0) {
        ::close(socket);
        return -1;
    }
    ::fcntl(socket, F_SETFL, O_NONBLOCK);
    return socket;
}

int listen_at(const char* path)
{
    const int made = ::socket(AF_UNIX, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    const auto where = address_of(path);
    if (::bind(made, reinterpret_cast<const sockaddr*>(&where), sizeof where) != 0 ||
        ::listen(made, 128) != 0)
        throw std::runtime_error{"the simulated network has no socket"};
    return made;
}

} // namespace

simulated_network::simulated_network(simulation& all, std::uint64_t seed)
    : all_{all}, random_{seed, 2}, listener_{listen_at(network_path)}
{}

void simulated_network::close(int& socket)
{
    if (socket >= 0)
        ::close(socket);
    socket = -1;
}

simulated_network::~simulated_network()
{
    for (auto& each : links_) {
        close(each->client);
        close(each->server);
    }
    close(listener_);
    close(host_listener_);
}

void simulated_network::serve(simulated_process& host, int port)
{
    host_ = &host;
    port_ = port;
    host_listener_ = listen_at(host_path);
}

void simulated_network::send(link& on, direction& way, std::string bytes)
{
    if (way.is_closed || on.is_silent)
        return;
    auto due = all_.now() + random_.between(faults.latency_min, faults.latency_max);
    if (!bytes.empty() && random_.chance(faults.hold) && all_.may_go_wrong()) {
        ++count.holds;
        due += random_.between(0, faults.longest_hold);
        disturb(on, due);
        all_.tell("network", "holds back " + std::to_string(on.number));
    }
    if (&way == &on.to_redis && is_last_word(on, bytes))
        due += random_.between(faults.longest_hold / 3, faults.longest_hold);
    due = way.last = std::max(way.last, due);
    if (bytes.empty()) {
        way.queue.push_back({due, {}});
        way.is_closed = true;
        return;
    }
    count.bytes += bytes.size();
    if (random_.chance(faults.silence) && all_.may_go_wrong()) {
        ++count.silences;
        disturb(on, all_.now());
        on.is_silent = true;
        all_.tell("network", "is silent on " + std::to_string(on.number));
    } else if (random_.chance(faults.cut) && all_.may_go_wrong()) {
        cut(on, way, {due, std::move(bytes)});
    } else {
        way.queue.push_back({due, std::move(bytes)});
    }
}

/// If so, its machine is lost at once.
bool simulated_network::is_last_word(const link& on, const std::string& bytes)
{
    auto* const process = on.owner;
    if (faults.last_word == 0 || process == nullptr || !process->name.starts_with("worker") ||
        std::ranges::none_of(faults.words, [&](auto word) { return bytes.find(word) != bytes.npos; }) ||
        !random_.chance(faults.last_word) || !all_.may_go_wrong())
        return false;
    ++count.last_words;
    all_.tell("network", "carries the last words of " + process->name + " on " + std::to_string(on.number));
    all_.after(0, [this, process] { all_.kill(*process, true); });
    all_.after(random_.between(second, 15 * second), [this, process] { all_.start(*process); });
    return true;
}

void simulated_network::disturb(link& on, nanoseconds until)
{
    if (on.owner != nullptr)
        on.owner->disturb(until);
}

/// Both directions end, this one in the middle of a piece.
void simulated_network::cut(link& on, direction& way, piece last)
{
    ++count.cuts;
    all_.tell("network",
              "cuts " + std::to_string(on.number) + (&way == &on.to_redis ? " to" : " from") + " Redis");
    last.bytes.resize(random_.below(last.bytes.size() + 1));
    const auto due = last.due;
    if (!last.bytes.empty())
        way.queue.push_back(std::move(last));
    way.queue.push_back({due, {}});
    way.is_closed = true;
    auto& other = &way == &on.to_redis ? on.to_client : on.to_redis;
    other.last = std::max(other.last, due);
    if (random_.chance(faults.late_end))
        other.last += random_.between(0, faults.longest_hold);
    if (!other.is_closed)
        other.queue.push_back({other.last, {}});
    other.is_closed = true;
    disturb(on, std::max(due, other.last));
}

void simulated_network::accept_from(simulated_process& process)
{
    const auto next_of = [](int listener) {
        return listener < 0 ? -1 : ::accept4(listener, nullptr, nullptr, SOCK_NONBLOCK | SOCK_CLOEXEC);
    };
    for (int socket; (socket = next_of(listener_)) >= 0;) {
        auto& made = add_link(process, socket);
        made.server = all_.redis().runs() ? connect_to(simulated_redis::socket_path) : -1;
        if (made.server < 0)
            send(made, made.to_client, {});
    }
    for (int socket; (socket = next_of(host_listener_)) >= 0;) {
        auto& made = add_link(process, socket);
        made.host = host_;
        made.server = host_->is_alive() ? connect_to(path_of_port(port_).c_str()) : -1;
        if (made.server < 0)
            send(made, made.to_client, {});
        host_->is_runnable = true;
    }
}

simulated_network::link& simulated_network::add_link(simulated_process& owner, int client)
{
    auto& made = *links_.emplace_back(std::make_unique<link>());
    made.number = static_cast<int>(++count.connections);
    made.owner = &owner;
    made.host = nullptr;
    made.client = client;
    return made;
}

std::string simulated_network::read_all(int socket, bool& has_ended)
{
    static std::array<char, 262'144> buffer;
    std::string all;
    ssize_t size;
    while ((size = ::read(socket, buffer.data(), buffer.size())) > 0)
        all.append(buffer.data(), static_cast<std::size_t>(size));
    has_ended = size == 0 || errno != EAGAIN;
    return all;
}

void simulated_network::collect_from(simulated_process& process)
{
    if (std::exchange(is_connection_expected_, false))
        accept_from(process);
    for (auto& each : links_) {
        if (each->host == &process && each->server >= 0)
            read_from_host(*each);
        if (each->owner != &process || each->client < 0)
            continue;
        bool has_ended = false;
        if (auto bytes = read_all(each->client, has_ended); !bytes.empty())
            send(*each, each->to_redis, std::move(bytes));
        if (has_ended) {
            close(each->client);
            send(*each, each->to_redis, {});
        }
    }
}

void simulated_network::read_from_host(link& each)
{
    bool has_ended = false;
    if (auto bytes = read_all(each.server, has_ended); !bytes.empty())
        send(each, each.to_client, std::move(bytes));
    if (has_ended) {
        close(each.server);
        send(each, each.to_client, {});
    }
}

/// @return whether Redis may have more, for which there was no room
bool simulated_network::read_from_redis(link& each)
{
    bool has_ended = false;
    auto bytes = read_all(each.server, has_ended);
    const bool was_full = bytes.size() > 60'000;
    if (!bytes.empty())
        send(each, each.to_client, std::move(bytes));
    if (has_ended) {
        close(each.server);
        send(each, each.to_client, {});
    }
    return was_full && !has_ended;
}

void simulated_network::collect_from_redis()
{
    for (bool is_full = true; is_full;) {
        is_full = false;
        for (auto& each : links_)
            if (each->server >= 0 && each->host == nullptr)
                is_full = read_from_redis(*each) || is_full;
        if (is_full)
            all_.redis().hand_over();
    }
}

void simulated_network::lose_redis()
{
    for (auto& each : links_)
        if (each->server >= 0 && each->host == nullptr) {
            close(each->server);
            send(*each, each->to_client, {});
        }
}

void simulated_network::lose(simulated_process& process, bool with_machine)
{
    for (auto& each : links_) {
        if (each->host == &process && each->server >= 0) {
            close(each->server);
            if (with_machine)
                each->is_silent = true;
            else
                send(*each, each->to_client, {});
        }
        if (each->owner != &process)
            continue;
        close(each->client);
        each->owner = nullptr;
        if (with_machine)
            each->is_silent = true;
        else
            send(*each, each->to_redis, {});
    }
}

} // namespace coworker::test
