// SPDX-License-Identifier: MIT

// Unique jobs: of a report that is asked for again and again, one job is in the queue; of an index that changes all the
// time, the latest data are indexed once it has been quiet for a moment.
//
//   14_unique_jobs [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <iostream>

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct report
{
    int customer = 0;
    std::string month;
    std::string asked_by;
};
BOOST_DESCRIBE_STRUCT(report, (), (customer, month, asked_by))

struct page
{
    std::string url;
    int version = 0;
};
BOOST_DESCRIBE_STRUCT(page, (), (url, version))

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::managed_queue work{redis, "work"};

    // One report for a customer and a month at a time, whoever asks for it. The second push gets the id of the first.
    const report ada{7, "May", "ada"}, bob{7, "May", "bob"}, eve{8, "May", "eve"};
    const std::string first =
        co_await work.async_push("Report", ada, {.unique = {.fields = {"customer", "month"}}});
    const std::string again =
        co_await work.async_push("Report", bob, {.unique = {.fields = {"customer", "month"}}});
    const std::string other =
        co_await work.async_push("Report", eve, {.unique = {.fields = {"customer", "month"}}});
    std::cout << "asked for again: " << (again == first ? "the same job" : "another job") << '\n';
    std::cout << "another customer: " << (other == first ? "the same job" : "another job") << '\n';

    // Debounce: each push replaces the data and starts the delay again, until a worker has fetched the job.
    for (int version = 1; version <= 3; ++version) {
        const page changed{"/index.html", version};
        co_await work.async_push("Index", changed,
                                 {.delay = 200ms,
                                  .unique = {.fields = {"url"},
                                             .until = coworker::unique_until::started,
                                             .conflict = coworker::on_conflict::replace}});
    }

    // A welcome letter goes out once a day at most, even if the first one has long been sent. Who wants to know pushes
    // with `refuse`.
    const report letter{9, "May", "eve"};
    const coworker::managed_push_options once{
        .unique = {.key = "welcome eve", .unique_for = 24h, .conflict = coworker::on_conflict::refuse}};
    co_await work.async_push("Letter", letter, once);
    try {
        co_await work.async_push("Letter", letter, once);
    } catch (const coworker::system_error& error) {
        std::cout << (error.code() == coworker::errc::not_unique ? "refused: sent before\n" : error.what());
    }

    coworker::worker worker{redis, {.concurrency = 1}};
    coworker::handlers_by_kind handlers;
    handlers.on<report>("Report", [](report job) {
        std::cout << "report of " << job.customer << " for " << job.asked_by << '\n';
    });
    handlers.on<report>("Letter", [](report job) { std::cout << "welcome, " << job.asked_by << '\n'; });
    handlers.on<page>("Index", [&](page job) {
        std::cout << "index " << job.url << ", version " << job.version << '\n';
        worker.stop();
    });
    worker.handle(work, std::move(handlers));
    co_await worker.async_run();
}

int main(int argc, char** argv)
{
    asio::io_context io;
    auto end = asio::co_spawn(io, run(argc > 1 ? argv[1] : "redis://localhost"), asio::use_future);
    io.run();
    end.get();
}
