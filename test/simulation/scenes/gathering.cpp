// SPDX-License-Identifier: MIT
#include "simulation/scenes/scenes.hpp"

namespace coworker::test {

namespace {

using namespace std::chrono_literals;

/// Handlers of many jobs, while workers are killed, stopped and frozen, and connections cut: jobs gather and run together, and
/// each has an end of its own.
class gathering_scene : public scene
{
public:
    using scene::scene;

private:
    void begin() override
    {
        behaviour_.longest = 5s;
        behaviour_.throws = 1; // which is that of all who run together
        auto& faults = all_.network().faults;
        faults.cut = 0.001;
        faults.hold = 0.001;
        faults.silence = 0.0001;
        start_workers(3);
        begin_misfortune({}, 2 * minute);
        all_.start(add_producer(
            "producer", [this](simulated_process& me) { return push_all(me, jobs_or(150), storm(), 15); }));
        all_.start(add_checker());
    }

    void handle_jobs(simulated_process& me, worker& hand, list_queue<numbered_job>& numbers,
                     managed_queue& letters) override
    {
        const auto run = [this, &me](std::span<held_job<numbered_job>> jobs) { return run_jobs(me, jobs); };
        const many_options many{.up_to = 6, .wait = 2s};
        hand.handle_many(numbers, run, many, handling());
        handlers_by_kind handlers;
        handlers.on_many<numbered_job>("Letter", run, many);
        hand.handle(letters, std::move(handlers), handling());
    }

    nanoseconds storm() const override { return 20 * minute; }
};

} // namespace

std::unique_ptr<scene> make_gathering(simulation& all, const scene_options& how)
{
    return std::make_unique<gathering_scene>(all, how);
}

} // namespace coworker::test
