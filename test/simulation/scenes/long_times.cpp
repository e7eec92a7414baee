// SPDX-License-Identifier: MIT
#include "simulation/scenes/scenes.hpp"

#include <boost/asio/this_coro.hpp>

#include <set>

namespace coworker::test {

namespace {

using namespace std::chrono_literals;

constexpr nanoseconds whole_time = 18 * hour;

/// Schedules over a switch of daylight saving, to summer time and back, and back-offs of hours. Workers are away for
/// hours.
class long_times_scene : public scene
{
public:
    using scene::scene;

private:
    void begin() override
    {
        behaviour_ = {
            .longest = 60s, .throws = 5, .retries = 10, .fails = 0, .releases = 0, .longest_retry = 3h};
        health_check_ = 10min;
        auto& first = add_worker("worker-1");
        auto& second_one = add_worker("worker-2");
        all_.start(first);
        all_.start(second_one);
        all_.start(
            add_producer("producer", [this](simulated_process& me) { return set_up(me, jobs_or(40)); }));
        for (auto* const each : {&first, &second_one})
            all_.after(random_.between(0, whole_time - 6 * hour),
                       [this, each] { lose(*each, random_.between(0, 2 * hour)); });
        all_.after(random_.between(0, whole_time - 6 * hour), [this, &first, &second_one] {
            const auto time = random_.between(hour, 3 * hour); // runs of schedules are missed
            lose(first, time);
            lose(second_one, time);
        });
    }

    void lose(simulated_process& worker, nanoseconds time)
    {
        all_.kill(worker);
        all_.after(time, [this, &worker] { all_.start(worker); });
    }

    nanoseconds storm() const override { return whole_time; }
    nanoseconds patience() const override { return 2 * day; }
    std::vector<std::string> may_leave() const override
    {
        return {"ql:coworker:schedules", "ql:coworker:schedule:*", "hworker-workers-numbers", "ql:workers"};
    }
    handle_options handling() const override
    {
        auto options = scene::handling();
        options.backoff =
            exponential_backoff{.initial = option_duration{60s}, .maximum = option_duration{2h}};
        return options;
    }

    asio::awaitable<void> set_up(simulated_process& me, int count)
    {
        client redis{co_await asio::this_coro::executor, options_for(me)};
        schedules all_schedules{redis};
        begins_ = all_.wall_time();
        for (const auto& [name, when] : wanted()) {
            const auto& one = when;
            const auto& called = name;
            co_await insist(me, [&]() -> asio::awaitable<void> {
                numbered_job job;
                managed_push_options options;
                options.retries = 1000U;
                co_await all_schedules.async_set(called, one, "letters", "Letter", job, options);
            });
        }
        co_await push_all(me, count, whole_time - 6 * hour);
        co_await rest(begins_ + whole_time - all_.wall_time());
        for (const auto& [name, when] : wanted()) {
            const auto& called = name;
            co_await insist(me, [&]() -> asio::awaitable<void> {
                static_cast<void>(co_await all_schedules.async_remove(called));
            });
        }
        ends_ = all_.wall_time();
    }

    static std::vector<std::pair<std::string, schedule>> wanted()
    {
        schedule nightly, hourly, often;
        nightly.cron = "30 2 * * *";
        hourly.cron = "15 * * * *";
        often.every = option_duration_of<std::chrono::seconds>{std::chrono::minutes{45}};
        for (auto* const each : {&nightly, &hourly})
            each->zone = "Europe/Berlin";
        for (auto* const each : {&nightly, &hourly, &often})
            each->missed = missed_runs::all;
        return {{"nightly", nightly}, {"hourly", hourly}, {"often", often}};
    }

    /// Each time of each schedule has a job, which has ended, and no other has.
    void check_end() override
    {
        const auto at = [](nanoseconds time) {
            return timestamp{std::chrono::duration_cast<timestamp::duration>(std::chrono::nanoseconds{time})};
        };
        std::set<std::string> expected;
        for (const auto& [name, when] : wanted())
            for (const auto& time : next_times(when, at(begins_), 10'000)) {
                if (time > at(ends_))
                    break;
                const auto seconds =
                    std::chrono::floor<std::chrono::seconds>(time).time_since_epoch().count();
                expected.insert("letters " + name + '@' + std::to_string(seconds));
            }
        for (const auto& name : expected)
            if (const auto found = account_.jobs().find(name);
                found == account_.jobs().end() || !found->second.has_ended())
                account_.violate("a run of a schedule did not take place: " + name);
        for (const auto& [name, job] : account_.jobs())
            if (name.find('@') != name.npos && !expected.contains(name))
                account_.violate("a run of a schedule at a time that it does not have: " + name);
    }

    nanoseconds begins_ = 0, ends_ = 0;
};

} // namespace

std::unique_ptr<scene> make_long_times(simulation& all, const scene_options& how)
{
    return std::make_unique<long_times_scene>(all, how);
}

} // namespace coworker::test
