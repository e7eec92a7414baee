// SPDX-License-Identifier: MIT

// Batches: many jobs that belong together, and one that runs when all of them have succeeded. A job of the batch may
// add more jobs to it.
//
//   17_batch [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <iostream>

namespace asio = boost::asio;

struct file
{
    std::string name;
    int rows = 0;
};
BOOST_DESCRIBE_STRUCT(file, (), (name, rows))

struct row
{
    std::string file;
    int number = 0;
};
BOOST_DESCRIBE_STRUCT(row, (), (file, number))

/// Adds a job for each row to the batch that it belongs to itself. While it runs, the batch cannot end.
asio::awaitable<void> import_file(file what, coworker::job_context& context, coworker::managed_queue work)
{
    coworker::managed_push_options same_batch;
    same_batch.batch = context.details<coworker::managed_details>()->batch;
    for (int number = 1; number <= what.rows; ++number) {
        const row one{what.name, number};
        co_await work.async_push("Row", one, same_batch);
    }
}

asio::awaitable<void> import(const coworker::client& redis)
{
    coworker::managed_queue work{redis, "work"};
    coworker::batches batches{redis};

    coworker::batch_options wanted;
    wanted.description = "the import of today";
    wanted.on_success = coworker::to_batch_job("work", "Announce", std::string{"today"});
    const std::string id = co_await batches.async_open(wanted);

    coworker::managed_push_options in_batch;
    in_batch.batch = id;
    const file customers{"customers", 30}, orders{"orders", 12};
    co_await work.async_push("File", customers, in_batch);
    co_await work.async_push("File", orders, in_batch);
    (void)co_await batches.async_seal(id); // these are all that are known from the start

    const auto end = co_await batches.async_wait_for(id);
    std::cout << end.description << ": " << to_string(end.state) << ", " << end.succeeded << " of "
              << end.total << " jobs\n";

    // What the batch has pushed is a job like others.
    co_await work.async_wait_for(id + "@success");
}

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::managed_queue work{redis, "work"};
    coworker::worker worker{redis};
    coworker::handlers_by_kind handlers;
    handlers.on<file>("File", [work](file what, coworker::job_context& context) {
        return import_file(std::move(what), context, work);
    });
    handlers.on<row>("Row", [](const row&) {});
    handlers.on<std::string>("Announce",
                             [](const std::string& what) { std::cout << what << ": all is there\n"; });
    worker.handle(work, std::move(handlers));

    std::exception_ptr error;
    asio::co_spawn(executor, import(redis), [&](std::exception_ptr thrown) {
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
