// SPDX-License-Identifier: MIT
#include "program/embedded_redis/redis_files.hpp"

#include <cerrno>
#include <cstring>
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

std::string ask_redis(const std::string& socket_path, const std::string& question)
{
    const exec::file_descriptor connection{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    const timeval patience{1, 0};
    ::setsockopt(connection.get(), SOL_SOCKET, SO_RCVTIMEO, &patience, sizeof patience);
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, socket_path.c_str(), sizeof address.sun_path - 1);
    if (::connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0)
        return {};
    const auto words = question + "\r\nQUIT\r\n"; // so the answer ends with the connection
    if (::send(connection.get(), words.data(), words.size(), MSG_NOSIGNAL) < 0)
        return {};
    std::string answer;
    char part[4096];
    for (;;) {
        const auto size = ::recv(connection.get(), part, sizeof part, 0);
        if (size <= 0)
            return answer;
        answer.append(part, static_cast<std::size_t>(size));
    }
}

bool redis_answers(const std::string& socket_path)
{
    return ask_redis(socket_path, "PING").starts_with("+PONG"); // while it loads: -LOADING
}

} // namespace coworker::program
