// SPDX-License-Identifier: MIT
#include "simulation/scenes/scenes.hpp"

namespace coworker::test {

namespace {

/// Nothing goes wrong but that one worker is killed and started again.
class calm_scene : public scene
{
public:
    using scene::scene;

private:
    void begin() override
    {
        auto& first = add_worker("worker-1");
        auto& second_one = add_worker("worker-2");
        auto& producer = add_producer(
            "producer", [this](simulated_process& me) { return push_all(me, jobs_or(300), 5 * minute); });
        for (auto* const each : {&first, &second_one, &producer, &add_checker()})
            all_.start(*each);
        all_.after(2 * minute, [this, &first] { all_.kill(first); });
        all_.after(3 * minute, [this, &first] { all_.start(first); });
    }

    nanoseconds storm() const override { return 5 * minute; }
    patience_of_standstill standing() const override { return {.settle = 10 * second, .bound = 5 * second}; }

    void check_end() override
    {
        if (account_.count.lost_leases != 0)
            account_.violate("a lease was lost");
    }
};

} // namespace

std::unique_ptr<scene> make_calm(simulation& all, const scene_options& how)
{
    return std::make_unique<calm_scene>(all, how);
}

} // namespace coworker::test
