// SPDX-License-Identifier: MIT
#include "exec/launcher.hpp"

#include "exec/folders.hpp"

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <system_error>

#include <fcntl.h>
#include <sys/socket.h>

namespace coworker::exec {
namespace {

constexpr std::size_t longest_answer = 4096;

} // namespace

launcher::launcher(const command& what)
{
    auto sockets = make_socket_pair();
    std::vector<std::string> words{own_program(), launcher_word, what.file, what.sandboxes,
                                   std::to_string(what.grace.count())};
    words.insert(words.end(), what.words.begin(), what.words.end());
    process_ = child_process{words, {.input = sockets.theirs.get(), .dies_with_us = false}};
    socket_ = std::move(sockets.ours);
    sockets.theirs.close();

    char answer[longest_answer];
    ssize_t size = 0;
    do
        size = ::recv(socket_.get(), answer, sizeof answer, 0);
    while (size < 0 && errno == EINTR);
    if (size <= 0)
        throw std::runtime_error{"the process that starts commands has ended"};
    // A byte of zero and a folder, or what is wrong.
    const std::string text{answer, static_cast<std::size_t>(size)};
    if (text.front() != '\0')
        throw std::runtime_error{text};
    folder_ = text.substr(1);
}

launcher::~launcher()
{
    socket_.close();
    process_.wait();
    if (!folder_.empty()) // still there if the process was killed
        remove_folder(folder_);
}

bool launcher::start(int control, const command_input& what)
{
    std::string text = what.about;
    text += '\0';
    for (const auto& variable : what.variables)
        text.append(variable.c_str(), variable.size() + 1);
    iovec part{text.data(), text.size()};
    const int files[] = {control, what.input.get(), what.output.get()};
    const auto size_of_files = (what.output ? 3 : 2) * sizeof(int);
    alignas(cmsghdr) char room[CMSG_SPACE(sizeof files)] = {};
    msghdr message{};
    message.msg_iov = &part;
    message.msg_iovlen = 1;
    message.msg_control = room;
    message.msg_controllen = CMSG_SPACE(size_of_files);
    auto* header = CMSG_FIRSTHDR(&message);
    header->cmsg_level = SOL_SOCKET;
    header->cmsg_type = SCM_RIGHTS;
    header->cmsg_len = CMSG_LEN(size_of_files);
    std::memcpy(CMSG_DATA(header), files, size_of_files);

    if (::sendmsg(socket_.get(), &message, MSG_DONTWAIT | MSG_NOSIGNAL) >= 0)
        return true;
    if (errno == EAGAIN || errno == EINTR || errno == ENOBUFS)
        return false;
    throw std::system_error{errno, std::generic_category(), "the process that starts commands"};
}

} // namespace coworker::exec
