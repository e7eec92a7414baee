// SPDX-License-Identifier: MIT
#include "simulation/scenes/scenes.hpp"

#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

namespace coworker::test {

namespace {

using namespace std::chrono_literals;

constexpr int jobs_of_call = 8;
/// The number of the first job that is pushed without an id: only its number tells which it is.
constexpr int without_id = 100'000;

/// Pushes with ids, one by one and many in a call, while connections break. They are repeated, or left in doubt: then
/// a job runs once or not at all.
class in_doubt_scene : public scene
{
public:
    using scene::scene;

private:
    void begin() override
    {
        behaviour_ = {.longest = 3s, .throws = 0, .retries = 0};
        auto& faults = all_.network().faults;
        faults.cut = 0.01;
        faults.hold = 0.005;
        faults.silence = 0.001;
        start_workers(2);
        for (const auto* const name : {"producer-1", "producer-2"})
            all_.start(add_producer(name, [this](simulated_process& me) { return push(me, jobs_or(80)); }));
        begin_misfortune({.kill = 0, .freeze = 0, .set_clock = 0, .kill_redis = 2, .lose_writes = 0},
                         3 * minute);
        all_.start(add_checker());
    }

    nanoseconds storm() const override { return 10 * minute; }

    asio::awaitable<void> push(simulated_process& me, int count)
    {
        client redis{co_await asio::this_coro::executor, options_for(me)};
        list_queue<numbered_job> numbers{redis, "numbers"};
        managed_queue letters{redis, "letters"};
        for (int i = 0; i < count; i += jobs_of_call) {
            std::function<asio::awaitable<void>()> act = [&] { return push_many_to_list(me, numbers, i); };
            co_await try_or_insist(me, act);
            act = [&] { return push_many_to_managed(me, letters, i); };
            co_await try_or_insist(me, act);
            for (const bool is_managed : {false, true}) {
                auto& job = record(me, is_managed, count + i);
                act = [&] { return is_managed ? push_to_managed(letters, job) : push_to_list(numbers, job); };
                co_await try_or_insist(me, act);
                co_await push_without_id(me, numbers, letters, is_managed);
            }
            co_await rest(random_.between(0, 2 * storm() * jobs_of_call / count));
        }
    }

    /// A producer that gives up leaves its push in doubt.
    asio::awaitable<void> try_or_insist(simulated_process& me, std::function<asio::awaitable<void>()> act)
    {
        if (random_.chance(0.8)) {
            co_await insist(me, act);
            co_return;
        }
        try {
            co_await act();
        } catch (const system_error& error) {
            all_.tell(me.name, std::string{"leaves in doubt: "} + error.what());
        }
    }

    /// Once: whoever repeats it makes another job.
    asio::awaitable<void> push_without_id(simulated_process& me, list_queue<numbered_job>& numbers,
                                          managed_queue& letters, bool is_managed)
    {
        numbered_job what{without_id + static_cast<int>(anonymous_.size())};
        anonymous_.push_back(false);
        try {
            if (is_managed)
                co_await letters.async_push("Letter", what, asio::use_awaitable);
            else
                co_await numbers.async_push(what, asio::use_awaitable);
            anonymous_[static_cast<std::size_t>(what.number - without_id)] = true;
        } catch (const system_error& error) {
            all_.tell(me.name, std::string{"leaves in doubt: "} + error.what());
        }
    }

    void check_end() override
    {
        std::vector<int> jobs(anonymous_.size(), 0);
        for (const auto& [name, job] : account_.jobs())
            if (job.number >= without_id)
                ++jobs[static_cast<std::size_t>(job.number - without_id)];
        for (std::size_t i = 0; i != jobs.size(); ++i)
            if (jobs[i] > 1 || (anonymous_[i] && jobs[i] == 0))
                account_.violate("a push without an id made " + std::to_string(jobs[i]) + " jobs: number " +
                                 std::to_string(without_id + static_cast<int>(i)));
    }

    job_record& record(const simulated_process& me, bool is_managed, int number)
    {
        auto& job = account_.of(is_managed ? "letters" : "numbers", me.name + '-' + std::to_string(number));
        job.number = number;
        job.has_effect = number % 3 != 0;
        return job;
    }

    asio::awaitable<void> push_many_to_list(const simulated_process& me, list_queue<numbered_job>& numbers,
                                            int first)
    {
        std::vector<raw_push> jobs;
        for (int i = first; i != first + jobs_of_call; ++i) {
            auto& job = jobs.emplace_back();
            job.job = raw_json{encode(numbered_job{i}).value()};
            job.options.id = record(me, false, i).id;
            job.options.unique_for = 24h;
        }
        co_await numbers.async_push_each_json(std::move(jobs));
        for (int i = first; i != first + jobs_of_call; ++i)
            account_.acknowledge_push(record(me, false, i));
    }

    asio::awaitable<void> push_many_to_managed(const simulated_process& me, managed_queue& letters, int first)
    {
        std::vector<new_managed_job> jobs;
        for (int i = first; i != first + jobs_of_call; ++i) {
            auto& job = jobs.emplace_back();
            job.kind = "Letter";
            job.data = encode(numbered_job{i}).value();
            job.options.jid = record(me, true, i).id;
            job.options.retries = 1000U;
            job.options.unique.key = record(me, true, i).id;
            job.options.unique.unique_for = 24h;
        }
        co_await letters.async_push_each(jobs);
        for (int i = first; i != first + jobs_of_call; ++i)
            account_.acknowledge_push(record(me, true, i));
    }

    std::vector<bool> anonymous_; ///< pushes without an id: whether they were acknowledged
};

} // namespace

std::unique_ptr<scene> make_in_doubt(simulation& all, const scene_options& how)
{
    return std::make_unique<in_doubt_scene>(all, how);
}

} // namespace coworker::test
