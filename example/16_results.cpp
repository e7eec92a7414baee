// SPDX-License-Identifier: MIT

// Results: a handler returns a value, and whoever pushed the job gets it with `co_await`; a failure arrives as an
// error. A long job tells how far it is, and goes on where the attempt before has stopped.
//
//   16_results [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/cancel_after.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <iostream>
#include <stdexcept>

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct report
{
    std::string customer;
    int pages = 0;
};
BOOST_DESCRIBE_STRUCT(report, (), (customer, pages))

struct summary
{
    int pages = 0, words = 0;
};
BOOST_DESCRIBE_STRUCT(summary, (), (pages, words))

/// What this handler returns is the job's result.
asio::awaitable<summary> write_report(report wanted, coworker::job_context& context)
{
    if (wanted.pages == 0)
        throw std::invalid_argument{"a report has at least one page"};

    // Where the attempt before has stopped, if there was one.
    const auto before = co_await context.async_checkpoint<summary>();
    summary done = before.value_or(summary{});
    if (before)
        std::cout << "attempt " << context.attempt() << " goes on at page " << done.pages + 1 << '\n';
    while (done.pages != wanted.pages) {
        ++done.pages;
        done.words += 250;
        context.set_progress(double(done.pages) / wanted.pages, "page " + std::to_string(done.pages));
        co_await context.async_save(done);
        if (done.pages == 3 && context.attempt() == 1)
            throw std::runtime_error{"the printer is on fire"}; // runs again
    }
    co_return done;
}

asio::awaitable<void> ask(const coworker::client& redis)
{
    coworker::managed_queue work{redis, "work"};

    // A result.
    const report yearly{"Ada", 5};
    const std::string id = co_await work.async_push("Report", yearly);
    const summary made = co_await work.async_wait_for<summary>(id);
    std::cout << made.pages << " pages, " << made.words << " words\n";

    // Kept for a while: it can be asked for again, by anybody.
    const summary again = co_await work.async_wait_for<summary>(id);
    std::cout << "again: " << again.pages << " pages\n";

    // A failure.
    const report empty{"Bob", 0};
    const std::string bad = co_await work.async_push("Report", empty, {.retries = 0});
    try {
        co_await work.async_wait_for<summary>(bad);
    } catch (const coworker::system_error& error) {
        std::cout << (error.code() == coworker::errc::job_failed ? "failed: " : "?: ") << error.what()
                  << '\n';
    }

    // Not longer than that; the job, which nobody wants any more, is cancelled, wherever it runs.
    const std::string slow = co_await work.async_push("Sleep", 0);
    try {
        co_await work.async_wait_for(slow, {.cancel_job = true}, asio::cancel_after(300ms));
    } catch (const coworker::system_error& error) {
        std::cout << (error.code() == asio::error::operation_aborted ? "too slow\n" : error.what());
    }
}

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::managed_queue work{redis, "work"};
    coworker::worker worker{redis};
    coworker::handlers_by_kind handlers;
    handlers.on<report>("Report", write_report);
    handlers.on<int>("Sleep", [](int, coworker::job_context& context) -> asio::awaitable<void> {
        asio::steady_timer never{context.get_executor(), asio::steady_timer::time_point::max()};
        co_await never.async_wait();
    });
    worker.handle(work, std::move(handlers), {.backoff = coworker::no_backoff});

    std::exception_ptr error;
    asio::co_spawn(executor, ask(redis), [&](std::exception_ptr thrown) {
        error = thrown;
        worker.stop();
    });
    co_await worker.async_run();
    if (error)
        std::rethrow_exception(error);
}

int main(int argc, char** argv)
{
    asio::io_context io;
    auto end = asio::co_spawn(io, run(argc > 1 ? argv[1] : "redis://localhost"), asio::use_future);
    io.run();
    end.get();
}
