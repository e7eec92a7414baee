// SPDX-License-Identifier: MIT
#include "simulation/scenes/scenes.hpp"

#include <coworker/managed_client.hpp>

#include <boost/asio/this_coro.hpp>

#include <map>

namespace coworker::test {

namespace {

using namespace std::chrono_literals;

/// What runs of a job have got, which is the same for each of them.
struct dreams
{
    std::map<std::string, std::optional<int>> got; ///< by the name of the signal and its order in a run
    int sent = 0;                                  ///< signals that are acknowledged
    std::optional<wait_end> other;                 ///< how the job before it ended
};

constexpr int signals_each = 3;

/// Jobs that sleep, and wait for signals and for the job before them, beside workers that are killed. No signal and no end is
/// lost, and each run of a job gets the same ones.
class sleepers_scene : public scene
{
public:
    sleepers_scene(simulation& all, scene_options how) : scene{all, std::move(how)}
    {
        managed_queues_ = {"letters", "sleepers"};
    }

private:
    void begin() override
    {
        behaviour_.longest = 8s;
        auto& faults = all_.network().faults;
        faults.cut = 0.0005;
        faults.hold = 0.001;
        faults.silence = 0.00005;
        start_workers(3);
        misfortune::weights how;
        how.lose_writes = 0; // signals would be lost
        begin_misfortune(how, 2 * minute);
        const int count = jobs_or(60);
        all_.start(
            add_producer("producer", [this, count](simulated_process& me) { return push(me, count); }));
        all_.start(add_producer("sender", [this](simulated_process& me) { return send(me); }));
        all_.start(add_checker());
    }

    nanoseconds storm() const override { return 12 * minute; }

    asio::awaitable<void> push(simulated_process& me, int count)
    {
        client redis{co_await asio::this_coro::executor, options_for(me)};
        managed_queue sleepers{redis, "sleepers"};
        for (; pushed_ != count; ++pushed_) {
            auto& job = account_.of("sleepers", name_of(pushed_));
            job.number = pushed_;
            job.has_effect = pushed_ % 2 == 0;
            co_await insist(me, [&] { return push_to_managed(sleepers, job); });
            co_await rest(random_.between(0, 2 * storm() / count));
        }
    }

    static std::string name_of(int number) { return "job-" + std::to_string(number); }

    /// Some come before the job asks, and some while it sleeps. One that is sent again may come twice.
    asio::awaitable<void> send(simulated_process& me)
    {
        client redis{co_await asio::this_coro::executor, options_for(me)};
        managed_client jobs{redis};
        while (sent_to_ != how_.jobs) {
            co_await rest(random_.between(0, storm() / how_.jobs));
            if (sent_to_ == pushed_) // it waits for more
                continue;
            auto& dream = dreams_[name_of(sent_to_)];
            co_await insist(me, [&]() -> asio::awaitable<void> {
                const auto sent = co_await jobs.async_signal(name_of(sent_to_), "go", dream.sent);
                if (!sent)
                    account_.violate("a signal was refused: " + sent.error().message());
            });
            if (++dream.sent == signals_each)
                ++sent_to_;
        }
    }

    void add_queues(simulated_process& me, client& redis, worker& hand) override
    {
        managed_queue sleepers{redis, "sleepers"};
        handlers_by_kind handlers;
        handlers.on<numbered_job>("Letter", [this, &me](numbered_job job, job_context& context) {
            return sleep_and_run(me, job.number, context);
        });
        hand.handle(sleepers, std::move(handlers), handling());
    }

    asio::awaitable<outcome> sleep_and_run(simulated_process& me, int number, job_context& context)
    {
        const std::string id{context.id()};
        if (!id.starts_with("job-")) // one of those by which the end is seen
            co_return co_await run_job(me, number, context);
        auto& dream = dreams_[id];
        if (number % 3 == 0)
            co_await context.sleep_for("nap", std::chrono::seconds{6 + number});
        if (number % 5 == 0) {
            const auto none = co_await context.signal<int>("never", 7s);
            same(id, "never", none);
        }
        int last = -1;
        for (int i = 0; last != signals_each - 1; ++i) {
            const auto one = co_await context.signal<int>("go", 24h);
            same(id, "go " + std::to_string(i), one);
            if (!one || (*one != last && *one != last + 1) || *one > dream.sent) {
                account_.violate("it got another signal than it was sent: " + id);
                break;
            }
            last = *one;
        }
        if (number % 4 == 1) {
            const std::string before = name_of(number - 1);
            const auto end = co_await context.async_wait_for_job(before, 24h);
            see_end(id, before, end.how);
        }
        co_return co_await run_job(me, number, context);
    }

    void see_end(const std::string& id, const std::string& before, wait_end how)
    {
        auto& known = dreams_[id].other;
        if (known && *known != how)
            account_.violate("another run saw another end of another job: " + id);
        if (how != wait_end::succeeded && how != wait_end::failed)
            account_.violate("a job that was there has not ended: " + before);
        known = how;
    }

    void same(const std::string& id, const std::string& wait, std::optional<int> one)
    {
        const auto [before, is_new] = dreams_[id].got.emplace(wait, one);
        if (!is_new && before->second != one)
            account_.violate("another run got another signal: " + id + ' ' + wait);
        if (wait == "never" && one)
            account_.violate("a signal came that nobody sent: " + id);
    }

    void check_end() override
    {
        for (const auto& [id, dream] : dreams_)
            if (dream.sent != signals_each)
                account_.violate("not all signals were sent: " + id);
        for (const auto& [name, job] : account_.jobs())
            if (job.queue == "sleepers" && !job.has_ended())
                account_.violate("it has not ended: " + name);
    }

    std::map<std::string, dreams> dreams_; ///< by job
    int pushed_ = 0, sent_to_ = 0;
};

} // namespace

std::unique_ptr<scene> make_sleepers(simulation& all, const scene_options& how)
{
    return std::make_unique<sleepers_scene>(all, how);
}

} // namespace coworker::test
