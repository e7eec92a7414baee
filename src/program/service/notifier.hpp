// SPDX-License-Identifier: MIT
#pragma once

#include <coworker/event.hpp>

#include <boost/asio/any_io_executor.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>

namespace coworker {
class client;
}

/// What a service manager such as systemd is told, by its sd_notify protocol.
///
///     notifier service{io.get_executor(), notifier::from_environment()};
///     options.on_event = service.listen();   // of the client
///     service.watch(*redis);                 // from here on the watchdog is fed
///     ... everything is ready ...
///     service.ready("working on mail");
///     ... told to stop ...
///     service.stopping();
///     ... before the client is stopped ...
///     service.stop();
///
/// Without a service manager all of it does nothing.
namespace coworker::program {

/// What the service manager has asked for.
struct notify_settings
{
    std::string socket; ///< NOTIFY_SOCKET; @ at its beginning: an abstract one. Empty: none.
    std::chrono::microseconds watchdog{0}; ///< WATCHDOG_USEC; zero: no watchdog
    std::string alive_file{}; ///< COWORKER_ALIVE_FILE, for managers that look at a file's age. Empty: none
};

/// Whether something is still going on between this program and Redis: an answer, or an attempt to connect.
/// A server that is away is none of the program's faults, and starting it again would not help.
class life_signs
{
public:
    using time_point = std::chrono::steady_clock::time_point;

    /// For longer than this nothing is silent that works: attempts to connect give up before.
    static constexpr std::chrono::seconds longest_silence{60};

    explicit life_signs(time_point now) : last_{now} {}

    void saw_one(time_point now) noexcept { last_ = now; }
    bool are_recent(time_point now) const noexcept { return now - last_ < longest_silence; }

private:
    time_point last_;
};

class notifier
{
public:
    /// Reads the environment, and takes it out of there, since it is not meant for children.
    static notify_settings from_environment();

    notifier(boost::asio::any_io_executor executor, notify_settings settings);
    ~notifier();
    notifier(const notifier&) = delete;
    notifier& operator=(const notifier&) = delete;

    /// The service can be used. @param status  a line for people; empty: none
    void ready(std::string_view status = {});
    void stopping(std::string_view status = {});
    void status(std::string_view text);

    /// An observer for the client that is to be watched: its attempts to connect are life signs.
    ///
    /// @param next  is told of the events as well; empty: nobody
    observer listen(observer next = {});

    /// Feeds the watchdog, if there is one, at half of its time, and touches the file that shows life, if there is one,
    /// every five seconds: by a timer, so only while the context turns, and only while there are life signs of the
    /// client. Asks Redis for one each time.
    ///
    /// @param redis  must outlive this object or the call of `stop`
    /// @throws failure  The file cannot be made.
    void watch(client& redis);

    /// Ends the watch, so that the context can run out of work.
    void stop();

private:
    struct state;
    void send(std::string_view text) const;

    std::shared_ptr<state> state_;
};

} // namespace coworker::program
