// SPDX-License-Identifier: MIT
#include "simulation/scenes/scenes.hpp"

namespace coworker::test {

namespace {

/// The network holds back what clients wrote to connections that they have given up since, and delivers it later.
/// Nothing may be carried out twice.
class late_scene : public scene
{
public:
    using scene::scene;

private:
    void begin() override
    {
        all_.network().faults.hold = 0.01;
        all_.network().faults.longest_hold = 90 * second;
        all_.network().faults.cut = 0.002;
        all_.network().faults.late_end = 0.7;
        all_.network().faults.silence = 0.0002;
        start_workers(2);
        all_.start(add_producer(
            "producer", [this](simulated_process& me) { return push_all(me, jobs_or(100), storm()); }));
        all_.start(add_checker());
    }

    nanoseconds storm() const override { return 15 * minute; }
};

} // namespace

std::unique_ptr<scene> make_late(simulation& all, const scene_options& how)
{
    return std::make_unique<late_scene>(all, how);
}

} // namespace coworker::test
