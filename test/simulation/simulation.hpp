// SPDX-License-Identifier: MIT
#pragma once

#include "simulation/random_stream.hpp"
#include "simulation/simulated_network.hpp"
#include "simulation/simulated_process.hpp"
#include "simulation/simulated_redis.hpp"
#include "simulation/trace.hpp"
#include "simulation/world.hpp"
#include "support/world_of_jobs.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::test {

/// What a simulation is made from. Everything else follows from it.
struct simulation_options
{
    std::uint64_t seed = 1;
    std::string server = "redis-server";         ///< a path, or a name on the PATH
    std::string library{};                       ///< that is loaded into it
    nanoseconds begins = 1'900'000'000 * second; ///< since 1970: in March 2030
    nanoseconds shortest_sleep = 0;              ///< of Redis: its own timers fire no more often
    std::uint64_t faults = UINT64_MAX;           ///< only so many of the things that may go wrong do
    bool prints_events = false, prints_wire = false;
};

/// A world of its own for programs on Asio and a redis-server: one thread, one clock, one seed. Its files are in the
/// present folder, which is empty. There is one in a process.
class simulation final : public world_of_jobs
{
public:
    explicit simulation(simulation_options how);
    ~simulation() override;
    simulation(const simulation&) = delete;
    simulation& operator=(const simulation&) = delete;

    /// The one that is there; null: time is real.
    static simulation* present() noexcept { return present_; }

    nanoseconds now() const override { return page_->now.load(std::memory_order_relaxed); }
    /// Since 1970, as the clock of the server's machine has it.
    nanoseconds wall_time() const override { return now() + page_->wall.load(); }
    const simulation_options& options() const noexcept { return how_; }

    void tell(std::string_view who, std::string_view what) override { record_.event(now(), who, what); }
    trace& record() noexcept { return record_; }

    /// Whether one more thing may go wrong. Counts it.
    bool may_go_wrong() { return faults_ < how_.faults && ++faults_ > 0; }
    std::uint64_t faults() const noexcept { return faults_; }
    /// From now on all goes well. What was disturbed is mended when it was to be.
    void let_nothing_go_wrong() { how_.faults = 0; }

    // --- processes

    simulated_process& add(std::string name, std::function<void(simulated_process&)> program);
    void start(simulated_process& process);
    void kill(simulated_process& process, bool with_machine = false);
    void stop(simulated_process& process);
    const std::vector<std::unique_ptr<simulated_process>>& processes() const noexcept { return processes_; }
    /// The one that runs now; null: none.
    simulated_process* current() const noexcept { return current_; }
    /// For what the program draws itself.
    std::uint64_t draw_for_program() { return for_program_.draw(); }

    // --- Redis and the network

    simulated_redis& redis() noexcept { return redis_; }
    simulated_network& network() noexcept { return network_; }
    void start_redis();
    /// @param forget_behind  loses what was written to the append-only file behind this size
    void kill_redis(std::optional<std::uintmax_t> forget_behind = std::nullopt);
    void freeze_redis(nanoseconds until);
    /// Something is wrong with Redis until then.
    void disturb_redis(nanoseconds until) noexcept { disturbed_until_ = std::max(disturbed_until_, until); }
    /// The last time at which anything was.
    nanoseconds redis_disturbed_until() const override { return redis_.runs() ? disturbed_until_ : now(); }
    bool is_redis_frozen() const { return now() < frozen_until_; }
    nanoseconds redis_frozen_until() const noexcept { return frozen_until_; }
    /// Lets it do all that it can, and takes its answers.
    void let_redis_run();
    /// As `simulated_redis::ask`, without the time that it takes. Empty: Redis is dead.
    std::vector<std::string> ask(const std::vector<std::string>& words) override;

    // --- time

    void at(nanoseconds when, std::function<void()> what) { plan_.emplace(when, std::move(what)); }
    void after(nanoseconds delay, std::function<void()> what) { at(now() + delay, std::move(what)); }
    /// Runs until the time has come, or `is_done`, which is asked after each step. @return whether it is done
    bool run(nanoseconds until, const std::function<bool()>& is_done);

private:
    bool step();
    bool run_plan();
    bool run_process();
    bool run_redis();
    nanoseconds next_due() const;

    simulation_options how_;
    world* page_;
    trace record_;
    random_stream for_program_, for_turns_, for_redis_;
    simulated_redis redis_;
    simulated_network network_;
    nanoseconds frozen_until_ = 0, redis_ran_ = 0, disturbed_until_ = 0;
    std::vector<std::unique_ptr<simulated_process>> processes_;
    simulated_process* current_ = nullptr;
    std::multimap<nanoseconds, std::function<void()>> plan_;
    std::uint64_t faults_ = 0;
    static simulation* present_;
};

} // namespace coworker::test
