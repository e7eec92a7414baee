// SPDX-License-Identifier: MIT
#include "simulation/scenes/scenes.hpp"

namespace coworker::test {

namespace {

using namespace std::chrono_literals;

/// Workers stand still for longer than their leases last, again and again, while their handlers run: those that lost a lease
/// renew, release and acknowledge jobs that others have by then. The one that returns jobs stands still, too; answers take
/// so long that this is often between two of its calls.
class frozen_scene : public scene
{
public:
    using scene::scene;

private:
    void begin() override
    {
        behaviour_ = {.longest = 60s, .longer = 2, .retries = 2, .releases = 3, .ignores_cancellation = 30};
        all_.network().faults.latency_max = 400 * millisecond;
        start_workers(3);
        begin_misfortune({.kill = 0,
                          .freeze = 8,
                          .set_clock = 0,
                          .drift = 1,
                          .freeze_redis = 0,
                          .kill_redis = 0,
                          .lose_writes = 0,
                          .fill_memory = 0,
                          .read_only = 0,
                          .flush_scripts = 0,
                          .close_connections = 1},
                         25 * second);
        all_.start(add_producer(
            "producer", [this](simulated_process& me) { return push_all(me, jobs_or(100), storm()); }));
        all_.start(add_checker());
    }

    nanoseconds storm() const override { return 10 * minute; }
};

} // namespace

std::unique_ptr<scene> make_frozen(simulation& all, const scene_options& how)
{
    return std::make_unique<frozen_scene>(all, how);
}

} // namespace coworker::test
