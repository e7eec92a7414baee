// SPDX-License-Identifier: MIT

// One queue in several partitions, which can be on several nodes of a Redis Cluster: redis+cluster://host:port. On one
// server it works the same. Jobs of one customer start in the order in which they were pushed; all others go wherever
// there is room.
//
//   22_partitions [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <iostream>
#include <map>
#include <string>
#include <vector>

namespace asio = boost::asio;

struct invoice
{
    std::string customer;
    int number;
};
BOOST_DESCRIBE_STRUCT(invoice, (), (customer, number))

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::list_queue<invoice> invoices{redis, "invoices", {.partitions = 8}};

    // Many at once: each partition gets an equal share.
    std::vector<invoice> year;
    for (int i = 1; i <= 400; ++i)
        year.push_back({"all", i});
    co_await invoices.async_push_many(year);

    // With a key: always to the same partition.
    for (int i = 1; i <= 5; ++i)
        for (const std::string customer : {"ada", "brian"}) {
            invoice next{customer, i};
            coworker::push_options options;
            options.key = customer;
            co_await invoices.async_push(next, options);
        }
    std::cout << (co_await invoices.async_sizes()).waiting << " invoices wait\n";

    // To a worker it is one queue.
    std::map<std::string, std::vector<int>> sent;
    std::size_t left = 410;
    coworker::worker worker{redis};
    worker.handle(invoices, [&](const invoice& job) {
        sent[job.customer].push_back(job.number);
        if (--left == 0)
            worker.stop();
    });
    co_await worker.async_run();
    for (const auto& [customer, numbers] : sent) {
        std::cout << customer << ": " << numbers.size();
        if (numbers.size() == 5)
            for (const auto number : numbers)
                std::cout << (number == 1 ? ", in the order " : " ") << number;
        std::cout << '\n';
    }
    co_await redis.async_stop();
}

int main(int argc, char** argv)
{
    asio::io_context io;
    auto end = asio::co_spawn(io, run(argc > 1 ? argv[1] : "redis://localhost"), asio::use_future);
    io.run();
    end.get();
}
