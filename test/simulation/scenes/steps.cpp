// SPDX-License-Identifier: MIT
#include "simulation/scenes/scenes.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <map>

namespace coworker::test {

namespace {

constexpr int steps_of_job = 4;

/// Jobs in steps, while workers are killed or stand still, connections break, and what was written comes late. Each step
/// has one value, whichever attempt looks at it, and it is that of a run that had the lease.
class steps_scene : public scene
{
public:
    using scene::scene;

private:
    void begin() override
    {
        behaviour_ = {.shortest = std::chrono::milliseconds{0},
                      .longest = std::chrono::milliseconds{4'000},
                      .throws = 15,
                      .retries = 10,
                      .releases = 10,
                      .ignores_cancellation = 30,
                      .longest_retry = std::chrono::milliseconds{5'000}};
        auto& faults = all_.network().faults;
        faults.cut = 0.003;
        faults.hold = 0.005;
        faults.late_end = 0.5;
        faults.silence = 0.0002;
        start_workers(3);
        misfortune::weights how;
        how.lose_writes = 0; // a step whose value is lost gets another one
        begin_misfortune(how, minute);
        all_.start(
            add_producer("producer", [this](simulated_process& me) { return push(me, jobs_or(120)); }));
        all_.start(add_checker());
    }

    nanoseconds storm() const override { return 12 * minute; }

    asio::awaitable<void> push(simulated_process& me, int count)
    {
        client redis{co_await asio::this_coro::executor, options_for(me)};
        managed_queue letters{redis, "letters"};
        for (int i = 0; i != count; ++i) {
            auto& job = account_.of("letters", "job-" + std::to_string(i));
            job.number = i;
            job.has_effect = i % 2 == 0;
            co_await insist(me, [&] { return push_to_managed(letters, job); });
            co_await rest(random_.between(0, 2 * storm() / count));
        }
    }

    asio::awaitable<void> carry_out(job_record& job, int run, job_context& context) override
    {
        if (!job.is_managed) // the last job of the list queue
            co_return;
        for (int number = 0; number != steps_of_job; ++number) {
            const auto name = "step-" + std::to_string(number);
            const auto length =
                std::chrono::milliseconds{(job.number * 7919 + run * 104'729 + number * 1'299'709) % 6000};
            const auto wait = [length, run]() -> asio::awaitable<int> {
                asio::steady_timer timer{co_await asio::this_coro::executor, length};
                co_await timer.async_wait(asio::use_awaitable);
                co_return run;
            };
            int value = 0;
            try {
                value = co_await context.step(name, wait);
            } catch (const system_error& error) {
                if (error.code() == errc::invalid_option)
                    account_.violate(job.id + ", " + name +
                                     ": another run has stored a value: " + error.what());
                throw;
            }
            see(job.id + ", " + name, run, value);
        }
    }

    void see(const std::string& step, int run, int value)
    {
        const auto [known, is_new] = values_.emplace(step, value);
        if (known->second != value)
            account_.violate(step + " was " + std::to_string(known->second) + ", and is " +
                             std::to_string(value) + " for run " + std::to_string(run));
        if (value > run)
            account_.violate(step + " has a value of a later run");
        found_ += value != run ? 1 : 0;
    }

    void check_end() override
    {
        if (found_ == 0 && account_.count.retried > 20)
            account_.violate("no attempt has found what another one had done");
        for (const auto& [name, job] : account_.jobs()) {
            const auto key = "ql:j:" + job.id;
            const auto steps = all_.ask({"HGET", key, "steps"});
            const auto state = all_.ask({"HGET", key, "state"});
            const bool has_steps = !steps.empty() && !steps[0].empty();
            if (has_steps && state == std::vector<std::string>{"complete"})
                account_.violate("it is complete, and has steps: " + name);
        }
    }

    std::map<std::string, int> values_; ///< of each step: the run that has carried it out
    int found_ = 0;                     ///< steps that a later attempt did not have to carry out
};

} // namespace

std::unique_ptr<scene> make_steps(simulation& all, const scene_options& how)
{
    return std::make_unique<steps_scene>(all, how);
}

} // namespace coworker::test
