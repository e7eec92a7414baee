// SPDX-License-Identifier: MIT

// Effects: what a handler wants to happen in Redis exactly once. It hands over commands and jobs, and they are carried
// out in the step that acknowledges its job: not if it throws, not if its lease is lost, and not twice.
//
//   19_effects [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <iostream>
#include <stdexcept>

namespace asio = boost::asio;

struct order
{
    std::string customer;
    int cents = 0;
};
BOOST_DESCRIBE_STRUCT(order, (), (customer, cents))

struct letter
{
    std::string to, text;
};
BOOST_DESCRIBE_STRUCT(letter, (), (to, text))

/// Books an order, and has a letter written. What it returns, the letter's id, is stored in the same step.
std::string book(const coworker::managed_queue& mail, const order& what, coworker::job_context& context)
{
    auto& effects = context.effects();
    effects.add({"INCRBY", "turnover", std::to_string(what.cents)});
    effects.add({"ZINCRBY", "customers", std::to_string(what.cents), what.customer});
    const letter thanks{what.customer, "Thank you!"};
    auto id = effects.push(mail, "Letter", thanks);
    // Nothing has happened yet. This job runs again, and what the first attempt handed over is forgotten.
    if (context.attempt() == 1)
        throw std::runtime_error{"the printer is on fire"};
    return id;
}

asio::awaitable<void> sell(const coworker::client& redis)
{
    const coworker::managed_queue orders{redis, "orders"};
    for (const auto* customer : {"Ada", "Bob"}) {
        const order one{customer, 1000};
        const auto id = co_await orders.async_push("Order", one);
        const auto sent = co_await orders.async_wait_for<std::string>(id);
        co_await orders.async_wait_for(sent);
    }

    // An effect that cannot be carried out: none is, and the job fails.
    const order wrong{"Eve", 1};
    const auto id = co_await orders.async_push("Wrong", wrong);
    try {
        co_await orders.async_wait_for(id);
    } catch (const coworker::system_error& error) {
        std::cout << "failed: " << error.what() << '\n';
    }
}

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    const coworker::managed_queue orders{redis, "orders"}, mail{redis, "mail"};

    coworker::worker worker{redis};
    coworker::handlers_by_kind selling, writing;
    selling.on<order>("Order",
                      [&](order what, coworker::job_context& context) { return book(mail, what, context); });
    selling.on<order>("Wrong", [](order, coworker::job_context& context) {
        context.effects().add({"INCR", "turnover"});
        context.effects().add({"INCR", "customers"}); // which is a sorted set
    });
    writing.on<letter>("Letter",
                       [](letter what) { std::cout << "to " << what.to << ": " << what.text << '\n'; });
    worker.handle(orders, std::move(selling), {.backoff = coworker::no_backoff});
    worker.handle(mail, std::move(writing));

    std::exception_ptr error;
    asio::co_spawn(executor, sell(redis), [&](std::exception_ptr thrown) {
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
