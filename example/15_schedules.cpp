// SPDX-License-Identifier: MIT

// Schedules: jobs at the times of a cron line, in a time zone, or at fixed intervals.
//
//   15_schedules [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <iostream>

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct report
{
    std::string about;
};
BOOST_DESCRIBE_STRUCT(report, (), (about))

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::managed_queue reports{redis, "reports"};
    coworker::schedules schedules{redis};

    // A program may set its schedules at each start: the name decides which one is meant, and runs that are due stay
    // due. After that they are kept in Redis, and every worker with a managed queue carries them out.
    const report sales{"sales"}, pulse{"pulse"};
    co_await schedules.async_set("nightly", {.cron = "30 2 * * mon-fri", .zone = "Europe/Berlin"},
                                 reports.name(), "Report", sales);
    co_await schedules.async_set("pulse", {.every = 1s, .missed = coworker::missed_runs::skip},
                                 reports.name(), "Report", pulse, {.priority = 10});

    // What a line means can be tried out without Redis.
    try {
        coworker::next_times({.cron = "30 25 * * *"}, {});
    } catch (const coworker::system_error& error) {
        std::cout << error.what() << '\n';
    }

    coworker::worker worker{redis};
    coworker::handlers_by_kind handlers;
    int pulses = 0;
    handlers.on<report>("Report", [&](report job, coworker::job_context& context) {
        // The id of a job says which run it belongs to: two runs never share one.
        const auto planned = coworker::schedule_time(context.id());
        std::cout << "report about " << job.about << (planned ? ", as planned" : "") << '\n';
        if (job.about == "pulse" && ++pulses == 2)
            worker.stop();
    });
    worker.handle(reports, std::move(handlers));
    co_await schedules.async_run_now("nightly"); // beside its times
    co_await worker.async_run();                 // sleeps until the next run is due

    co_await schedules.async_pause("pulse");
    for (const auto& each : co_await schedules.async_list())
        std::cout << each.name << " has run " << each.runs << (each.runs == 1 ? " time; " : " times; ")
                  << (each.paused ? "it is paused" : "it has a next time") << '\n';
    co_await schedules.async_remove("pulse");
    co_await schedules.async_remove("nightly");
}

int main(int argc, char** argv)
{
    asio::io_context io;
    auto end = asio::co_spawn(io, run(argc > 1 ? argv[1] : "redis://localhost"), asio::use_future);
    io.run();
    end.get();
}
