// SPDX-License-Identifier: MIT
#include "simulation/scenes/scenes.hpp"

#include <boost/asio/this_coro.hpp>

#include <string>
#include <utility>
#include <vector>

namespace coworker::test {

namespace {

using namespace std::chrono_literals;

/// Machines are lost at the moment at which a worker has written something. That arrives when others have its jobs by then,
/// and nobody has closed its connection. Schedules of both kinds of queue fire every 15 s. Some letters are pushed together, so that one fetch brings
/// several, of which those that take no time are acknowledged together.
class last_words_scene : public scene
{
public:
    using scene::scene;

private:
    void begin() override
    {
        behaviour_ = {.longest = 40s,
                      .longer = 3,
                      .retries = 8,
                      .releases = 8,
                      .ignores_cancellation = 0,
                      .at_once = 40};
        auto& faults = all_.network().faults;
        faults.last_word = 0.08;
        faults.words = {"job-", "bundle-", "tick"};
        faults.longest_hold = 75 * second;
        start_workers(3);
        all_.start(add_producer(
            "producer", [this](simulated_process& me) { return push_all(me, jobs_or(160), storm(), 8); }));
        all_.start(add_producer("bundles", [this](simulated_process& me) { return push_bundles(me); }));
        all_.start(add_producer("clock", [this](simulated_process& me) { return keep_schedule(me); }));
        all_.start(add_checker());
    }

    nanoseconds storm() const override { return 15 * minute; }
    std::vector<std::string> may_leave() const override { return {"ql:coworker:schedules"}; }

    asio::awaitable<void> push_bundles(simulated_process& me)
    {
        constexpr int size = 8;
        client redis{co_await asio::this_coro::executor, options_for(me)};
        managed_queue letters{redis, "letters"};
        for (int bundle = 0; bundle != jobs_each() / 4; ++bundle) {
            std::vector<new_managed_job> jobs;
            for (int i = 0; i != size; ++i) {
                auto& job = account_.of("letters", "bundle-" + std::to_string(bundle * size + i));
                job.is_managed = true;
                new_managed_job made;
                made.kind = "Letter";
                made.data = encode(numbered_job{}).value();
                made.options.jid = job.id;
                made.options.retries = 1000U;
                made.options.unique.key = job.id; // so the push may be repeated
                made.options.unique.unique_for = 24h;
                jobs.push_back(std::move(made));
            }
            auto push = [&]() -> asio::awaitable<void> { co_await letters.async_push_many(jobs); };
            co_await insist(me, push);
            for (const auto& each : jobs)
                account_.acknowledge_push(account_.of("letters", each.options.jid.value()));
            co_await rest(random_.between(0, 2 * storm() * 4 / jobs_each()));
        }
    }

    asio::awaitable<void> keep_schedule(simulated_process& me)
    {
        client redis{co_await asio::this_coro::executor, options_for(me)};
        schedules all_schedules{redis};
        schedule ticks;
        ticks.every = option_duration_of<std::chrono::seconds>{15s};
        ticks.missed = missed_runs::all;
        managed_push_options options;
        options.retries = 1000U;
        numbered_job letter;
        begins_ = all_.wall_time();
        const list_queue<numbered_job> numbers{redis, "numbers"};
        const list_schedules schedules_of_list{numbers};
        co_await all_schedules.async_set("tick", ticks, "letters", "Letter", letter, options);
        co_await schedules_of_list.async_set("tick", ticks, letter);
        co_await rest(storm());
        co_await all_schedules.async_remove("tick");
        co_await schedules_of_list.async_remove("tick");
        ends_ = all_.wall_time();
    }

    /// Each time of the schedules has a job, which has ended, and no other time has.
    void check_end() override
    {
        const auto of = [](nanoseconds time) { return "tick@" + std::to_string(time / second); };
        for (const std::string queue : {"letters ", "numbers "})
            for (auto time = (begins_ / every + 1) * every; time + 2 * minute < ends_; time += every) {
                const auto found = account_.jobs().find(queue + of(time));
                if (found == account_.jobs().end() || !found->second.has_ended())
                    account_.violate("a run of a schedule did not take place: " + queue + of(time));
            }
        for (const auto& [name, job] : account_.jobs())
            if (job.id.starts_with("tick") && job.id != of(std::stoll(job.id.substr(5)) / 15 * every))
                account_.violate("a run of a schedule at a time that it does not have: " + name);
    }

    static constexpr nanoseconds every = 15 * second;
    nanoseconds begins_ = 0, ends_ = 0;
};

} // namespace

std::unique_ptr<scene> make_last_words(simulation& all, const scene_options& how)
{
    return std::make_unique<last_words_scene>(all, how);
}

} // namespace coworker::test
