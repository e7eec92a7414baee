// The demo of coworker's main promise: a worker is killed, nothing is lost. See scripts/demo.
#include "demo/private_redis.hpp"
#include "demo/supervisor.hpp"
#include "demo/worker_process.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/signal_set.hpp>
#include <boost/system/error_code.hpp>

#include <CLI/CLI.hpp>

#include <csignal>
#include <iostream>

namespace {

namespace asio = boost::asio;
using namespace coworker::demo;

constexpr const char* default_folder = "/usr/share";

/// Returns the exit status. A signal that interrupted it takes effect when everything has been cleaned up.
int demonstrate(const demo_settings& settings)
{
    asio::io_context io{1};
    asio::cancellation_signal cancel;
    int interrupted_by = 0;
    asio::signal_set signals{io, SIGINT, SIGTERM, SIGHUP};
    signals.async_wait([&](const boost::system::error_code& ec, int number) {
        if (ec)
            return;
        interrupted_by = number;
        cancel.emit(asio::cancellation_type::terminal);
    });

    std::exception_ptr error;
    bool good = false;
    auto ended = [&](std::exception_ptr failed, bool result) {
        error = failed;
        good = result;
        signals.cancel();
    };
    asio::co_spawn(io, run_demo(settings), asio::bind_cancellation_slot(cancel.slot(), ended));
    io.run();

    if (interrupted_by != 0) {
        signals.clear();
        std::raise(interrupted_by);
    }
    if (error)
        std::rethrow_exception(error);
    return good ? 0 : 1;
}

} // namespace

int main(int argc, char** argv)
{
    CLI::App app{
        "Queues a job for every file below a folder, lets two worker processes compute their SHA-256, "
        "kills one of them halfway, and shows that nothing was lost."};
    demo_settings demo{.folder = default_folder, .redis_url = {}};
    app.add_option("DIR", demo.folder, "The folder")->capture_default_str();
    app.add_option("--redis", demo.redis_url,
                   "A server of yours, such as redis://localhost:6379, in place of a private one. The demo's "
                   "queues have a name of their own there and are destroyed afterwards.")
        ->type_name("URL");

    // What the program starts itself as; not for people, so without help.
    worker_settings settings;
    auto* work_command = app.add_subcommand("@work")->group("");
    work_command->add_option("--redis", settings.redis_url)->required();
    work_command->add_option("--queue", settings.queue)->required();
    work_command->add_option("--number", settings.number)->required();
    auto* keep_command = app.add_subcommand("@keep-redis")->group("");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& answer) { // or help was asked for
        return app.exit(answer) == 0 ? 0 : 2;
    }

    try {
        if (work_command->parsed())
            return work(settings);
        if (keep_command->parsed())
            return keep_redis();
        return demonstrate(demo);
    } catch (const std::exception& error) {
        std::cerr << "coworker-demo: " << error.what() << '\n';
        return 1;
    }
}
