// SPDX-License-Identifier: MIT
#include "perform.hpp"

#include <stdexcept>

/// Workers with default options.
namespace bench {
namespace {

/// Handles jobs until there were enough.
class letters
{
public:
    letters(coworker::worker& worker, const task& what)
        : worker_{worker}, left_{what.count}, timed_{what.how == "latency"},
          wait_{std::chrono::duration_cast<clock::duration>(
              std::chrono::duration<double, std::milli>{what.handler_ms})}
    {}

    void begun(const letter& job)
    {
        if (timed_)
            times_.note(job.number);
    }
    void done()
    {
        if (--left_ == 0)
            worker_.stop();
    }
    /// How long a handler waits.
    clock::duration wait() const noexcept { return wait_; }

    measured conclude(const meter& counting)
    {
        auto result = counting.stop();
        if (left_ != 0)
            throw std::runtime_error{"the worker ended with jobs left: " + std::to_string(left_)};
        times_.tell(result);
        return result;
    }

private:
    coworker::worker& worker_;
    long left_;
    bool timed_;
    clock::duration wait_;
    latencies times_;
};

} // namespace

asio::awaitable<measured> work_on_list(coworker::client& redis, const task& what, const announce& ready)
{
    coworker::worker worker{redis};
    letters jobs{worker, what};
    for (long i = 0; i != what.queues; ++i) {
        const auto queue = open_list_queue(redis, i, what);
        const auto handle = [&](letter job) -> asio::awaitable<void> {
            jobs.begun(job);
            if (jobs.wait() != clock::duration::zero())
                co_await pause_until(clock::now() + jobs.wait());
            jobs.done();
        };
        worker.handle(queue, handle);
    }
    ready("");
    const meter counting;
    co_await worker.async_run();
    co_return jobs.conclude(counting);
}

asio::awaitable<measured> work_on_managed(coworker::client& redis, const task& what, const announce& ready)
{
    coworker::worker worker{redis};
    letters jobs{worker, what};
    for (long i = 0; i != what.queues; ++i) {
        coworker::managed_queue queue{redis, queue_name(i)};
        coworker::handlers_by_kind handlers;
        handlers.on<letter>("Letter", [&](letter job) -> asio::awaitable<void> {
            jobs.begun(job);
            if (jobs.wait() != clock::duration::zero())
                co_await pause_until(clock::now() + jobs.wait());
            jobs.done();
        });
        worker.handle(queue, std::move(handlers));
    }
    ready("");
    const meter counting;
    co_await worker.async_run();
    co_return jobs.conclude(counting);
}

} // namespace bench
