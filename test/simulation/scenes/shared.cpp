// SPDX-License-Identifier: MIT
#include "simulation/scenes/scenes.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace coworker::test {

namespace {

using namespace std::chrono_literals;

/// Several clients, workers and producers on one executor: a worker whose queues belong to two clients, a second one of the
/// same queues, and a producer whose client ends and is made anew while the others go on.
class shared_scene : public scene
{
public:
    using scene::scene;

private:
    void begin() override
    {
        behaviour_.longest = 5s;
        auto& faults = all_.network().faults;
        faults.cut = 0.001;
        faults.hold = 0.001;
        faults.silence = 0.0001;
        start_workers(1);
        producers_ = 1;
        count_ = jobs_or(80);
        auto& all_in_one = *workers_.emplace_back(
            &add("worker-of-all", [this](simulated_process& me) { return do_all(me); }));
        all_.start(all_in_one);
        begin_misfortune({.read_only = 0}, 4 * minute);
        all_.start(add_checker());
    }

    nanoseconds storm() const override { return 15 * minute; }

    asio::awaitable<void> do_all(simulated_process& me)
    {
        using namespace asio::experimental::awaitable_operators;
        const auto executor = co_await asio::this_coro::executor;
        auto on_one_executor = options_for(me);
        on_one_executor.thread_safe = false;
        client first{executor, on_one_executor}, second_one{executor, on_one_executor},
            third{executor, options_for(me)}; // on a strand of its own
        worker one{first, options_of(me)}, two{third, options_of(me)};
        add_both(me, one, first, second_one);
        add_both(me, two, third, third);
        bool goes_on = true;
        me.stop = [&] {
            goes_on = false;
            one.stop();
            two.stop();
        };
        co_await (one.async_run(asio::use_awaitable) && two.async_run(asio::use_awaitable) &&
                  push_in_turns(me, goes_on));
    }

    worker_options options_of(const simulated_process& me)
    {
        worker_options options;
        options.concurrency = 10;
        options.order = queue_order::round_robin;
        options.observers = {observe(me)};
        return options;
    }

    void add_both(simulated_process& me, worker& hand, client& of_list, client& of_managed)
    {
        auto run = [this, &me](numbered_job job, job_context& context) {
            return run_job(me, job.number, context);
        };
        list_queue<numbered_job> numbers{of_list, "numbers"};
        managed_queue letters{of_managed, "letters"};
        hand.handle(numbers, run, handling());
        handlers_by_kind handlers;
        handlers.on<numbered_job>("Letter", run);
        hand.handle(letters, std::move(handlers), handling());
    }

    /// Where the process is killed, the next one goes on.
    asio::awaitable<void> push_in_turns(simulated_process& me, bool& goes_on)
    {
        while (goes_on && pushed_ != count_) {
            client redis{co_await asio::this_coro::executor, options_for(me)};
            list_queue<numbered_job> numbers{redis, "numbers"};
            managed_queue letters{redis, "letters"};
            for (int i = 0; i != 10 && pushed_ != count_; ++i) {
                for (const bool is_managed : {false, true}) {
                    auto& job =
                        account_.of(is_managed ? "letters" : "numbers", "job-" + std::to_string(pushed_));
                    job.number = pushed_;
                    job.has_effect = pushed_ % 2 == 0;
                    auto act = [&] {
                        return is_managed ? push_to_managed(letters, job) : push_to_list(numbers, job);
                    };
                    co_await insist(me, act);
                }
                if (++pushed_ == count_)
                    producers_ = 0;
                co_await rest(random_.between(0, 2 * storm() / count_));
            }
            if (random_.chance(0.5)) // otherwise it is destroyed as it is
                co_await redis.async_stop(asio::use_awaitable);
        }
    }

    int pushed_ = 0, count_ = 0;
};

} // namespace

std::unique_ptr<scene> make_shared_clients(simulation& all, const scene_options& how)
{
    return std::make_unique<shared_scene>(all, how);
}

} // namespace coworker::test
