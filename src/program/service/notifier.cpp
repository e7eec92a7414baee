// SPDX-License-Identifier: MIT
#include "program/service/notifier.hpp"

#include "program/exit_code.hpp"

#include <coworker/client.hpp>

#include <boost/asio/steady_timer.hpp>

#include <charconv>
#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <utility>

#include <fcntl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

namespace coworker::program {
namespace {

using clock = std::chrono::steady_clock;

/// Reads a variable and removes it.
std::string take_from_environment(const char* name)
{
    const auto* value = std::getenv(name);
    std::string text = value ? value : "";
    ::unsetenv(name);
    return text;
}

/// Nothing for what is no number.
std::optional<std::int64_t> read_number(const std::string& text)
{
    std::int64_t number = 0;
    const auto* end = text.data() + text.size();
    const auto [read, error] = std::from_chars(text.data(), end, number);
    if (text.empty() || error != std::errc{} || read != end)
        return std::nullopt;
    return number;
}

/// A service manager that does not listen is no reason to stop, so what goes wrong is passed over.
void send_datagram(const std::string& socket, std::string_view text)
{
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    if (socket.size() < 2 || socket.size() >= sizeof address.sun_path ||
        (socket[0] != '/' && socket[0] != '@'))
        return;
    std::memcpy(address.sun_path, socket.data(), socket.size());
    if (socket[0] == '@')
        address.sun_path[0] = 0;
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + socket.size());
    const int file = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (file < 0)
        return;
    ::sendto(file, text.data(), text.size(), MSG_NOSIGNAL, reinterpret_cast<const sockaddr*>(&address), size);
    ::close(file);
}

/// Makes a file, or gives it the time of now. Returns the error's number; 0: none.
int touch(const std::string& name)
{
    const int file = ::open(name.c_str(), O_WRONLY | O_CREAT | O_CLOEXEC | O_NOCTTY | O_NONBLOCK, 0644);
    if (file < 0)
        return errno;
    const int error = ::futimens(file, nullptr) == 0 ? 0 : errno;
    ::close(file);
    return error;
}

/// A value is one line.
std::string status_line(std::string_view text)
{
    if (text.empty())
        return {};
    std::string line = "\nSTATUS=";
    for (const char letter : text)
        line += static_cast<unsigned char>(letter) < 0x20 ? ' ' : letter;
    return line;
}

/// Far more often than what counts as silence, however patient the watchdog is.
constexpr std::chrono::seconds between_questions{20};
constexpr std::chrono::seconds between_touches{5};

/// How often a service manager is to be shown life; zero: never.
std::chrono::microseconds pause_of(const notify_settings& settings)
{
    std::chrono::microseconds pause{0};
    if (!settings.socket.empty() && settings.watchdog.count() != 0)
        pause = std::min<std::chrono::microseconds>(settings.watchdog / 2, between_questions);
    if (!settings.alive_file.empty())
        pause = pause.count() == 0 ? between_touches
                                   : std::min<std::chrono::microseconds>(pause, between_touches);
    return pause;
}

} // namespace

/// Shared with the operations under way, which may end after the notifier has gone.
struct notifier::state : std::enable_shared_from_this<notifier::state>
{
    state(asio::any_io_executor on, notify_settings given)
        : settings{std::move(given)}, timer{std::move(on)}, signs{clock::now()}
    {}

    void beat()
    {
        if (!watched)
            return;
        if (signs.are_recent(clock::now()))
            show_life();
        if (!is_asking) {
            is_asking = true;
            watched->async_ping([self = shared_from_this()](const error_code& error) {
                self->is_asking = false;
                if (!error)
                    self->signs.saw_one(clock::now());
            });
        }
        timer.expires_after(pause_of(settings));
        timer.async_wait([self = shared_from_this()](const boost::system::error_code& error) {
            if (!error)
                self->beat();
        });
    }

    void show_life() const
    {
        if (settings.watchdog.count() != 0)
            send_datagram(settings.socket, "WATCHDOG=1");
        if (!settings.alive_file.empty())
            touch(settings.alive_file); // what goes wrong shows in its age
    }

    void end()
    {
        watched = nullptr;
        timer.cancel();
    }

    notify_settings settings;
    asio::steady_timer timer;
    life_signs signs;
    client* watched = nullptr; ///< while it is watched
    bool is_asking = false;
};

notify_settings notifier::from_environment()
{
    notify_settings settings;
    settings.socket = take_from_environment("NOTIFY_SOCKET");
    settings.alive_file = take_from_environment("COWORKER_ALIVE_FILE");
    const auto interval = read_number(take_from_environment("WATCHDOG_USEC"));
    const auto process = read_number(take_from_environment("WATCHDOG_PID"));
    if (interval && *interval > 0 && (!process || *process == ::getpid()))
        settings.watchdog = std::chrono::microseconds{*interval};
    return settings;
}

notifier::notifier(asio::any_io_executor executor, notify_settings settings)
    : state_{std::make_shared<state>(std::move(executor), std::move(settings))}
{}

notifier::~notifier()
{
    stop();
}

void notifier::send(std::string_view text) const
{
    send_datagram(state_->settings.socket, text);
}

void notifier::ready(std::string_view status)
{
    send("READY=1" + status_line(status));
}

void notifier::stopping(std::string_view status)
{
    send("STOPPING=1" + status_line(status));
}

void notifier::status(std::string_view text)
{
    const auto line = status_line(text);
    if (!line.empty())
        send(std::string_view{line}.substr(1));
}

void notifier::watch(client& redis)
{
    const auto& settings = state_->settings;
    if (pause_of(settings).count() == 0 || state_->watched)
        return;
    if (const int error = settings.alive_file.empty() ? 0 : touch(settings.alive_file))
        throw failure{exit_code::failed,
                      "the file '" + settings.alive_file +
                          "' that COWORKER_ALIVE_FILE names cannot be written: " + std::strerror(error)};
    state_->watched = &redis;
    state_->signs.saw_one(clock::now());
    state_->beat();
}

observer notifier::listen(observer next)
{
    return [state = state_, next = std::move(next)](const event& what) {
        state->signs.saw_one(clock::now());
        if (next)
            next(what);
    };
}

void notifier::stop()
{
    state_->end();
}

} // namespace coworker::program
