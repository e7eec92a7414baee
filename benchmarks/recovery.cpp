// SPDX-License-Identifier: MIT
#include "recovery.hpp"
#include "perform.hpp"

#include <functional>
#include <future>
#include <random>
#include <thread>

/// What becomes of jobs whose worker is killed, and of those whose worker does not answer for a while.
namespace bench {
namespace {

using namespace std::chrono_literals;

constexpr double killed_goal_ms = 2'000;

/// Worker processes that hold jobs, of which one after the other is killed and replaced.
class doomed_fleet
{
public:
    doomed_fleet(std::string url, std::string kind) : url_{std::move(url)}, kind_{std::move(kind)}
    {
        for (int i = 0; i != workers; ++i)
            add_worker();
        std::vector<letter> held;
        for (long i = 1; i <= jobs; ++i)
            held.push_back(make_letter(i));
        push_letters(url_, kind_, held);
        wait_until("all jobs run", [this] { return static_cast<long>(holders().size()) == jobs; });
    }

    /// Returns how long it took until all jobs of one ran elsewhere, in ms.
    double kill_one()
    {
        std::this_thread::sleep_for(
            std::chrono::milliseconds{std::uniform_int_distribution{300, 1'800}(random_)});
        const auto victim = choose();
        std::vector<long> orphans;
        for (const auto& [job, run] : holders())
            if (run.worker == victim)
                orphans.push_back(job);
        const auto killed = latencies::now();
        workers_[victim].reset();
        workers_.erase(workers_.begin() + static_cast<std::ptrdiff_t>(victim));
        long last = 0;
        wait_until("the jobs of a killed worker run again", [&] {
            const auto now = holders();
            return std::all_of(orphans.begin(), orphans.end(), [&](long job) {
                const auto found = now.find(job);
                last = found == now.end() ? last : std::max(last, found->second.began);
                return found != now.end();
            });
        });
        add_worker();
        return static_cast<double>(last - killed) * 1e-6;
    }

private:
    static constexpr int workers = 3;
    static constexpr long jobs = 9;
    static constexpr long places = 6; // two workers have room for all

    struct latest_run
    {
        std::size_t worker;
        long began;
    };

    void add_worker()
    {
        workers_.push_back(std::make_unique<part>(standing(kind_, url_, "hold", places)));
        workers_.back()->wait_until_ready();
    }

    /// Of the jobs that run: where.
    std::map<long, latest_run> holders() const
    {
        std::map<long, latest_run> found;
        for (std::size_t i = 0; i != workers_.size(); ++i)
            for (const auto& [job, began] : told_times(workers_[i]->output(), "began"))
                if (const auto known = found.find(job); known == found.end() || known->second.began < began)
                    found[job] = {i, began};
        return found;
    }

    /// One of those that hold jobs.
    std::size_t choose()
    {
        std::vector<std::size_t> busy;
        for (const auto& [job, run] : holders())
            if (std::find(busy.begin(), busy.end(), run.worker) == busy.end())
                busy.push_back(run.worker);
        return busy.at(std::uniform_int_distribution<std::size_t>{0, busy.size() - 1}(random_));
    }

    std::string url_, kind_;
    std::vector<std::unique_ptr<part>> workers_;
    std::mt19937 random_{std::random_device{}()};
};

std::vector<double> kill_workers(const std::string& url, const std::string& kind, long kills)
{
    doomed_fleet fleet{url, kind};
    std::vector<double> took;
    while (static_cast<long>(took.size()) < kills)
        took.push_back(fleet.kill_one());
    return took;
}

/// Workers of which each holds a job, and runs another one that keeps its loop busy for a while. Returns how many jobs
/// were taken from them.
double block_loops(const std::string& url, const std::string& kind, double ms)
{
    constexpr long workers = 4;
    std::vector<std::unique_ptr<part>> blocked;
    for (long i = 0; i != workers; ++i) {
        blocked.push_back(std::make_unique<part>(standing(kind, url, "hold", 2, ms)));
        blocked.back()->wait_until_ready();
        for (const long number : {2 * i + 1, 2 * i + 2}) { // the second one is urgent
            push_letters(url, kind, {make_letter(number)});
            wait_until("it runs",
                       [&] { return told_times(blocked.back()->output(), "began").contains(number); });
        }
    }
    part beside{standing(kind, url, "hold")};
    for (long i = 0; i != workers; ++i)
        wait_until("the loop goes on", [&] {
            return told_times(blocked[static_cast<std::size_t>(i)]->output(), "ended").contains(2 * i + 2);
        });
    std::this_thread::sleep_for(5s); // whatever comes late
    auto taken = static_cast<double>(told_times(beside.output(), "began").size());
    for (const auto& each : blocked)
        taken += static_cast<double>(told_count(each->output(), "lease_lost"));
    for (const auto& each : blocked)
        each->stop();
    beside.stop();
    return taken;
}

/// Does it for both kinds of queue at the same time.
template<class Result>
std::map<std::string, Result> of_each_kind(const std::function<Result(const std::string&)>& measure)
{
    std::map<std::string, std::future<Result>> under_way;
    for (const std::string kind : queue_kinds)
        under_way.emplace(kind, std::async(std::launch::async, measure, kind));
    std::map<std::string, Result> results;
    for (auto& [kind, result] : under_way)
        results.emplace(kind, result.get());
    return results;
}

} // namespace

figures recovery_of_killed(stage& on)
{
    figures found;
    const auto url = on.tcp_url();
    const auto took = of_each_kind<std::vector<double>>(
        [&](const std::string& kind) { return kill_workers(url, kind, on.brief() ? 1 : 60); });
    for (const auto& [kind, samples] : took)
        add_percentiles(found, "recovery.killed." + kind, samples, killed_goal_ms);
    return found;
}

figures recovery_of_blocked_loops(stage& on)
{
    figures found;
    const auto url = on.tcp_url();
    const auto taken = of_each_kind<double>(
        [&](const std::string& kind) { return block_loops(url, kind, on.brief() ? 100 : 60'000); });
    for (const auto& [kind, jobs] : taken)
        found.push_back({"recovery.blocked_loop." + kind, "jobs", jobs});
    return found;
}

} // namespace bench
