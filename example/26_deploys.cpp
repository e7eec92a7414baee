// SPDX-License-Identifier: MIT

// Deploys: an old and a new worker beside each other. Each takes only the kinds and versions of jobs that it has a
// handler for; the others wait for a worker that has one.
//
//   26_deploys [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detached.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <iostream>

namespace asio = boost::asio;

struct letter
{
    std::string to;
};
BOOST_DESCRIBE_STRUCT(letter, (), (to))

// The second version has an address in place of a name.
struct addressed_letter
{
    std::string street, town;
};
BOOST_DESCRIBE_STRUCT(addressed_letter, (), (street, town))

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::managed_queue mail{redis, "mail"};

    // The producers have been deployed before the workers.
    const addressed_letter second{"Long Lane 1", "London"};
    co_await mail.async_push("Letter", second, {.version = 2});
    const letter first{"Ada"};
    co_await mail.async_push("Letter", first);
    co_await mail.async_push("Parcel", first);

    coworker::worker old_worker{redis};
    coworker::handlers_by_kind old_handlers;
    old_handlers.on<letter>("Letter", [&](letter job) {
        std::cout << "the old worker writes to " << job.to << '\n';
        old_worker.stop();
    });
    old_worker.handle(mail, std::move(old_handlers));
    co_await old_worker.async_run();

    const coworker::inspector look{redis};
    const std::vector<coworker::queue_ref> which{coworker::queue_ref::managed("mail")};
    const auto queues = co_await look.async_queues(which);
    for (const auto& kind : queues.front().unhandled_kinds)
        std::cout << "no worker handles: " << kind << '\n';

    coworker::worker new_worker{redis};
    coworker::handlers_by_kind new_handlers;
    int left = 2;
    const auto end = [&] {
        if (--left == 0)
            new_worker.stop();
    };
    new_handlers.on<letter>("Letter", [&](letter) {}); // jobs of the first version may still wait
    const auto write = [&](addressed_letter job) {
        std::cout << "the new worker writes to " << job.street << ", " << job.town << '\n';
        end();
    };
    new_handlers.on<addressed_letter>("Letter", write, {.versions = {2}});
    new_handlers.on<letter>("Parcel", [&](letter job) {
        std::cout << "the new worker sends a parcel to " << job.to << '\n';
        end();
    });
    new_worker.handle(mail, std::move(new_handlers));
    co_await new_worker.async_run();
    co_await redis.async_stop();
}

int main(int argc, char** argv)
{
    asio::io_context io{1};
    auto done = asio::co_spawn(io, run(argc > 1 ? argv[1] : "redis://localhost"), asio::use_future);
    io.run();
    done.get();
}
