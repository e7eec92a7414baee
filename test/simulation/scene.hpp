// SPDX-License-Identifier: MIT
#pragma once

#include "simulation/behaviour.hpp"
#include "simulation/misfortune.hpp"
#include "simulation/simulation.hpp"
#include "simulation/standstill.hpp"
#include "support/account.hpp"

#include <coworker/coworker.hpp>

#include <boost/asio/awaitable.hpp>
#include <boost/describe.hpp>

#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::test {

namespace asio = boost::asio;

/// The job of all scenes.
struct numbered_job
{
    int number = 0;
};
BOOST_DESCRIBE_STRUCT(numbered_job, (), (number))

/// What a scene is told from outside.
struct scene_options
{
    std::string name = "storm";
    std::uint64_t seed = 1;
    int jobs = 0;            ///< of each kind of queue; zero: what the scene wants
    bool only_begin = false; ///< stops after its beginning, without a look at what has to be true in the end
};

/// Programs that use coworker, what befalls them, and what has to be true in the end. Scenes derive from it.
class scene
{
public:
    scene(simulation& all, scene_options how);
    virtual ~scene() = default;
    scene(const scene&) = delete;
    scene& operator=(const scene&) = delete;

    /// Runs it to its end. @return whether nothing was violated
    bool play();
    /// The trace of its beginning: an eighth of the time in which things go wrong.
    std::uint64_t trace_of_begin() const noexcept { return trace_of_begin_; }

    const account& accounts() const noexcept { return account_; }
    /// How often it was looked whether anything stands still.
    int looks() const noexcept { return standstill_ ? standstill_->looks() : 0; }
    /// How many jobs of each kind of queue there are.
    int jobs_each() const noexcept { return how_.jobs; }

protected:
    /// Adds processes, starts them, and plans what goes wrong.
    virtual void begin() = 0;
    /// When all is over but Redis still runs.
    virtual void check_end() {}
    /// Until when things go wrong, and how long it may take then until all jobs have ended.
    virtual nanoseconds storm() const { return 0; }
    virtual nanoseconds patience() const { return 20 * minute; }
    /// How often it is looked whether all is over, and whether anything stands still, which may do so for how long.
    virtual nanoseconds between_looks() const { return 5 * second; }
    virtual patience_of_standstill standing() const { return {}; }
    /// Keys that may be left beside those that any scene may leave.
    virtual std::vector<std::string> may_leave() const { return {}; }
    virtual handle_options handling() const;
    /// How many handlers of a worker run at a time.
    virtual std::size_t concurrency() const { return 10; }
    /// What a worker does with the jobs of both queues: each is run by itself.
    virtual void handle_jobs(simulated_process& me, worker& hand, list_queue<numbered_job>& numbers,
                             managed_queue& letters);
    /// What else it does in this scene.
    virtual void add_queues(simulated_process&, client&, worker&) {}
    /// What a handler does beside letting time pass.
    virtual asio::awaitable<void> carry_out(job_record&, int, job_context&) { co_return; }
    /// What a handler returns that succeeds.
    virtual outcome succeed(job_record&, job_context&) { return success(); }

    /// How many jobs: what was asked for, or this.
    int jobs_or(int usual) { return how_.jobs = how_.jobs != 0 ? how_.jobs : usual; }

    using program = std::function<asio::awaitable<void>(simulated_process&)>;
    /// A process whose program is a coroutine. Whatever it throws is a violation.
    simulated_process& add(std::string name, program run);
    simulated_process& add_worker(std::string name);
    /// "worker-1" and so on.
    void start_workers(int count);
    /// From now on things befall the workers and Redis.
    void begin_misfortune(misfortune::weights how, nanoseconds longest_pause);
    /// One that has to end before the scene can.
    simulated_process& add_producer(std::string name, program run);
    /// One that looks for inconsistencies every few minutes.
    simulated_process& add_checker();
    client_options options_for(const simulated_process& me);
    observer observe(const simulated_process& me);

    /// Repeats what may have to be repeated until it is acknowledged, or the process is killed.
    asio::awaitable<void> insist(simulated_process& me, std::function<asio::awaitable<void>()> act);
    asio::awaitable<void> rest(nanoseconds time);
    asio::awaitable<void> push_to_list(list_queue<numbered_job>& queue, job_record& job);
    asio::awaitable<void> push_to_managed(managed_queue& queue, job_record& job,
                                          managed_push_options options = {});
    /// Pushes as many jobs to a list queue and a managed one, over some time, so many of them at once.
    asio::awaitable<void> push_all(simulated_process& me, int count, nanoseconds time, int at_once = 1);

    /// What the handler of any job does.
    asio::awaitable<outcome> run_job(simulated_process& me, int number, job_context& context);
    /// What a handler of many does: what each job's would, all at the same time. If one throws, it is all of them.
    asio::awaitable<std::vector<outcome>> run_jobs(simulated_process& me,
                                                   std::span<held_job<numbered_job>> jobs);

    simulation& all_;
    scene_options how_;
    account account_;
    random_stream random_;
    behaviour behaviour_;
    std::vector<simulated_process*> workers_;
    std::vector<std::string> list_queues_{"numbers"},
        managed_queues_{"letters"};                  ///< that have to be empty in the end
    int producers_ = 0;                              ///< that have not ended
    std::chrono::milliseconds health_check_{10'000}; ///< how long a server may be silent

private:
    struct begun_run;
    std::unique_ptr<begun_run> begin_run(simulated_process& me, int number, job_context& context);
    outcome end_run(begun_run& what, job_context& context);
    asio::awaitable<void> work(simulated_process& me);
    asio::awaitable<void> check(simulated_process& me);
    void has_ended(simulated_process& process, std::exception_ptr error);
    std::vector<std::string> keys_of_jobs() const;
    bool is_over();
    std::string what_is_left();
    void look_whether_over();
    void finish();
    void push_last_jobs();
    bool are_connected(const std::vector<std::string>& workers);
    void check_keys();

    bool is_over_ = false;
    std::uint64_t trace_of_begin_ = 0;
    std::optional<misfortune> misfortune_;
    std::optional<standstill> standstill_;
};

/// Makes a scene by its name; null if there is none.
std::unique_ptr<scene> make_scene(simulation& all, const scene_options& how);
/// The names of all scenes.
std::vector<std::string> scene_names();
/// When the scene's clocks begin, and how often Redis' own timers fire at most.
void prepare(simulation_options& how, const std::string& scene);

} // namespace coworker::test
