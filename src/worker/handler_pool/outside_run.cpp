// SPDX-License-Identifier: MIT
#include "worker/handler_pool/outside_run.hpp"

#include "worker/queue_runner.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/detail/scheduler.hpp>
#include <boost/asio/dispatch.hpp>
#include <boost/asio/execution/context.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <utility>

namespace coworker::detail {
namespace {

/// On the strand.
asio::awaitable<handler_end> call_here(running_job& job, std::shared_ptr<outside_run> run)
{
    // A dispatch, with which a coroutine begins, may still be in the middle of what the worker does.
    co_await asio::post(asio::use_awaitable);
    handler_end end;
    try {
        if (job.told_to_end != end_reason::none)
            throw system_error{asio::error::operation_aborted};
        auto answer = job.queue->handler()(job.job.text(), job.context);
        if (auto* const coroutine = std::get_if<asio::awaitable<outcome>>(&answer))
            end.result = co_await std::move(*coroutine);
        else
            end.result = std::get<outcome>(std::move(answer));
    } catch (...) {
        end = describe(std::current_exception()); // here, so that the exception never leaves this strand
    }
    run->has_ended = true;
    co_return end;
}

} // namespace

/// The contexts of Asio, `io_context` and `thread_pool`, have a scheduler in common, and only that knows.
bool has_stopped(const asio::any_io_executor& executor)
{
    auto& context = asio::query(executor, asio::execution::context);
    return asio::has_service<asio::detail::scheduler>(context) &&
           asio::use_service<asio::detail::scheduler>(context).stopped();
}

asio::awaitable<std::optional<handler_end>> run_outside(running_job& job)
{
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    const auto run = std::make_shared<outside_run>();
    run->strand = asio::make_strand(job.queue->handler_executor());
    run->lease = job.job.lease;
    job.outside = run;
    signal over{job.queue->get_executor()};
    run->over = &over;
    auto ended = [run, &job](std::exception_ptr, handler_end end) {
        if (run->is_stuck) // perhaps there is no worker any more
            return;
        asio::post(job.queue->get_executor(), [run, end = std::move(end)]() mutable {
            run->end = std::move(end);
            if (run->over != nullptr)
                run->over->notify();
        });
    };
    asio::co_spawn(run->strand, call_here(job, run),
                   asio::bind_cancellation_slot(run->coroutine.slot(), std::move(ended)));
    while (!run->end && !run->is_stuck)
        co_await over.wait();
    run->over = nullptr;
    co_return std::move(run->end);
}

void cancel_outside(const std::shared_ptr<outside_run>& run)
{
    asio::post(run->strand, [run] {
        if (run->has_ended)
            return;
        run->own_signal.emit(asio::cancellation_type::terminal);
        run->coroutine.emit(asio::cancellation_type::terminal);
    });
}

void give_up_outside(outside_run& run)
{
    run.is_stuck = true;
    if (run.over != nullptr)
        run.over->notify();
}

namespace {

/// Comes before the handler's end, which takes the same way.
void hand_over(running_job& job, const std::shared_ptr<outside_run>& run)
{
    asio::dispatch(job.queue->get_executor(), [&job, run] {
        told_note told;
        {
            const std::lock_guard lock{run->mutex};
            std::swap(told, run->told);
        }
        if (told.progress)
            job.queue->notes().note(job, std::move(*told.progress));
        for (auto& line : told.log)
            job.queue->notes().log(job, std::move(line));
    });
}

/// @param add  called with what is told and not seen; if there was something, the worker is on its way
template<class Add>
void tell(running_job& job, Add add)
{
    const auto run = job.outside;
    {
        const std::lock_guard lock{run->mutex};
        const bool is_known = run->told.progress || !run->told.log.empty();
        add(run->told);
        if (is_known)
            return;
    }
    hand_over(job, run);
}

} // namespace

void tell_progress(running_job& job, job_progress progress)
{
    tell(job, [&](told_note& told) { told.progress = std::move(progress); });
}

void tell_log(running_job& job, std::string line)
{
    tell(job, [&](told_note& told) { told.add({running_job::clock::now(), std::move(line)}); });
}

} // namespace coworker::detail
