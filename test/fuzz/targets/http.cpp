// SPDX-License-Identifier: MIT
#include "fuzz/answer_check.hpp"
#include "fuzz/fuzz.hpp"
#include "support/scripted_connection.hpp"

#include "gateway/server.hpp"

#include <boost/asio/co_spawn.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>

#include <netinet/in.h>
#include <sys/socket.h>
#include <unistd.h>

namespace coworker::fuzz {

using namespace detail;
using namespace test;

namespace {

/// A client of a gateway, which never waits.
class visitor
{
public:
    explicit visitor(std::uint16_t port) : socket_{::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0)}
    {
        sockaddr_in where{};
        where.sin_family = AF_INET;
        where.sin_port = htons(port);
        where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        claim(::connect(socket_, reinterpret_cast<const sockaddr*>(&where), sizeof where) == 0);
        const linger at_once{.l_onoff = 1, .l_linger = 0}; // no port is left to wait
        claim(::setsockopt(socket_, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once) == 0);
    }
    ~visitor() { ::close(socket_); }
    visitor(const visitor&) = delete;
    visitor& operator=(const visitor&) = delete;

    void send(std::string_view bytes) const
    {
        if (!bytes.empty())
            (void)!::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL | MSG_DONTWAIT);
    }

    /// Adds what has been answered since.
    void receive(std::string& to) const
    {
        std::array<char, 16 * 1024> part;
        for (ssize_t size; (size = ::recv(socket_, part.data(), part.size(), MSG_DONTWAIT)) > 0;)
            to.append(part.data(), static_cast<std::size_t>(size));
    }

    void end_sending() const { ::shutdown(socket_, SHUT_WR); }

private:
    int socket_;
};

/// What a gateway answers to requests that come in two parts.
std::string talk(std::string_view requests, std::string_view answers)
{
    asio::io_context io{1};
    auto redis = scripted_client(io.get_executor(), answers);
    http_server server{redis, {.port = 0, .body_limit = 16 * 1024, .header_limit = 2048}};
    server.listen();
    bool has_ended = false;
    asio::co_spawn(io, server.run(), [&](std::exception_ptr) { has_ended = true; });
    std::string received;
    {
        const visitor guest{server.port()};
        const auto half =
            requests.empty() ? 0 : static_cast<unsigned char>(requests.back()) % requests.size();
        for (const auto part : {requests.substr(0, half), requests.substr(half)}) {
            guest.send(part);
            io.poll();
            guest.receive(received);
        }
        guest.end_sending();
        for (int i = 0; i != 3 && server.connections() != 0; ++i) { // a full socket takes several turns
            io.poll();
            guest.receive(received);
        }
    }
    io.poll();
    server.abandon();
    io.poll();
    claim(has_ended && server.connections() == 0);
    return received;
}

} // namespace

/// Bytes that a gateway receives on a connection; behind a line "----" what Redis answers meanwhile.
FUZZ_TARGET(http)
{
    constexpr std::string_view line = "\n----\n";
    const auto end = std::min(bytes.find(line), bytes.size());
    const auto answers = bytes.substr(std::min(end + line.size(), bytes.size()));
    const auto received = talk(bytes.substr(0, end), answers);
    const auto wrong = test::check_answers(received, true);
    if (!wrong.empty())
        std::fprintf(stderr, "%s\n", wrong.c_str());
    claim(wrong.empty());
}

} // namespace coworker::fuzz
