#include "program/command_line.hpp"
#include "program/demo/supervisor.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>

#include <csignal>
#include <filesystem>

/// coworker demo
namespace coworker::cli {
namespace {

struct demo_arguments
{
    std::string folder = "/usr/share";
};

/// A signal that interrupted it takes effect when everything has been cleaned up.
exit_code demonstrate(const demo::demo_settings& settings)
{
    asio::io_context io{1};
    asio::cancellation_signal cancel;
    int interrupted_by = 0;
    asio::signal_set signals{io, SIGINT, SIGTERM, SIGHUP};
    signals.async_wait([&](const error_code& ec, int number) {
        if (ec)
            return;
        interrupted_by = number;
        cancel.emit(asio::cancellation_type::terminal);
    });
    std::exception_ptr error;
    bool good = false;
    const auto ended = [&](std::exception_ptr thrown, bool result) {
        error = thrown;
        good = result;
        signals.cancel();
    };
    asio::co_spawn(io, demo::run_demo(settings), asio::bind_cancellation_slot(cancel.slot(), ended));
    io.run();
    if (interrupted_by != 0) {
        signals.clear();
        std::raise(interrupted_by);
    }
    if (error)
        std::rethrow_exception(error);
    return good ? exit_code::done : exit_code::failed;
}

exit_code run(const demo_arguments& given, surroundings& here)
{
    std::error_code ignored;
    if (!std::filesystem::is_directory(given.folder, ignored))
        throw failure{exit_code::usage, "there is no folder '" + given.folder + "'"};
    // Only what is said here counts: who tries the demo does not think of a server named long ago.
    server_settings server = here.server;
    server.environment_url.clear();
    demo::demo_settings settings{given.folder, {}};
    if (!server.url.empty())
        settings.redis_url = url_of(server);
    try {
        return demonstrate(settings);
    } catch (const system_error& error) {
        throw explain(error, server);
    }
}

} // namespace

void add_demo(command_line& line)
{
    const auto given = std::make_shared<demo_arguments>();
    auto& command = line.add(
        "demo",
        "Show that nothing is lost: queue a job for every file below a folder, let two worker processes "
        "compute their SHA-256, kill one of them halfway, and check every result. Without --redis a private "
        "server "
        "is started for it, whatever COWORKER_REDIS says; on a server that is named, the demo's queues have "
        "a name of "
        "their own and are removed afterwards.",
        "  coworker demo\n"
        "  coworker demo ~/photos --redis redis://localhost",
        [given](surroundings& here) { return run(*given, here); });
    command.add_option("DIR", given->folder, "The folder")->capture_default_str();
}

} // namespace coworker::cli
