// SPDX-License-Identifier: MIT
#include "coworker/many_handler.hpp"
#include "coworker/suspended.hpp"

#include <boost/asio/any_completion_handler.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <mutex>
#include <stdexcept>
#include <string>

namespace coworker::detail {
namespace {

using job_ended = asio::any_completion_handler<void(std::exception_ptr, outcome)>;

/// A job whose handler waits for its outcome.
struct gathered_job
{
    asio::any_io_executor where;
    void* job;
    job_context* context;
    job_ended handler;
    bool told_to_end = false;

    void end(std::exception_ptr error, outcome result = {})
    {
        asio::post(where, [handler = std::move(handler), error = std::move(error),
                           result = std::move(result)]() mutable {
            std::move(handler)(std::move(error), std::move(result));
        });
    }
};

std::exception_ptr cancelled()
{
    return std::make_exception_ptr(system_error{asio::error::operation_aborted});
}

/// Other jobs than the one that would wait have run as well, so a run is not left for a wait.
std::exception_ptr without_suspension(std::exception_ptr error)
{
    try {
        std::rethrow_exception(error);
    } catch (const suspended&) {
        return std::make_exception_ptr(std::logic_error{
            "a handler of many jobs cannot sleep or wait for a signal: return suspend(…) for the job"});
    } catch (...) {
        return error;
    }
}

/// Jobs that gather, and then run. It happens where the first of them runs; only before it begins, others come and go
/// from where they are.
struct many_run
{
    explicit many_run(const asio::any_io_executor& where) : executor{where}, timer{where} {}

    std::vector<gathered_job>::iterator find(const void* job)
    {
        return std::find_if(jobs.begin(), jobs.end(),
                            [job](const gathered_job& each) { return each.job == job; });
    }

    /// It goes on until all of its jobs were told.
    void tell_to_end(const void* job)
    {
        const auto found = find(job);
        if (found != jobs.end() && !std::exchange(found->told_to_end, true) && ++told_to_end == jobs.size())
            signal.emit(asio::cancellation_type::terminal);
    }

    void end_all(const std::exception_ptr& error)
    {
        for (auto& each : std::exchange(jobs, {}))
            each.end(error);
    }

    void end(std::exception_ptr error, std::vector<outcome> outcomes)
    {
        if (!error && outcomes.size() != jobs.size())
            error = std::make_exception_ptr(std::length_error{
                "the handler of " + std::to_string(jobs.size()) + " jobs answered with " +
                std::to_string(outcomes.size()) + " outcomes: it has to return one for each"});
        if (error)
            return end_all(without_suspension(error));
        auto result = outcomes.begin();
        for (auto& each : std::exchange(jobs, {}))
            each.end(nullptr, std::move(*result++));
    }

    asio::any_io_executor executor;
    asio::steady_timer timer; ///< until it begins
    std::vector<gathered_job> jobs;
    std::vector<void*> row;
    asio::cancellation_signal signal;
    std::size_t told_to_end = 0; ///< how many of its jobs were
};

} // namespace

class job_gatherer : public std::enable_shared_from_this<job_gatherer>
{
public:
    job_gatherer(many_function call, const many_options& how) : call_{std::move(call)}, how_{how} {}

    void add(const asio::any_io_executor& where, void* job, job_context& context, job_ended handler)
    {
        const std::lock_guard lock{mutex_};
        auto run = gathering_.lock();
        if (!run) {
            run = std::make_shared<many_run>(where);
            gathering_ = run;
            run->timer.expires_after(how_.wait);
            run->timer.async_wait([self = shared_from_this(), run](error_code) { self->begin(run); });
        }
        auto slot = asio::get_associated_cancellation_slot(handler);
        if (slot.is_connected())
            slot.assign([self = weak_from_this(), run = std::weak_ptr{run}, job](asio::cancellation_type) {
                const auto gatherer = self.lock();
                if (const auto which = run.lock(); which && gatherer)
                    gatherer->tell_to_end(which, job);
            });
        context.gathers(true);
        run->jobs.push_back({where, job, &context, std::move(handler)});
        if (run->jobs.size() >= how_.up_to)
            close(run);
    }

private:
    /// No more jobs come to it, and it begins.
    void close(const std::shared_ptr<many_run>& run)
    {
        gathering_.reset();
        asio::post(run->executor, [run] { run->timer.cancel(); });
    }

    /// A job that still gathers ends at once.
    void tell_to_end(const std::shared_ptr<many_run>& run, void* job)
    {
        const std::lock_guard lock{mutex_};
        if (gathering_.lock() != run) {
            asio::post(run->executor, [run, job] { run->tell_to_end(job); });
            return;
        }
        const auto place = run->find(job);
        if (place == run->jobs.end())
            return;
        place->end(cancelled());
        run->jobs.erase(place);
        if (run->jobs.empty())
            close(run);
    }

    void begin(const std::shared_ptr<many_run>& run)
    {
        {
            const std::lock_guard lock{mutex_};
            if (gathering_.lock() == run)
                gathering_.reset();
        }
        for (const auto& each : run->jobs) {
            each.context->gathers(false);
            run->row.push_back(each.job);
        }
        if (run->told_to_end == run->jobs.size())
            return run->end_all(cancelled());
        asio::co_spawn(run->executor, call_(run->row),
                       asio::bind_cancellation_slot(run->signal.slot(), [self = shared_from_this(),
                                                                         run](std::exception_ptr error,
                                                                              std::vector<outcome> outcomes) {
                           run->end(std::move(error), std::move(outcomes));
                       }));
    }

    many_function call_;
    many_options how_;
    std::mutex mutex_;
    std::weak_ptr<many_run> gathering_; ///< its timer holds it
};

std::shared_ptr<job_gatherer> make_gatherer(many_function call, const many_options& how)
{
    return std::make_shared<job_gatherer>(std::move(call), how);
}

asio::awaitable<outcome> join_run(std::shared_ptr<job_gatherer> gatherer, void* job, job_context& context)
{
    const auto where = co_await asio::this_coro::executor;
    const auto add = [&](job_ended handler) { gatherer->add(where, job, context, std::move(handler)); };
    co_return co_await asio::async_initiate<decltype(asio::use_awaitable), void(std::exception_ptr, outcome)>(
        add, asio::use_awaitable);
}

} // namespace coworker::detail
