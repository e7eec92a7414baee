// SPDX-License-Identifier: MIT

// Where a simulated process listens to a TCP port it listens to a unix socket instead: the kernel hands bytes on at once there, and
// in the same order each time. The network hears of each connection that a process makes. Without a simulation these functions do what they always do.
#include "simulation/simulation.hpp"

#include <cstring>

#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <unistd.h>

namespace coworker::test {

namespace {

constexpr const char* beginning = "tcp-"; ///< of the path that stands for a port

bool is_in_process()
{
    const auto* const all = simulation::present();
    return all != nullptr && all->current() != nullptr;
}

void tell_loopback(sockaddr* to, socklen_t* size, int port)
{
    if (to == nullptr || *size < sizeof(sockaddr_in))
        return;
    sockaddr_in where{};
    where.sin_family = AF_INET;
    where.sin_port = htons(static_cast<std::uint16_t>(port));
    where.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    std::memcpy(to, &where, sizeof where);
    *size = sizeof where;
}

/// The address of one end of a socket, as the kernel says it; if that stands for a port, as TCP would.
int tell_end(long call, int socket, sockaddr* to, socklen_t* size)
{
    sockaddr_un where{};
    socklen_t length = sizeof where;
    if (!is_in_process() || syscall(call, socket, &where, &length) != 0 || where.sun_family != AF_UNIX)
        return static_cast<int>(syscall(call, socket, to, size));
    if (std::strncmp(where.sun_path, beginning, std::strlen(beginning)) == 0)
        tell_loopback(to, size, std::atoi(where.sun_path + std::strlen(beginning)));
    else if (length <= sizeof(sa_family_t)) // who connects to such a path has none
        tell_loopback(to, size, 40'000);
    else
        return static_cast<int>(syscall(call, socket, to, size));
    return 0;
}

} // namespace

std::string path_of_port(int port)
{
    return beginning + std::to_string(port);
}

} // namespace coworker::test

using namespace coworker::test;

extern "C" {

int socket(int domain, int type, int protocol) noexcept
{
    const bool is_replaced = domain == AF_INET && is_in_process();
    return static_cast<int>(
        syscall(SYS_socket, is_replaced ? AF_UNIX : domain, type, is_replaced ? 0 : protocol));
}

int bind(int socket, const sockaddr* address, socklen_t size) noexcept
{
    if (address->sa_family != AF_INET || !is_in_process())
        return static_cast<int>(syscall(SYS_bind, socket, address, size));
    const auto path = path_of_port(ntohs(reinterpret_cast<const sockaddr_in*>(address)->sin_port));
    sockaddr_un where{};
    where.sun_family = AF_UNIX;
    std::strncpy(where.sun_path, path.c_str(), sizeof where.sun_path - 1);
    ::unlink(path.c_str());
    return static_cast<int>(syscall(SYS_bind, socket, &where, sizeof where));
}

int connect(int socket, const sockaddr* address, socklen_t size)
{
    if (is_in_process())
        simulation::present()->network().expect_connection();
    return static_cast<int>(syscall(SYS_connect, socket, address, size));
}

int accept(int socket, sockaddr* address, socklen_t* size)
{
    if (!is_in_process())
        return static_cast<int>(syscall(SYS_accept, socket, address, size));
    const auto made = static_cast<int>(syscall(SYS_accept, socket, nullptr, nullptr));
    if (made >= 0)
        tell_loopback(address, size, 40'000);
    return made;
}

int getsockname(int socket, sockaddr* address, socklen_t* size) noexcept
{
    return tell_end(SYS_getsockname, socket, address, size);
}

int getpeername(int socket, sockaddr* address, socklen_t* size) noexcept
{
    return tell_end(SYS_getpeername, socket, address, size);
}

int setsockopt(int socket, int level, int name, const void* value, socklen_t size) noexcept
{
    if (level == IPPROTO_TCP && is_in_process())
        return 0;
    return static_cast<int>(syscall(SYS_setsockopt, socket, level, name, value, size));
}

} // extern "C"
