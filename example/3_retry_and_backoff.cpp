// SPDX-License-Identifier: MIT

// Jobs that do not succeed at once: when they run again, and when they are given up.
//
//   3_retry_and_backoff [URL]
#include <coworker/coworker.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <iostream>
#include <optional>
#include <stdexcept>
#include <vector>

namespace asio = boost::asio;
using namespace std::chrono_literals;

struct visit
{
    std::string site;
    unsigned works_at; // the attempt that succeeds; 0: none does
};
BOOST_DESCRIBE_STRUCT(visit, (), (site, works_at))

// Every end of a run is one of these. An exception means the same as `retry` without a delay, unless the
// queue's options say that it fails the job.
coworker::outcome handle(const visit& job, unsigned attempt)
{
    if (job.site == "gone.example")
        return coworker::failure("no such site"); // no use in trying again
    if (job.site == "busy.example" && attempt == 1)
        return coworker::retry("asked to come back", 20ms); // a delay of its own
    if (job.site == "odd.example")
        throw std::runtime_error{"unexpected answer"};
    if (attempt != job.works_at)
        return coworker::retry("timeout"); // after the queue's back-off
    return coworker::success();
}

void tell(const coworker::event& e)
{
    switch (e.kind) {
    case coworker::event_kind::succeeded:
        std::cout << "attempt " << e.attempt << " succeeded\n";
        break;
    case coworker::event_kind::retried:
        std::cout << "attempt " << e.attempt << ": " << e.message << ", again in " << e.delay.count()
                  << " ms\n";
        break;
    case coworker::event_kind::failed:
        std::cout << "attempt " << e.attempt << ": " << e.message << ", given up\n";
        break;
    default:
        break;
    }
}

asio::awaitable<void> run(std::string url)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    coworker::list_queue<visit> visits{redis, "visits"};
    const std::vector<visit> jobs{{"flaky.example", 3},
                                  {"busy.example", 2},
                                  {"down.example", 0},
                                  {"gone.example", 0},
                                  {"odd.example", 0}};
    co_await visits.async_push_many(jobs);

    std::optional<coworker::worker> worker;
    const auto stop_at_the_end = [&worker, left = jobs.size()](const coworker::event& e) mutable {
        const bool ended =
            e.kind == coworker::event_kind::succeeded || e.kind == coworker::event_kind::failed;
        if (ended && --left == 0)
            worker->stop();
    };
    coworker::worker_options watched;
    watched.observers = {tell, stop_at_the_end};
    worker.emplace(redis, watched);

    coworker::handle_options options;
    options.max_attempts = 4;
    options.backoff =
        coworker::exponential_backoff{.initial = 10ms, .factor = 2, .maximum = 1s, .jitter = 0.2};
    worker->handle(
        visits, [](visit job, coworker::job_context& context) { return handle(job, context.attempt()); },
        options);
    co_await worker->async_run();

    // Failed jobs are kept, to be looked at, tried again or deleted.
    const coworker::inspector inspector{redis};
    const auto queue = coworker::queue_ref::list(visits.name());
    const auto failed = co_await inspector.async_jobs(queue, coworker::job_state::failed);
    for (const auto& job : failed.jobs)
        std::cout << "failed: " << job.data << ' ' << job.message << " (attempts: " << job.attempts << ")\n";
    const coworker::job_filter all_failed; // of the state that is the default
    co_await inspector.async_act_on_all(coworker::job_action::remove, queue, all_failed);
}

int main(int argc, char** argv)
{
    asio::io_context io;
    auto end = asio::co_spawn(io, run(argc > 1 ? argv[1] : "redis://localhost"), asio::use_future);
    io.run();
    end.get();
}
