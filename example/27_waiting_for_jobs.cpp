// SPDX-License-Identifier: MIT

// A job that pushes another one, and waits for its end without holding a worker.
//
//   27_waiting_for_jobs [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <iostream>
#include <stdexcept>
#include <vector>

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct book
{
    std::string title;
    int pages = 0;
};
BOOST_DESCRIBE_STRUCT(book, (), (title, pages))

/// Returns how many sheets it took.
int print(const book& what)
{
    if (what.pages > 1000)
        throw std::runtime_error{"too thick to be bound"};
    return (what.pages + 1) / 2;
}

/// Runs from its beginning each time; the id is that of the job, so it is pushed once.
asio::awaitable<std::string> publish(book what, coworker::managed_queue press, coworker::job_context& context)
{
    const std::string printing = "print-" + std::string{context.id()};
    co_await context.step("push", [&]() -> asio::awaitable<void> {
        const coworker::managed_push_options options{.jid = printing, .retries = 0};
        co_await press.async_push("Print", what, options);
    });
    std::cout << "run of '" << what.title << "'\n";
    const auto printed = co_await context.async_wait_for_job<int>(printing, 24h);
    switch (printed.how) {
    case coworker::wait_end::succeeded:
        co_return what.title + ": " + std::to_string(printed.value.value_or(0)) + " sheets";
    case coworker::wait_end::failed:
        co_return what.title + ": " + printed.message;
    default: // gone, not_found, timed_out
        co_return what.title + ": not printed";
    }
}

asio::awaitable<void> buy(const coworker::client& redis)
{
    coworker::managed_queue office{redis, "office"};
    const std::vector<book> books{{"Persuasion", 250}, {"Clarissa", 1500}};
    for (const auto& each : books) {
        const auto id = co_await office.async_push("Publish", each);
        const auto told = co_await office.async_wait_for<std::string>(id);
        std::cout << told << '\n';
    }
}

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::managed_queue office{redis, "office"}, press{redis, "press"};
    // One job at a time: it would stand still if a waiting job held the worker.
    coworker::worker worker{redis, {.concurrency = 1}};
    coworker::handlers_by_kind publishing, printing;
    publishing.on<book>("Publish", [press](book what, coworker::job_context& context) {
        return publish(std::move(what), press, context);
    });
    printing.on<book>("Print", print);
    worker.handle(office, std::move(publishing));
    worker.handle(press, std::move(printing));

    std::exception_ptr error;
    asio::co_spawn(executor, buy(redis), [&](std::exception_ptr thrown) {
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
