// SPDX-License-Identifier: MIT
#include "simulation/scenes/scenes.hpp"

#include "coworker/managed_details.hpp"

#include <boost/asio/this_coro.hpp>

namespace coworker::test {

namespace {

/// Workers that handle different versions of the same kind, as while they are deployed one after the other. They are
/// killed, stopped and started, and the network fails. Each job goes to a worker that handles its version.
class deploys_scene : public scene
{
public:
    deploys_scene(simulation& all, scene_options how) : scene{all, std::move(how)}
    {
        managed_queues_ = {"letters", "mixed"};
    }

private:
    void begin() override
    {
        auto& faults = all_.network().faults;
        faults.cut = 0.001;
        faults.hold = 0.001;
        faults.silence = 0.0001;
        start_workers(3);
        begin_misfortune({.read_only = 0}, 2 * minute);
        all_.start(
            add_producer("producer", [this](simulated_process& me) { return push(me, jobs_or(150)); }));
        all_.start(add_checker());
    }

    nanoseconds storm() const override { return 15 * minute; }

    /// The first two versions: the oldest worker knows one of them, and so does the newest.
    static bool handles(const simulated_process& me, unsigned version)
    {
        return me.name == "worker-2" || version == (me.name == "worker-1" ? 1U : 2U);
    }

    void add_queues(simulated_process& me, client& redis, worker& hand) override
    {
        managed_queue queue{redis, "mixed"};
        handlers_by_kind handlers;
        for (const unsigned version : {1U, 2U})
            if (handles(me, version)) {
                kind_options options;
                options.versions.push_back(version);
                const auto run = [this, &me, version](numbered_job job, job_context& context) {
                    const auto* const details = context.details<managed_details>();
                    if (details == nullptr || details->version.value_or(1) != version)
                        account_.violate(me.name + " has got a job of another version");
                    return run_job(me, job.number, context);
                };
                handlers.on<numbered_job>("Letter", run, options);
            }
        hand.handle(queue, std::move(handlers), handling());
    }

    /// Those of one version come in a row, so that the others wait behind them.
    asio::awaitable<void> push(simulated_process& me, int count)
    {
        client redis{co_await asio::this_coro::executor, options_for(me)};
        managed_queue queue{redis, "mixed"};
        for (int i = 0; i != count; ++i) {
            auto& job = account_.of("mixed", "job-" + std::to_string(i));
            job.number = i;
            job.has_effect = i % 2 == 0;
            managed_push_options options;
            options.version = 1 + static_cast<unsigned>(i / 10 % 2);
            auto act = [&] { return push_to_managed(queue, job, options); };
            co_await insist(me, act);
            if (i % 10 == 9)
                co_await rest(random_.between(0, 20 * storm() / count));
        }
    }
};

} // namespace

std::unique_ptr<scene> make_deploys(simulation& all, const scene_options& how)
{
    return std::make_unique<deploys_scene>(all, how);
}

} // namespace coworker::test
