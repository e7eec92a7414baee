// SPDX-License-Identifier: MIT
#include "exec/command_runner.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <cerrno>
#include <system_error>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

namespace coworker::exec {
namespace {

using boost::system::error_code;

/// A file in memory: it needs nobody who writes while the command reads, or does not.
file_descriptor memory_file(std::string_view content)
{
    file_descriptor file{::memfd_create("job", MFD_CLOEXEC)};
    if (!file)
        throw std::system_error{errno, std::generic_category(), "a file in memory"};
    while (!content.empty()) {
        const auto size = ::write(file.get(), content.data(), content.size());
        if (size > 0)
            content.remove_prefix(static_cast<std::size_t>(size));
        else if (size < 0 && errno != EINTR)
            throw std::system_error{errno, std::generic_category(), "a file in memory"};
    }
    ::lseek(file.get(), 0, SEEK_SET);
    return file;
}

void ask(int control, char wished)
{
    ::send(control, &wished, 1, MSG_DONTWAIT | MSG_NOSIGNAL);
}

command_end receive_end(int control)
{
    char bytes[4096];
    auto size = ::recv(control, bytes, sizeof bytes, MSG_DONTWAIT);
    if (size < 0 && errno == ECONNRESET) // a wish came too late to be read; the end is behind this error
        size = ::recv(control, bytes, sizeof bytes, MSG_DONTWAIT);
    return command_end_from({bytes, size > 0 ? static_cast<std::size_t>(size) : 0});
}

/// No handler is left behind in a slot.
struct slot_use
{
    asio::cancellation_slot slot;
    ~slot_use() { slot.clear(); }
};

} // namespace

command_runner::command_runner(const asio::any_io_executor& executor, const command& what)
    : launcher_{what}, launcher_socket_{executor, ::fcntl(launcher_.file(), F_DUPFD_CLOEXEC, 0)}
{}

asio::awaitable<command_end> command_runner::run(command_input input, asio::cancellation_slot cancelled)
{
    // The caller's cancellation must not end this before the command has.
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    if (!input.input)
        input.input = memory_file(input.text);
    auto sockets = make_socket_pair();
    asio::posix::stream_descriptor control{co_await asio::this_coro::executor, sockets.ours.release()};
    // From the beginning: a wish waits in the socket until somebody is there to hear it.
    const slot_use use{cancelled};
    cancelled.assign([this, socket = control.native_handle()](asio::cancellation_type) {
        ask(socket, short_ ? wish::kill : wish::terminate);
    });
    co_await launch(sockets.theirs.get(), input);
    sockets.theirs.close();
    input.input.close();
    input.output.close();
    error_code ignored; // a socket that is waited for has an end or an answer
    co_await control.async_wait(control.wait_read, asio::redirect_error(asio::use_awaitable, ignored));
    co_return receive_end(control.native_handle());
}

asio::awaitable<void> command_runner::launch(int control, const command_input& what)
{
    while (!launcher_.start(control, what)) {
        error_code ignored; // the next try tells
        co_await launcher_socket_.async_wait(launcher_socket_.wait_write,
                                             asio::redirect_error(asio::use_awaitable, ignored));
    }
}

asio::awaitable<void> command_runner::wait_for_loss()
{
    co_await launcher_socket_.async_wait(launcher_socket_.wait_read, asio::use_awaitable);
}

} // namespace coworker::exec
