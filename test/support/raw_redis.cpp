// SPDX-License-Identifier: MIT
#include "support/raw_redis.hpp"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <iterator>
#include <stdexcept>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <system_error>
#include <unistd.h>
#include <utility>

namespace coworker::test {

std::vector<std::string> redis_value::texts() const
{
    std::vector<std::string> result;
    for (const auto& element : elements)
        result.push_back(element.text);
    return result;
}

std::map<std::string, std::string> redis_value::pairs() const
{
    std::map<std::string, std::string> result;
    for (std::size_t i = 0; i + 1 < elements.size(); i += 2)
        result[elements[i].text] = elements[i + 1].text;
    return result;
}

std::vector<std::string> redis_value::parts() const
{
    if (type == kind::integer)
        return {std::to_string(integer)};
    if (type != kind::array)
        return {is_error() ? '-' + text : text};
    std::vector<std::string> all;
    for (const auto& element : elements)
        std::ranges::move(element.parts(), std::back_inserter(all));
    return all;
}

raw_redis::raw_redis(const std::string& socket_path, std::chrono::seconds limit)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (socket_path.size() >= sizeof address.sun_path)
        throw std::runtime_error{"path too long: " + socket_path};
    std::memcpy(address.sun_path, socket_path.data(), socket_path.size());
    socket_ = ::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (::connect(socket_, reinterpret_cast<const sockaddr*>(&address), sizeof address) != 0) {
        const int error = errno;
        ::close(socket_);
        throw std::system_error{error, std::generic_category(), socket_path};
    }
    const timeval longest{limit.count(), 0};
    ::setsockopt(socket_, SOL_SOCKET, SO_RCVTIMEO, &longest, sizeof longest);
}

raw_redis::raw_redis(const std::string& socket_path, std::function<void()> let_answer)
    : raw_redis{socket_path}
{
    let_answer_ = std::move(let_answer);
}

raw_redis::~raw_redis()
{
    if (socket_ >= 0)
        ::close(socket_);
}

raw_redis::raw_redis(raw_redis&& other) noexcept
    : socket_{std::exchange(other.socket_, -1)},
      let_answer_{std::move(other.let_answer_)}, received_{std::move(other.received_)}, read_{other.read_}
{}

raw_redis& raw_redis::operator=(raw_redis&& other) noexcept
{
    std::swap(socket_, other.socket_);
    std::swap(let_answer_, other.let_answer_);
    std::swap(received_, other.received_);
    std::swap(read_, other.read_);
    return *this;
}

redis_value raw_redis::try_command(const std::vector<std::string>& words)
{
    return pipeline({&words, 1}).front();
}

redis_value raw_redis::command(const std::vector<std::string>& words)
{
    auto answer = try_command(words);
    if (answer.is_error())
        throw std::runtime_error{words.front() + ": " + answer.text};
    return answer;
}

std::vector<redis_value> raw_redis::pipeline(std::span<const std::vector<std::string>> commands)
{
    std::string bytes;
    for (const auto& words : commands) {
        bytes += '*' + std::to_string(words.size()) + "\r\n";
        for (const auto& word : words)
            bytes.append("$").append(std::to_string(word.size())).append("\r\n").append(word).append("\r\n");
    }
    send(bytes);
    std::vector<redis_value> answers;
    for (std::size_t i = 0; i != commands.size(); ++i)
        answers.push_back(read_value());
    return answers;
}

std::string raw_redis::info(const std::string& section, std::string_view field)
{
    const std::string all = text({"INFO", section});
    std::string start{"\n"};
    start.append(field).append(":");
    const auto line = all.find(start);
    if (line == all.npos)
        return {};
    const auto begin = line + field.size() + 2;
    return all.substr(begin, all.find('\r', begin) - begin);
}

void raw_redis::send(std::string_view bytes)
{
    while (!bytes.empty()) {
        const auto sent = ::send(socket_, bytes.data(), bytes.size(), MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            throw std::system_error{errno, std::generic_category(), "send to Redis"};
        bytes.remove_prefix(static_cast<std::size_t>(sent));
    }
}

void raw_redis::receive_more()
{
    received_.erase(0, std::exchange(read_, 0));
    if (let_answer_)
        let_answer_();
    char buffer[16 * 1024];
    ssize_t size = 0;
    do
        size = ::recv(socket_, buffer, sizeof buffer, 0);
    while (size < 0 && errno == EINTR);
    if (size < 0) {
        const int error = errno;
        ::close(std::exchange(socket_, -1)); // an answer that comes yet is not the one to the next command
        throw std::system_error{error, std::generic_category(), "receive from Redis"};
    }
    if (size == 0)
        throw std::system_error{std::make_error_code(std::errc::connection_reset),
                                "Redis closed the connection"};
    received_.append(buffer, static_cast<std::size_t>(size));
}

std::string raw_redis::read_line()
{
    std::size_t end = 0;
    while ((end = received_.find("\r\n", read_)) == received_.npos)
        receive_more();
    std::string line = received_.substr(read_, end - read_);
    read_ = end + 2;
    return line;
}

std::string raw_redis::read_bytes(std::size_t count)
{
    while (received_.size() - read_ < count + 2)
        receive_more();
    std::string bytes = received_.substr(read_, count);
    read_ += count + 2;
    return bytes;
}

redis_value raw_redis::read_value()
{
    using kind = redis_value::kind;
    const std::string line = read_line();
    const std::string rest = line.substr(1);
    redis_value value;
    switch (line.front()) {
    case '+':
        return {kind::status, rest, 0, {}};
    case '-':
        return {kind::error, rest, 0, {}};
    case ':':
        return {kind::integer, {}, std::stoll(rest), {}};
    case '$':
        if (rest != "-1")
            value = {kind::text, read_bytes(std::stoul(rest)), 0, {}};
        return value;
    case '*':
        if (rest == "-1")
            return value;
        value.type = kind::array;
        for (auto count = std::stoul(rest); count != 0; --count)
            value.elements.push_back(read_value());
        return value;
    }
    throw std::runtime_error{"Redis answered something unknown: " + line};
}

} // namespace coworker::test
