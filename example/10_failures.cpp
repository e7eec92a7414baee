// SPDX-License-Identifier: MIT

// Hearing of failures, looking at what failed, putting it back, and what the day was like.
//
//   10_failures [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <iostream>
#include <stdexcept>

namespace asio = boost::asio;

struct invoice
{
    std::string customer;
    int cents = 0;
};
BOOST_DESCRIBE_STRUCT(invoice, (), (customer, cents))

// Works through a queue until it has ended `count` jobs. `repaired`: today's version, without the bug.
asio::awaitable<void> work(coworker::client& redis, coworker::managed_queue& queue, int count, bool repaired)
{
    coworker::worker worker{redis};
    coworker::handlers_by_kind handlers;
    handlers.on<invoice>("Invoice", [&](invoice job) -> coworker::outcome {
        if (--count == 0)
            worker.stop();
        if (job.cents <= 0)
            return coworker::failure("nothing to pay", ":rejected"); // filed under "Invoice:rejected"
        if (!repaired)
            throw std::runtime_error{"no paper"}; // filed under "Invoice:std::runtime_error"
        return coworker::success();
    });
    coworker::handle_options options;
    options.exceptions = coworker::on_exception::fail; // at once; else the job's own retries come first
    worker.handle(queue, std::move(handlers), options);
    co_await worker.async_run();
}

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::managed_queue invoices{redis, "invoices"};
    coworker::managed_client jobs{redis};

    const invoice ada{"Ada", 1'200}, bob{"Bob", 0}, eve{"Eve", 300};
    for (const auto* each : {&ada, &bob, &eve})
        co_await invoices.async_push("Invoice", *each);

    coworker::managed_events events{redis, {}, {.tracked = false}};
    co_await events.async_listen(); // over the same connection; what is told is kept until it is asked for
    co_await work(redis, invoices, 3, false);
    for (int failures = 0; failures != 3;) {
        const auto event = co_await events.async_next();
        if (event.kind != coworker::managed_event_kind::failed)
            continue; // jobs of this queue are not all there is
        ++failures;
        std::cout << "heard: " << event.message << '\n';
    }

    // What kinds of failure there are, and their jobs. Failed jobs stay until somebody deals with them.
    const auto groups = co_await jobs.async_failed_groups();
    for (const auto& [group, size] : groups) {
        std::cout << size << " in " << group << '\n';
        const auto page = co_await jobs.async_failed(group);
        const auto failed = co_await jobs.async_multiget(page.jids);
        for (const auto& job : failed)
            std::cout << "  " << job.data << ": " << job.failure->message << '\n';
    }

    // The bug is repaired: those go back into a queue. The others are of no use any more.
    const auto back = co_await invoices.async_unfail("Invoice:std::runtime_error");
    std::cout << back << " put back\n";
    co_await work(redis, invoices, 2, true);
    const auto rejected = co_await jobs.async_failed("Invoice:rejected");
    const auto gone = co_await jobs.async_cancel(rejected.jids);
    gone.value();

    const auto today = co_await invoices.async_statistics();
    std::cout << "today " << today.run.count << " completed, " << today.failures << " failures, "
              << today.wait.count << " runs waited " << today.wait.mean.count() << " s on average\n";
}

int main(int argc, char** argv)
{
    asio::io_context io;
    auto end = asio::co_spawn(io, run(argc > 1 ? argv[1] : "redis://localhost"), asio::use_future);
    io.run();
    end.get();
}
