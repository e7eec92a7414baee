// SPDX-License-Identifier: MIT
#include "coworker/testing.hpp"

#include "operation.hpp"
#include "testing/memory_source.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/this_coro.hpp>

#include <algorithm>

namespace coworker {

template struct detail::operation<std::vector<testing::ended_run>>;

namespace testing {

using detail::memory_store;

// --- raw_memory_queue ----------------------------------------------------------------

raw_memory_queue::raw_memory_queue(std::string name, manual_clock time)
    : store_{std::make_shared<memory_store>(std::move(name), std::move(time))}
{}

const std::string& raw_memory_queue::name() const noexcept
{
    return store_->name();
}

const manual_clock& raw_memory_queue::time() const noexcept
{
    return store_->time();
}

std::string raw_memory_queue::push(const raw_json& job, const push_options& options)
{
    return store_->push(job, options);
}

std::string raw_memory_queue::push(const raw_json& job, const job_conditions& conditions)
{
    return store_->push(job, conditions);
}

effect raw_memory_queue::push_effect(const raw_json& job, const push_options& options) const
{
    effect what;
    auto own = options;
    if (!own.id)
        own.id = store_->make_id();
    what.pushed = effect::pushed_job{name(), own.id->str(), {}, job};
    what.in_memory = [to = std::weak_ptr{store_}, job, own = std::move(own)] {
        if (const auto store = to.lock())
            store->push(job, own);
    };
    return what;
}

const std::vector<stored_job>& raw_memory_queue::pushed() const noexcept
{
    return store_->pushed();
}

std::vector<stored_job> raw_memory_queue::waiting() const
{
    std::vector<stored_job> jobs;
    for (const auto& each : store_->waiting())
        jobs.push_back(each.job);
    return jobs;
}

std::vector<stored_job> raw_memory_queue::scheduled() const
{
    (void)store_->waiting(); // which those leave whose time has come
    std::vector<stored_job> jobs;
    for (const auto& each : store_->scheduled())
        jobs.push_back(each.job);
    return jobs;
}

std::vector<stored_job> raw_memory_queue::running() const
{
    std::vector<stored_job> jobs;
    for (const auto& [number, held] : store_->leases())
        jobs.push_back(held.what.job);
    return jobs;
}

const std::vector<stored_job>& raw_memory_queue::failed() const noexcept
{
    return store_->failed();
}

const std::vector<stored_job>& raw_memory_queue::broken() const noexcept
{
    return store_->broken();
}

const std::vector<ended_run>& raw_memory_queue::ended() const noexcept
{
    return store_->ended();
}

result<void> raw_memory_queue::signal(std::string_view id, std::string_view name, const raw_json& value)
{
    return store_->send_signal(id, name, value);
}

void raw_memory_queue::take_away_running()
{
    store_->take_away_leases();
}

std::unique_ptr<job_source> raw_memory_queue::make_source()
{
    return std::make_unique<detail::memory_source>(store_);
}

// --- running -------------------------------------------------------------------------

std::vector<ended_run> drain(raw_memory_queue queue, job_handler handler, handle_options options)
{
    asio::io_context io{1};
    std::vector<ended_run> runs;
    std::exception_ptr error;
    asio::co_spawn(io, detail::drain_here(std::move(queue), std::move(handler), std::move(options)),
                   [&](std::exception_ptr thrown, std::vector<ended_run> ended) {
                       error = thrown;
                       runs = std::move(ended);
                   });
    io.run();
    if (error)
        std::rethrow_exception(error);
    return runs;
}

ended_run run_handler(job_handler handler, const raw_json& job, const job_conditions& conditions,
                      handle_options options)
{
    raw_memory_queue queue;
    queue.push(job, conditions);
    memory_store::of(queue).limit_takes(1);
    return drain(queue, std::move(handler), std::move(options)).at(0);
}

} // namespace testing

std::vector<testing::ended_run> detail::run_together(job_handler handler, const std::vector<raw_json>& jobs,
                                                     handle_options options)
{
    testing::raw_memory_queue queue;
    std::vector<std::string> ids;
    for (const auto& job : jobs)
        ids.push_back(queue.push(job));
    memory_store::of(queue).limit_takes(jobs.size());
    options.concurrency = std::max<std::size_t>(jobs.size(), 1);
    auto runs = testing::drain(queue, std::move(handler), std::move(options));
    std::ranges::sort(runs, {}, [&](const auto& run) { return std::ranges::find(ids, run.id); });
    return runs;
}

asio::awaitable<std::vector<testing::ended_run>>
detail::drain_here(testing::raw_memory_queue queue, job_handler handler, handle_options options)
{
    auto& store = memory_store::of(queue);
    const auto before = static_cast<std::ptrdiff_t>(store.ended().size());
    const auto keep = store.shared_from_this();
    const auto executor = co_await asio::this_coro::executor;
    struct state
    {
        bool has_ended = false;
        error_code error;
    };
    const auto run = std::make_shared<state>();
    worker runner{executor};
    runner.handle_source(std::make_unique<memory_source>(keep), std::move(handler), std::move(options));
    runner.async_run([run, keep](error_code error) {
        run->has_ended = true;
        run->error = error;
        keep->notify();
    });
    bool is_cancelled = false;
    while (!run->has_ended && !is_cancelled && !store.is_drained()) {
        try {
            co_await store.changed();
        } catch (const system_error&) {
            is_cancelled = true;
        }
    }
    runner.stop();
    if (is_cancelled)
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    while (!run->has_ended)
        co_await store.changed();
    if (is_cancelled)
        throw system_error{asio::error::operation_aborted};
    if (run->error)
        throw system_error{run->error};
    co_return std::vector<testing::ended_run>{store.ended().begin() + before, store.ended().end()};
}

} // namespace coworker
