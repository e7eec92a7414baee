// SPDX-License-Identifier: MIT
#include "simulation/scene.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <stdexcept>
#include <utility>

namespace coworker::test {

using namespace std::chrono_literals;

namespace {

/// Counts a handler while it runs, and until its coroutine is destroyed.
class running_handler
{
public:
    running_handler(simulated_process& where, job_record& job, int run)
        : count_{where.handlers}, job_{job}, run_{run}
    {
        ++count_;
    }
    ~running_handler()
    {
        --count_;
        account::leave(job_, run_);
    }
    running_handler(const running_handler&) = delete;
    running_handler& operator=(const running_handler&) = delete;

private:
    int& count_;
    job_record& job_;
    int run_;
};

} // namespace

asio::awaitable<void> scene::push_to_list(list_queue<numbered_job>& queue, job_record& job)
{
    numbered_job what{job.number};
    push_options options;
    options.id = job.id;
    options.delay = option_duration{job.delay / millisecond};
    options.unique_for = 24h; // so the push may be repeated
    co_await queue.async_push(what, options);
    account_.acknowledge_push(job);
}

asio::awaitable<void> scene::push_to_managed(managed_queue& queue, job_record& job,
                                             managed_push_options options)
{
    numbered_job what{job.number};
    job.is_managed = true;
    options.jid = job.id;
    options.retries = 1000U;
    if (job.unique.empty()) { // as above
        options.unique.key = job.id;
        options.unique.unique_for = 24h;
    }
    co_await queue.async_push("Letter", what, options);
    account_.acknowledge_push(job);
}

asio::awaitable<void> scene::push_all(simulated_process& me, int count, nanoseconds time, int at_once)
{
    client redis{co_await asio::this_coro::executor, options_for(me)};
    list_queue<numbered_job> numbers{redis, "numbers"};
    managed_queue letters{redis, "letters"};
    for (int i = 0; i != count; ++i) {
        for (const bool is_managed : {false, true}) {
            auto& job = account_.of(is_managed ? "letters" : "numbers", "job-" + std::to_string(i));
            job.number = i;
            job.has_effect = i % 2 == 0;
            if (!is_managed && i % 9 == 4) {
                job.delay = 20 * second;
                job.not_before = all_.wall_time() + job.delay;
            }
            auto act = [&] {
                return is_managed ? push_to_managed(letters, job) : push_to_list(numbers, job);
            };
            co_await insist(me, act);
        }
        if (i % at_once == at_once - 1)
            co_await rest(random_.between(0, 2 * time * at_once / count));
    }
}

/// A run of a job that has begun, and what it is to come to.
struct scene::begun_run
{
    begun_run(simulated_process& where, job_record& record, int number, const run_plan& planned)
        : job{record}, run{number}, plan{planned}, here{where, record, number}
    {}

    job_record& job;
    int run;
    run_plan plan;
    running_handler here;
};

std::unique_ptr<scene::begun_run> scene::begin_run(simulated_process& me, int number, job_context& context)
{
    auto& job = account_.of(context.queue(), context.id());
    job.number = number;
    job.is_managed = !context.kind().empty();
    const int run = account_.begin(job, context.attempt(), &me);
    const auto plan = plan_run(behaviour_, how_.seed, job.queue + job.id, context.attempt());
    return std::make_unique<begun_run>(me, job, run, plan);
}

/// What it comes to. Nothing of it may be stored yet when one throws.
outcome scene::end_run(begun_run& what, job_context& context)
{
    auto& job = what.job;
    switch (what.plan.how) {
    case run_plan::end::throws:
        throw std::runtime_error{"no luck"};
    case run_plan::end::retries:
        return retry("not yet", what.plan.delay);
    case run_plan::end::releases:
        if (!std::exchange(job.was_released, true)) // which does not count as an attempt
            return release();
        break;
    case run_plan::end::fails:
        account_.conclude(job, what.run, false);
        return failure("never");
    case run_plan::end::succeeds:
        break;
    }
    if (job.has_effect) {
        const auto words = account::effect_of(job.queue, job.id, what.run);
        context.effects().add(text_list{words[0], words[1], words[2], words[3]});
    }
    account_.conclude(job, what.run, true);
    return succeed(job, context);
}

asio::awaitable<outcome> scene::run_job(simulated_process& me, int number, job_context& context)
{
    const auto begun = begin_run(me, number, context);
    const auto& plan = begun->plan;
    if (plan.blocks) {
        me.frozen_until = all_.now() + plan.length.count() * millisecond;
        me.disturb(me.frozen_until);
    }
    if (plan.ignores_cancellation)
        co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    asio::steady_timer timer{co_await asio::this_coro::executor, plan.length};
    co_await timer.async_wait(asio::use_awaitable);
    co_await carry_out(begun->job, begun->run, context);
    co_return end_run(*begun, context);
}

asio::awaitable<std::vector<outcome>> scene::run_jobs(simulated_process& me,
                                                      std::span<held_job<numbered_job>> jobs)
{
    std::vector<std::unique_ptr<begun_run>> begun;
    std::chrono::milliseconds longest{0};
    for (const auto& each : jobs) {
        begun.push_back(begin_run(me, each.job.number, each.context()));
        longest = std::max(longest, begun.back()->plan.length);
    }
    asio::steady_timer timer{co_await asio::this_coro::executor, longest};
    co_await timer.async_wait(asio::use_awaitable);
    for (const auto& each : begun)
        if (each->plan.how == run_plan::end::throws)
            throw std::runtime_error{"no luck"};
    std::vector<outcome> outcomes;
    for (std::size_t i = 0; i != jobs.size(); ++i)
        outcomes.push_back(end_run(*begun[i], jobs[i].context()));
    co_return outcomes;
}

} // namespace coworker::test
