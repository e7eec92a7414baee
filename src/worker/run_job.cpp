#include "limits.hpp"
#include "text/spans.hpp"
#include "worker/worker_state.hpp"

#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/asio/post.hpp>
#include <boost/core/demangle.hpp>

namespace coworker::detail {
namespace {

using namespace std::chrono_literals;

/// Handlers that do not wait run one after the other for about this long; then everything else has its turn.
constexpr auto turn_length = 5ms;

/// Jobs kept for the next ones: a batch in each of two calls.
constexpr std::size_t most_unused = 2 * max_batch;

handler_end describe(std::exception_ptr error)
{
    handler_end end;
    try {
        std::rethrow_exception(error);
    } catch (const std::exception& e) {
        end.exception = e.what();
        end.exception_type = boost::core::demangle(typeid(e).name());
    } catch (...) {
        end.exception = "an exception that is no std::exception";
        end.exception_type = "unknown";
    }
    return end;
}

/// Since when the job has been queued, by this machine's clock.
std::optional<std::chrono::milliseconds> age(const taken_job& job)
{
    const auto queued = queued_at(job.id());
    if (!queued)
        return std::nullopt;
    using std::chrono::milliseconds; // ids may name times that nanoseconds cannot
    return std::chrono::floor<milliseconds>(std::chrono::system_clock::now()) -
           std::chrono::floor<milliseconds>(*queued);
}

} // namespace

/// A job that was just taken: to be started, or refused.
void worker_state::add_job(queue_worker& queue, taken_job&& taken, clock::time_point leased)
{
    if (unused_.empty())
        unused_.emplace_front(*this);
    jobs_.splice(jobs_.end(), unused_, unused_.begin());
    auto& job = jobs_.back();
    job.position = std::prev(jobs_.end());
    job.begin(queue, std::move(taken), leased, ++jobs_taken_);
    if (queue.source->can().tokens_stay)
        index_by_id(queue, job);
    if (queue.leases.add(job)) {
        queue.renew_timer.cancel();
        queue.guard_timer.cancel();
    }

    const bool wants_age = queue.options.deadline.count() > 0;
    if (stop_requested_) // the answer to a call that was under way when the worker was told to stop
        finish(job, give_back());
    else if (!job.job.decodable)
        finish(job, outcome{outcome::kind::broken, "the payload is not a JSON array of an id and a job"});
    else if (auto refusal =
                 refuse_to_start(job.job.attempt, wants_age ? age(job.job) : std::nullopt, queue.options))
        finish(job, std::move(*refusal));
    else
        ready_.push_back(&job);
}

/// Notes which job has an id. One that is held under the same id was lost, and the loss has not been told yet.
void worker_state::index_by_id(queue_worker& queue, running_job& job)
{
    auto [place, is_new] = queue.by_id.try_emplace(job.job.id(), &job);
    if (is_new)
        return;
    lose(*place->second, "it was handed out again"); // which may have let go of it
    queue.by_id.erase(job.job.id());
    queue.by_id.emplace(job.job.id(), &job);
}

/// Calls the handlers of all jobs that are ready. A runner goes from one to the next until one has to wait;
/// then another runner takes over.
void worker_state::start_handlers()
{
    if (turn_is_over_)
        return;
    turn_ends_ = clock::now() + turn_length;
    while (!ready_.empty() && !turn_is_over_) {
        const auto runner = runners_.emplace(runners_.end());
        asio::co_spawn(
            get_executor(), run_handlers(*runner),
            asio::bind_cancellation_slot(runner->signal.slot(),
                                         [self = shared_from_this(), runner](std::exception_ptr error) {
                                             if (error)
                                                 self->runner_failed(*runner, error);
                                             self->runners_.erase(runner);
                                         }));
    }
}

/// Its job stays without an outcome, and runs again when its lease ends.
void worker_state::runner_failed(const handler_runner& runner, std::exception_ptr error)
{
    for (auto& job : jobs_)
        if (job.runner == &runner)
            job.runner = nullptr;
    die(error);
}

/// Lets everything else on the executor have its turn, and then goes on with the jobs that are ready.
void worker_state::yield_turn()
{
    turn_is_over_ = true;
    asio::post(get_executor(), [self = shared_from_this()] {
        self->turn_is_over_ = false;
        try {
            self->start_handlers();
        } catch (...) {
            self->die(std::current_exception());
        }
    });
}

/// Whether the job's handler may be called. If not, the job has its outcome, or is lost.
bool worker_state::may_start(running_job& job, clock::time_point now)
{
    if (!job.lost && !job.given_up && job.queue->leases.is_ending(job, now))
        give_up(job, "it was about to end before the handler was called");
    if (job.lost || job.given_up || stop_requested_) {
        finish(job, give_back());
        return false;
    }
    return true;
}

asio::awaitable<void> worker_state::run_handlers(handler_runner& runner)
{
    while (!ready_.empty() && !turn_is_over_) {
        const auto now = clock::now();
        if (now >= turn_ends_ && !stop_requested_) {
            yield_turn();
            break;
        }
        auto& job = *ready_.front();
        ready_.pop_front();
        if (!may_start(job, now))
            continue;
        auto coroutine = call_handler(job, now);
        if (!coroutine)
            continue;
        job.runner = &runner;
        handler_end end;
        try {
            end.result = co_await std::move(*coroutine);
        } catch (...) {
            end = describe(std::current_exception());
        }
        const bool was_cancelled = job.told_to_end != end_reason::none;
        handler_ended(job, std::move(end));
        if (was_cancelled) // and so is this coroutine
            break;
    }
    if (!ready_.empty())
        start_handlers();
}

/// Calls the user's function. What it answers at once is dealt with; a coroutine is returned.
std::optional<asio::awaitable<outcome>> worker_state::call_handler(running_job& job, clock::time_point now)
{
    auto& queue = *job.queue;
    job.started = now;
    emit({.kind = event_kind::started,
          .queue = queue.source->name(),
          .job_id = job.job.id(),
          .attempt = job.job.attempt});
    apply_limits(job);
    handler_end end;
    try {
        auto answer = queue.handler(job.job.text(), job.context);
        if (auto* coroutine = std::get_if<asio::awaitable<outcome>>(&answer))
            return std::move(*coroutine);
        end.result = std::get<outcome>(std::move(answer));
    } catch (...) {
        end = describe(std::current_exception());
    }
    handler_ended(job, std::move(end));
    return std::nullopt;
}

/// The queue's time limit and deadline.
void worker_state::apply_limits(running_job& job)
{
    const auto& options = job.queue->options;
    auto when = clock::time_point::max();
    auto why = end_reason::none;
    if (options.time_limit.count() > 0) {
        when = job.started + options.time_limit;
        why = end_reason::time_limit;
    }
    if (options.deadline.count() > 0)
        if (const auto old = age(job.job)) {
            const auto end = job.started + bounded(options.deadline - *old);
            if (end < when) {
                when = end;
                why = end_reason::deadline;
            }
        }
    if (why != end_reason::none)
        limit_run(job, when, why);
}

void worker_state::limit_run(running_job& job, clock::time_point when, end_reason why)
{
    job.limit_reason = why;
    if (!job.limit)
        job.limit.emplace(get_executor());
    job.limit->expires_at(when);
    job.limit_token.reset();
    if (when == clock::time_point::max())
        return;
    // A timer that has just expired can no longer be cancelled, so the job may be gone by then.
    job.limit_token = std::make_shared<char>();
    job.limit->async_wait(
        [self = shared_from_this(), &job, alive = std::weak_ptr{job.limit_token}](error_code ec) {
            if (!ec && !alive.expired())
                self->tell_to_end(job, job.limit_reason);
        });
}

void worker_state::tell_to_end(running_job& job, end_reason why)
{
    if (job.has_ended || job.told_to_end != end_reason::none)
        return;
    job.told_to_end = why;
    if (job.context_signal)
        job.context_signal->emit(asio::cancellation_type::terminal);
    if (job.runner != nullptr)
        job.runner->signal.emit(asio::cancellation_type::terminal);
}

void worker_state::handler_ended(running_job& job, handler_end end)
{
    if (end.result)
        end.result = check_answer(std::move(*end.result), job.queue->source->can());
    finish(job, conclude(end, job.told_to_end, job.job.attempt, job.queue->options));
}

/// The job has its outcome: it is stored with the next batch, or dropped when the lease is gone.
void worker_state::finish(running_job& job, outcome result)
{
    job.has_ended = true;
    job.limit_token.reset();
    job.limit.reset();
    job.runner = nullptr;
    // What was given up was ended through no fault of its own.
    job.result = job.given_up ? give_back() : std::move(result);
    if (!job.lost && !job.given_up)
        emit_end(job);
    // Settled with the token that holds when the renewal under way has been answered.
    const bool waits_for_renewal = job.renewing || (job.job.unsure && !job.lost);
    if (waits_for_renewal && !job.renewing) {
        job.queue->leases.doubt(job);
        job.queue->renew_timer.cancel();
    }
    dispatcher_->job_ended(job.queue->index, !job.lost && !waits_for_renewal);
    if (!waits_for_renewal)
        release(job);
    work_.notify();
    if (stop_requested_)
        changed_.notify();
}

/// Takes a job that has ended out of the list of those held; to be settled, unless it was lost.
void worker_state::release(running_job& job)
{
    auto& queue = *job.queue;
    queue.leases.remove(job);
    queue.renewed.notify(); // there is one lease less to wait for
    if (!queue.by_id.empty())
        if (const auto place = queue.by_id.find(job.job.id());
            place != queue.by_id.end() && place->second == &job)
            queue.by_id.erase(place);
    if (job.lost) {
        lost_.splice(lost_.end(), jobs_, job.position);
        return;
    }
    auto place = queue.to_settle.end();
    if (stop_requested_) // what goes back to the queue goes back in the order in which it was taken
        while (place != queue.to_settle.begin() && std::prev(place)->number > job.number)
            --place;
    queue.to_settle.splice(place, jobs_, job.position);
}

/// Keeps jobs that are settled or lost for the next ones, without what they held.
void worker_state::let_go(std::list<running_job>& ended)
{
    for (auto& job : ended)
        job.end();
    unused_.splice(unused_.begin(), ended);
    if (unused_.size() > most_unused)
        unused_.erase(std::next(unused_.begin(), most_unused), unused_.end());
}

void worker_state::emit_end(const running_job& job) const
{
    if (options_.observers.empty())
        return;
    const auto what = job.result.what();
    // Where the source counts attempts itself, a retry is a failure when none is left.
    const bool gives_up = what == outcome::kind::retry && job.job.retries_left && *job.job.retries_left == 0;
    const auto kind = [what, gives_up] {
        switch (what) {
        case outcome::kind::success:
            return event_kind::succeeded;
        case outcome::kind::advance:
            return event_kind::advanced;
        case outcome::kind::retry:
            return gives_up ? event_kind::failed : event_kind::retried;
        case outcome::kind::failure:
            return event_kind::failed;
        case outcome::kind::broken:
            return event_kind::broken;
        case outcome::kind::give_back:
            return event_kind::given_back;
        }
        return event_kind::failed;
    }();
    std::string_view message = job.result.reason();
    auto delay = job.result.delay().value_or(std::chrono::milliseconds{0});
    std::string given_up;
    if (what == outcome::kind::advance) {
        message = job.result.managed()->next;
        delay = job.result.managed()->how.delay;
    } else if (gives_up) {
        message = given_up = given_up_text(job.result.reason(), job.job.attempt);
        delay = {};
    }
    const bool was_started = job.started != clock::time_point{};
    emit({.kind = kind,
          .queue = job.queue->source->name(),
          .job_id = job.job.id(),
          .message = message,
          .attempt = job.job.attempt,
          .duration = was_started ? clock::now() - job.started : std::chrono::nanoseconds{0},
          .delay = delay});
}

} // namespace coworker::detail
