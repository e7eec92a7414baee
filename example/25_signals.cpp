// SPDX-License-Identifier: MIT

// Signals: a job waits for a decision without holding a worker, and is asked for again when nobody has answered in time.
//
//   25_signals [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <iostream>

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct order
{
    std::string customer;
    int amount = 0;
};
BOOST_DESCRIBE_STRUCT(order, (), (customer, amount))

struct decision
{
    bool approved = false;
    std::string by;
};
BOOST_DESCRIBE_STRUCT(decision, (), (approved, by))

/// Runs from its beginning each time; the waits that are over return at once.
asio::awaitable<std::string> handle_order(order what, coworker::job_context& context)
{
    co_await context.sleep_for("breath", 10ms); // so short that the handler stays; 72h would suspend the job
    std::cout << "order of " << what.customer << ": attempt " << context.attempt() << '\n';
    const auto answer = co_await context.signal<decision>("approved", what.amount > 100 ? 24h : 1s);
    if (!answer)
        co_return "nobody objects to " + std::to_string(what.amount);
    co_return (answer->approved ? "approved by " : "refused by ") + answer->by;
}

asio::awaitable<void> buy(const coworker::client& redis)
{
    coworker::managed_queue orders{redis, "orders"};
    coworker::managed_client jobs{redis};

    // Sent before the job asks: it is kept.
    const order large{"Ada", 4711};
    const std::string first = co_await orders.async_push("Order", large, {.delay = 100ms});
    const decision no{false, "Grace"};
    (void)co_await jobs.async_signal(first, "approved", no);
    std::cout << co_await orders.async_wait_for<std::string>(first) << '\n';

    // Sent while it sleeps: that wakes it.
    const order another{"Bob", 900};
    const std::string second = co_await orders.async_push("Order", another);
    coworker::job_signals seen;
    while (!seen.sleeps_for)
        seen = co_await jobs.async_signals(second);
    std::cout << "it waits for " << seen.sleeps_for->name << '\n';
    const decision yes{true, "Grace"};
    (void)co_await jobs.async_signal(second, "approved", yes);
    std::cout << co_await orders.async_wait_for<std::string>(second) << '\n';

    // Nobody answers in time.
    const order small{"Eve", 7};
    const std::string third = co_await orders.async_push("Order", small);
    std::cout << co_await orders.async_wait_for<std::string>(third) << '\n';

    // Too late.
    const auto late = co_await jobs.async_signal(third, "approved", no);
    std::cout << late.error().message() << '\n';
}

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::managed_queue orders{redis, "orders"};
    coworker::worker worker{redis};
    coworker::handlers_by_kind handlers;
    handlers.on<order>("Order", handle_order);
    worker.handle(orders, std::move(handlers));

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
