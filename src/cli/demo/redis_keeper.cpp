#include "demo/private_redis.hpp"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <stdexcept>
#include <system_error>

#include <poll.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

namespace coworker::demo {
namespace {

namespace fs = std::filesystem;

/// A new folder that only this user can enter, removed at the end with everything in it.
class temporary_folder
{
public:
    temporary_folder()
    {
        // The path of a unix socket has room for 107 bytes.
        std::error_code ignored;
        auto base = fs::temp_directory_path(ignored).native();
        if (ignored || base.size() > 64)
            base = "/tmp";
        path_ = base + "/coworker-demo-XXXXXX";
        if (!::mkdtemp(path_.data()))
            throw std::system_error{errno, std::generic_category(), base};
    }
    ~temporary_folder()
    {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    temporary_folder(const temporary_folder&) = delete;
    temporary_folder& operator=(const temporary_folder&) = delete;

    const std::string& path() const noexcept { return path_; }

private:
    std::string path_;
};

cli::child_process start_server(const std::string& folder, int output)
{
    std::vector<std::string> command{"redis-server",
                                     "--port",
                                     "0",
                                     "--unixsocket",
                                     folder + "/redis.sock",
                                     "--unixsocketperm",
                                     "700",
                                     "--dir",
                                     folder,
                                     "--appendonly",
                                     "yes",
                                     "--save",
                                     "",
                                     "--logfile",
                                     folder + "/redis.log"};
    try {
        return cli::child_process{command, {.output = output}};
    } catch (const std::system_error& error) {
        if (error.code() != std::errc::no_such_file_or_directory)
            throw;
    }
    command.front() = "valkey-server";
    try {
        return cli::child_process{command, {.output = output}};
    } catch (const std::system_error& error) {
        if (error.code() != std::errc::no_such_file_or_directory)
            throw;
    }
    throw std::runtime_error{"neither redis-server nor valkey-server is on the PATH"};
}

bool accepts_connections(const std::string& socket_path)
{
    const cli::file_descriptor connection{::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::strncpy(address.sun_path, socket_path.c_str(), sizeof address.sun_path - 1);
    return ::connect(connection.get(), reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0;
}

std::string last_line(const std::string& file)
{
    std::ifstream log{file};
    std::string line;
    std::string last = "it said nothing";
    while (std::getline(log, line))
        if (!line.empty())
            last = line;
    return last;
}

/// Waits until either file says that its other side is gone. Waits for ever if the time is negative.
void wait_for_end_of(int first, int second, int milliseconds)
{
    pollfd ends[] = {{first, 0, 0}, {second, 0, 0}}; // the end is always told, data need not be
    while (::poll(ends, 2, milliseconds) < 0 && errno == EINTR) {
    }
}

void wait_until_ready(cli::child_process& server, const std::string& folder, int lifeline, int server_output)
{
    constexpr int attempts = 1000;
    for (int i = 0; i != attempts; ++i) {
        if (accepts_connections(folder + "/redis.sock"))
            return;
        wait_for_end_of(lifeline, server_output, 10);
        if (!server.is_running())
            throw std::runtime_error{"the server " + server.ending() + ": " +
                                     last_line(folder + "/redis.log")};
    }
    throw std::runtime_error{"the server does not answer: " + last_line(folder + "/redis.log")};
}

} // namespace

int keep_redis()
{
    std::signal(SIGPIPE, SIG_IGN); // whoever reads the answer may be gone; the folder has to go too
    try {
        const temporary_folder folder;
        auto server_output = cli::make_pipe();
        auto server = start_server(folder.path(), server_output.write.get());
        server_output.write.close();
        wait_until_ready(server, folder.path(), STDIN_FILENO, server_output.read.get());
        std::cout << "ready " << folder.path() << std::flush;
        // Nothing more is said: the reader waits for the end of the output.
        ::close(STDOUT_FILENO);
        wait_for_end_of(STDIN_FILENO, server_output.read.get(), -1);
        return 0;
    } catch (const std::exception& error) {
        std::cout << error.what() << std::flush;
        return 1;
    }
}

} // namespace coworker::demo
