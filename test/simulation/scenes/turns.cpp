// SPDX-License-Identifier: MIT
#include "simulation/scenes/scenes.hpp"

#include <boost/asio/this_coro.hpp>

#include <algorithm>
#include <array>

namespace coworker::test {

namespace {

using namespace std::chrono_literals;

/// A large group and two small ones wait at the same time and take turns. Two queues, each with a worker of its own, share a
/// limit: what ends in one of them lets the other one go on at once. Nothing goes wrong.
class turns_scene : public scene
{
public:
    turns_scene(simulation& all, scene_options how) : scene{all, std::move(how)}
    {
        managed_queues_ = {"letters", "grouped", "left", "right"};
        account_.limit("one", 1);
    }

private:
    void begin() override
    {
        behaviour_ = {.longest = 4s, .longer = 1, .releases = 0};
        start_workers(3);
        all_.start(add_producer("producer", [this](simulated_process& me) { return push(me, jobs_or(80)); }));
        all_.start(add_checker());
    }

    nanoseconds storm() const override { return minute; }
    patience_of_standstill standing() const override { return {.settle = 10 * second, .bound = 5 * second}; }
    std::vector<std::string> may_leave() const override
    {
        return {"ql:coworker:uses:*", "ql:coworker:limits"};
    }

    void add_queues(simulated_process& me, client& redis, worker& hand) override
    {
        const auto handle = [&](const char* name) {
            managed_queue queue{redis, name};
            handlers_by_kind handlers;
            handlers.on<numbered_job>("Letter", [this, &me](numbered_job job, job_context& context) {
                note_turn(context);
                return run_job(me, job.number, context);
            });
            hand.handle(queue, std::move(handlers), handling());
        };
        handle(me.name == "worker-1" ? "grouped" : me.name == "worker-2" ? "left" : "right");
    }

    asio::awaitable<void> push(simulated_process& me, int count)
    {
        client redis{co_await asio::this_coro::executor, options_for(me)};
        managed_client limits{redis};
        limit_settings settings;
        settings.max_running = 1U;
        co_await limits.async_set_limit("one", settings);
        managed_queue grouped{redis, "grouped"}, left{redis, "left"}, right{redis, "right"};
        co_await grouped.async_pause();
        for (int i = 0; i != count; ++i) {
            managed_push_options options;
            const auto group = group_of(i, count);
            options.group = "group-" + std::to_string(group);
            ++waiting_[group];
            co_await push_to_managed(grouped, account_.of("grouped", "job-" + std::to_string(i)), options);
        }
        co_await grouped.async_resume();
        for (int i = 0; i != count / 2; ++i)
            co_await push_limited(i % 2 == 0 ? left : right, i);
    }

    asio::awaitable<void> push_limited(managed_queue& queue, int number)
    {
        auto& job = account_.of(queue.name(), "limited-" + std::to_string(number));
        job.limits.emplace_back("one", 1);
        managed_push_options options;
        options.limits.push_back(limit_use{"one"});
        co_await push_to_managed(queue, job, options);
    }

    /// One of three quarters of the jobs, and two that come behind it.
    static std::size_t group_of(int number, int count)
    {
        return number < count * 3 / 4 ? 0 : static_cast<std::size_t>(1 + number % 2);
    }

    /// While jobs of two groups wait, as many of each begin, but for those that a worker has taken at once.
    void note_turn(const job_context& context)
    {
        auto& job = account_.of(context.queue(), context.id());
        if (context.queue() != "grouped" || job.runs != 0 || !context.id().starts_with("job-"))
            return;
        const auto mine = group_of(std::stoi(std::string{context.id().substr(4)}), how_.jobs);
        --waiting_[mine];
        ++begun_[mine];
        for (std::size_t other = 0; other != begun_.size(); ++other)
            if (waiting_[other] > 0 && begun_[mine] > begun_[other] + static_cast<int>(concurrency()))
                account_.violate("a group has had " + std::to_string(begun_[mine]) +
                                 " turns, and one that waits " + std::to_string(begun_[other]));
    }

    std::array<int, 3> waiting_{}, begun_{}; ///< jobs, by group
};

} // namespace

std::unique_ptr<scene> make_turns(simulation& all, const scene_options& how)
{
    return std::make_unique<turns_scene>(all, how);
}

} // namespace coworker::test
