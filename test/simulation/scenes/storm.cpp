// SPDX-License-Identifier: MIT
#include "simulation/scenes/scenes.hpp"

namespace coworker::test {

namespace {

/// All that can go wrong, mixed.
class storm_scene : public scene
{
public:
    using scene::scene;

private:
    void begin() override
    {
        behaviour_.blocks = 1;
        auto& faults = all_.network().faults;
        faults.cut = 0.001;
        faults.hold = 0.002;
        faults.silence = 0.0001;
        start_workers(3);
        begin_misfortune({}, 2 * minute);
        const int usual = how_.seed % 3 == 0 ? 1000 : 100; // of three storms one is busy
        all_.start(add_producer("producer", [this, usual](simulated_process& me) {
            return push_all(me, jobs_or(usual), storm());
        }));
        all_.start(add_checker());
    }

    nanoseconds storm() const override { return 25 * minute; }
};

} // namespace

std::unique_ptr<scene> make_storm(simulation& all, const scene_options& how)
{
    return std::make_unique<storm_scene>(all, how);
}

} // namespace coworker::test
