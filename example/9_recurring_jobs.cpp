// SPDX-License-Identifier: MIT

// A job that recurs: Redis holds a template, from which a job is made at every interval.
//
//   9_recurring_jobs [URL]
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
    coworker::managed_client jobs{redis};

    // An id of its own, so that every start of the program changes the one template rather than adding
    // another. What was due while nobody worked is made up for, but not more than the backlog and one.
    const report sales{"sales"};
    co_await reports.async_recur("Report", sales, 1s, {.jid = "sales-report", .backlog = 1});

    coworker::worker worker{redis};
    coworker::handlers_by_kind handlers;
    handlers.on<report>("Report", [&](report job, coworker::job_context& context) {
        std::cout << context.id() << ": report about " << job.about << '\n';
        if (context.id() == "sales-report-2")
            worker.stop();
    });
    worker.handle(reports, std::move(handlers));
    co_await worker.async_run(); // an idle worker sleeps until the next one is due

    // Looking at the template, changing it, and ending it. Jobs that were made from it stay.
    const auto weekly = co_await jobs.async_update_recurring("sales-report", {.interval = 24h * 7});
    weekly.value();
    const auto found = co_await jobs.async_recurring("sales-report");
    const coworker::recurring_job& recurring = found.value();
    std::cout << recurring.count << " were made; now every "
              << std::chrono::duration_cast<std::chrono::hours>(recurring.interval).count() << " hours\n";
    co_await jobs.async_unrecur("sales-report");
}

int main(int argc, char** argv)
{
    asio::io_context io;
    auto end = asio::co_spawn(io, run(argc > 1 ? argv[1] : "redis://localhost"), asio::use_future);
    io.run();
    end.get();
}
