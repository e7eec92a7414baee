// SPDX-License-Identifier: MIT

// Steps: a job that charges, packs and ships. It fails twice on its way, and each part is done once.
//
//   24_steps [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <iostream>
#include <stdexcept>

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct order
{
    std::string customer;
    int parcels = 0;
};
BOOST_DESCRIBE_STRUCT(order, (), (customer, parcels))

struct receipt
{
    std::string number;
    int cents = 0;
};
BOOST_DESCRIBE_STRUCT(receipt, (), (number, cents))

/// Another service, which takes its time. The key lets it see that it is asked again.
asio::awaitable<receipt> charge(order what, std::string key)
{
    asio::steady_timer timer{co_await asio::this_coro::executor, 10ms};
    co_await timer.async_wait();
    std::cout << "charge " << what.customer << '\n';
    receipt made{"receipt-" + key, 1200 * what.parcels};
    co_return made;
}

asio::awaitable<int> handle_order(order what, coworker::job_context& context)
{
    std::cout << "attempt " << context.attempt() << '\n';
    const std::string key{context.id()};
    const receipt paid = co_await context.step("charge", [&] { return charge(what, key); });
    for (int number = 1; number <= what.parcels; ++number) {
        const auto name = "pack " + std::to_string(number);
        co_await context.step(name, [&] { std::cout << "pack parcel " << number << '\n'; });
        if (number == 2 && context.attempt() == 1)
            throw std::runtime_error{"no more boxes"}; // runs again
    }
    if (context.attempt() == 2)
        throw std::runtime_error{"the lorry is full"};
    co_await context.step("ship", [&] { std::cout << "ship with " << paid.number << '\n'; });
    co_return paid.cents;
}

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::managed_queue orders{redis, "orders"};
    coworker::worker worker{redis};
    coworker::handlers_by_kind handlers;
    handlers.on<order>("Order", handle_order);
    worker.handle(orders, std::move(handlers), {.backoff = coworker::no_backoff});

    const auto ask = [&]() -> asio::awaitable<void> {
        const order wanted{"Ada", 3};
        const std::string id = co_await orders.async_push("Order", wanted, {.jid = "order-1"});
        const int cents = co_await orders.async_wait_for<int>(id);
        std::cout << "paid " << cents << " cents\n";
    };
    std::exception_ptr error;
    asio::co_spawn(executor, ask(), [&](std::exception_ptr thrown) {
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
