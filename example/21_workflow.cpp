// SPDX-License-Identifier: MIT

// Workflows: jobs that wait for others, read what those returned, and say what becomes of them when one fails.
//
//   21_workflow [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <iostream>

namespace asio = boost::asio;

struct page
{
    std::string address;
};
BOOST_DESCRIBE_STRUCT(page, (), (address))

struct report
{
    std::string title;
};
BOOST_DESCRIBE_STRUCT(report, (), (title))

/// Returns how many words the page has.
int count_words(const page& what)
{
    return static_cast<int>(what.address.size()) * 100;
}

/// Adds up what its parents returned. One of them may have failed: the report is made of the others.
asio::awaitable<int> make_report(report what, coworker::job_context& context)
{
    int words = 0;
    for (const auto& parent : context.details<coworker::managed_details>()->parents) {
        try {
            words += co_await context.async_parent_result<int>(parent);
        } catch (const coworker::system_error& error) {
            std::cout << what.title << ": without a page, since " << error.code().message() << '\n';
        }
    }
    co_return words;
}

asio::awaitable<void> publish(const coworker::client& redis)
{
    coworker::managed_queue work{redis, "work"};
    const page first{"one"}, second{"three"}, missing{""};
    const report both{"two pages"}, rest{"what is there"};

    // A graph: two jobs, one that waits for both, and one behind that. All are pushed in one step.
    coworker::flow graph{redis};
    const auto one = graph.add(work, "Count", first);
    const auto three = graph.add(work, "Count", second);
    const auto sum = graph.add(work, "Report", both, {one, three});
    const auto mail = graph.add(work, "Mail", both, sum);
    co_await graph.async_push();
    const int words = co_await work.async_wait_for<int>(sum);
    std::cout << "two pages: " << words << " words\n";
    co_await work.async_wait_for(mail);

    // A chain. Its first job fails, so those behind it fail as well, without having run.
    coworker::flow chain{redis};
    chain.then(work, "Check", missing);
    chain.then(work, "Count", missing);
    const auto last = chain.then(work, "Mail", both);
    co_await chain.async_push();
    try {
        co_await work.async_wait_for(last);
    } catch (const coworker::system_error& error) {
        std::cout << "the chain: " << (error.code() == coworker::errc::job_failed ? "failed" : error.what())
                  << '\n';
    }

    // A job that goes on when one of those fails for which it waits.
    coworker::flow lenient{redis, {.on_parent_failure = coworker::parent_failure::go_on}};
    const auto good = lenient.add(work, "Count", first);
    const auto bad = lenient.add(work, "Check", missing);
    const auto end = lenient.add(work, "Report", rest, {good, bad});
    co_await lenient.async_push();
    const int there = co_await work.async_wait_for<int>(end);
    std::cout << "what is there: " << there << " words\n";
}

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::managed_queue work{redis, "work"};
    coworker::worker worker{redis};
    coworker::handlers_by_kind handlers;
    handlers.on<page>("Count", count_words);
    handlers.on<page>("Check", [](const page& what) {
        return what.address.empty() ? coworker::failure("it has no address") : coworker::success();
    });
    handlers.on<report>("Report", make_report);
    handlers.on<report>("Mail", [](const report& what) { std::cout << "mailed: " << what.title << '\n'; });
    worker.handle(work, std::move(handlers));

    std::exception_ptr error;
    asio::co_spawn(executor, publish(redis), [&](std::exception_ptr thrown) {
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
