#include "program/demo/crash_test.hpp"

#include "program/demo/worker_process.hpp"

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/multiple_exceptions.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace coworker::demo {
namespace {

constexpr std::chrono::milliseconds between_looks{50};

bool is_empty(const list_queue_sizes& queue)
{
    return queue.waiting + queue.in_progress + queue.scheduled == 0;
}

} // namespace

crash_test::crash_test(file_queue& jobs, worker_pair& workers, progress& shown, findings& found,
                       std::function<void()> check)
    : jobs_{&jobs}, results_{jobs.session(), results_queue(jobs.name())}, workers_{&workers}, shown_{&shown},
      found_{&found}, check_{std::move(check)}, timer_{jobs.session().get_executor()}
{}

/// The results come through a queue too, and are taken out of it by a worker of this process.
asio::awaitable<void> crash_test::run()
{
    using namespace asio::experimental::awaitable_operators;
    worker collector{jobs_->session()};
    collector.handle(results_, [this](const file_result& result) { collect(result); });
    try {
        co_await (watch(collector) && collector.async_run(asio::use_awaitable));
    } catch (const asio::multiple_exceptions& both) { // when one fails, the other is cancelled
        check_();
        std::rethrow_exception(both.first_exception());
    }
}

asio::awaitable<void> crash_test::watch(worker& collector)
{
    for (;;) {
        check_();
        if (workers_->killed() != 0 && !held_jobs_noted_)
            co_await note_held_jobs();
        // In this order: a job's result is queued before the job ends.
        found_->jobs = co_await jobs_->sizes();
        const auto results = co_await results_.sizes();
        if (is_empty(found_->jobs) && is_empty(results))
            break;
        const bool only_dead_ones = workers_->killed() != 0 && found_->jobs.waiting == 0;
        shown_->show("hashed", found_->results.distinct(), found_->results.files(),
                     only_dead_ones ? "waiting for the killed worker's jobs"
                                    : grouped(found_->results.bytes() / 1'000'000) + " MB");
        timer_.expires_after(between_looks);
        co_await timer_.async_wait(asio::use_awaitable);
    }
    collector.stop();
}

void crash_test::collect(const file_result& result)
{
    found_->results.add(result);
    found_->ended = microseconds_now();
    // The one that has just delivered is busy for certain.
    if (workers_->killed() == 0 && found_->results.distinct() * 2 >= found_->results.files())
        kill_worker(result.worker);
}

void crash_test::kill_worker(unsigned number)
{
    found_->killed = {number, microseconds_now(), found_->results.distinct(), {}};
    workers_->kill(number);
    shown_->say("process " + std::to_string(workers_->process(number)) + " was killed with SIGKILL");
}

asio::awaitable<void> crash_test::note_held_jobs()
{
    held_jobs_noted_ = true;
    found_->killed.held = co_await files_held_by(*jobs_, worker_name(found_->killed.worker));
    shown_->say("it held " + grouped(found_->killed.held.size()) + " jobs, which have to run again");
}

} // namespace coworker::demo
