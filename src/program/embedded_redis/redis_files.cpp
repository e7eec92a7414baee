// SPDX-License-Identifier: MIT
#include "program/embedded_redis/redis_files.hpp"

#include <cerrno>
#include <cstring>
#include <string_view>
#include <system_error>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

namespace coworker::program {

exec::file_descriptor open_lock(const std::string& path)
{
    exec::file_descriptor file{::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)};
    if (!file)
        throw std::system_error{errno, std::generic_category(), path};
    return file;
}

void lock(const exec::file_descriptor& file, int kind)
{
    while (::flock(file.get(), kind) != 0)
        if (errno != EINTR)
            throw std::system_error{errno, std::generic_category(), "a lock"};
}

bool redis_answers(const std::string& socket_path)
{
    const exec::file_descriptor connection{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    const timeval patience{1, 0};
    ::setsockopt(connection.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, socket_path.c_str(), sizeof address.sun_path - 1);
    if (::connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return false;
    constexpr std::string_view question = "PING\r\n", answer = "+PONG"; // while it loads: -LOADING
    char heard[answer.size()];
    return ::send(connection.get(), question.data(), question.size(), MSG_NOSIGNAL) > 0 &&
           ::recv(connection.get(), heard, sizeof heard, MSG_WAITALL) == static_cast<ssize_t>(sizeof heard) &&
           std::string_view{heard, sizeof heard} == answer;
}

} // namespace coworker::program
