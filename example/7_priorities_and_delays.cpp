// SPDX-License-Identifier: MIT

// Which job of a managed queue runs next: the one with the largest priority, of equal ones the one put first.
//
//   7_priorities_and_delays [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <iostream>

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct letter
{
    std::string subject;
};
BOOST_DESCRIBE_STRUCT(letter, (), (subject))

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::managed_queue mail{redis, "mail"};
    coworker::managed_client jobs{redis};

    // An hour of waiting counts as much as one priority, so that adverts are sent at last.
    co_await mail.async_set_ageing(1h);

    const letter news{"newsletter"}, bill{"bill"}, code{"log-in code"}, tea{"tea reminder"}, ad{"advert"};
    co_await mail.async_push("Letter", news); // priority 0, as soon as possible
    const std::string bill_id = co_await mail.async_push("Letter", bill);
    co_await mail.async_push("Letter", code, {.priority = 10});
    co_await mail.async_push("Letter", tea, {.priority = 20, .delay = 2s}); // waits apart until it is due
    co_await mail.async_push("Letter", ad, {.jid = "advert of today", .priority = -1});

    // Another priority, while it waits. Calls whose answer may be no return a result; `value` throws then.
    const auto moved = co_await jobs.async_set_priority(bill_id, 5);
    moved.value();

    const auto counts = co_await mail.async_counts();
    std::cout << counts.waiting << " wait, " << counts.scheduled << " is delayed\n";

    coworker::worker worker{redis, {.concurrency = 1}}; // one at a time, to see the order
    coworker::handlers_by_kind handlers;
    handlers.on<letter>("Letter", [&](letter job, coworker::job_context& context) {
        std::cout << job.subject << ", priority " << context.details<coworker::managed_details>()->priority
                  << '\n';
        if (job.subject == "tea reminder")
            worker.stop();
    });
    worker.handle(mail, std::move(handlers));
    co_await worker.async_run();
}

int main(int argc, char** argv)
{
    asio::io_context io;
    auto end = asio::co_spawn(io, run(argc > 1 ? argv[1] : "redis://localhost"), asio::use_future);
    io.run();
    end.get();
}
