// SPDX-License-Identifier: MIT
#include "simulation/scenes/http_client.hpp"
#include "simulation/scenes/scenes.hpp"

#include <coworker/gateway.hpp>

#include <boost/asio/experimental/awaitable_operators.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>
#include <boost/json/serialize.hpp>

#include <algorithm>
#include <utility>

namespace coworker::test {

namespace {

using namespace std::chrono_literals;
namespace json = boost::json;

constexpr int port_of_gateway = 8080;
constexpr nanoseconds limit_of_call = 20 * second;

/// A job that a worker over HTTP has.
struct taken_job
{
    std::string queue, id, token; ///< queue: as it stands in a path
    unsigned attempt = 1;
    nanoseconds renewed = 0; ///< before the request was sent
};

/// Workers over HTTP take jobs through a gateway, beside a worker of the library. All of these are killed, and their
/// connections are cut.
class remote_scene : public scene
{
public:
    using scene::scene;

private:
    void begin() override
    {
        behaviour_.longest = 5s;
        behaviour_.releases = 0;
        auto& faults = all_.network().faults;
        faults.cut = 0.002;
        faults.hold = 0.002;
        faults.silence = 0.0002;
        start_workers(1);
        auto& gate =
            *workers_.emplace_back(&add("gateway", [this](simulated_process& me) { return serve(me); }));
        all_.network().serve(gate, port_of_gateway);
        all_.start(gate);
        for (const auto* const name : {"remote-1", "remote-2"})
            all_.start(*workers_.emplace_back(
                &add(name, [this](simulated_process& me) { return work_remotely(me); })));
        begin_misfortune({.read_only = 0}, 3 * minute);
        all_.start(add_producer(
            "producer", [this](simulated_process& me) { return push_all(me, jobs_or(100), storm()); }));
        all_.start(add_checker());
    }

    nanoseconds storm() const override { return 15 * minute; }
    std::vector<std::string> may_leave() const override
    {
        return {"ql:workers", "hworker-remote-numbers"}; // of workers without a connection of their own
    }

    asio::awaitable<void> serve(simulated_process& me)
    {
        client redis{co_await asio::this_coro::executor, options_for(me)};
        gateway_options options;
        options.port = port_of_gateway;
        options.lease = handling().lease;
        options.effect_keys = text_list{"effects"};
        options.shutdown_timeout = option_duration{5'000};
        gateway door{redis, std::move(options)};
        me.stop = [&door] { door.stop(); };
        co_await door.async_run(asio::use_awaitable);
    }

    asio::awaitable<void> work_remotely(simulated_process& me)
    {
        using namespace asio::experimental::awaitable_operators;
        bool goes_on = true;
        me.stop = [&goes_on] { goes_on = false; };
        co_await (take_turns(me, "/v1/queues/numbers", goes_on) &&
                  take_turns(me, "/v1/queues/managed:letters", goes_on));
    }

    /// One job after the other.
    asio::awaitable<void> take_turns(simulated_process& me, std::string queue, bool& goes_on)
    {
        http_client gate{co_await asio::this_coro::executor};
        while (goes_on) {
            const auto before = all_.now();
            const json::value wanted = json::object{{"worker", me.name}, {"count", 1}, {"wait", "10s"}};
            auto answer = co_await call(me, gate, queue + "/take", wanted);
            if (answer.status != 200) {
                if (answer.status != 0 && answer.status != 503)
                    violate_answer(answer);
                co_await rest(second);
                continue;
            }
            for (const auto& each : answer.body.at("jobs").as_array()) {
                taken_job job{queue, json::value_to<std::string>(each.at("id")),
                              json::value_to<std::string>(each.at("token")),
                              json::value_to<unsigned>(each.at("attempt")), before};
                co_await run_remotely(me, gate, job);
            }
        }
    }

    /// Without an answer the status is zero.
    asio::awaitable<http_answer> call(simulated_process& me, http_client& gate, std::string path,
                                      json::value body)
    {
        http_answer answer;
        try {
            answer = co_await gate.post(std::move(path), std::move(body), limit_of_call);
        } catch (const std::exception& error) {
            all_.tell(me.name, std::string{"hears nothing: "} + error.what());
        }
        co_return answer;
    }

    job_record& job_of(const taken_job& taken)
    {
        const bool is_managed = taken.queue.ends_with("managed:letters");
        auto& job = account_.of(is_managed ? "letters" : "numbers", taken.id);
        job.is_managed = is_managed;
        return job;
    }

    asio::awaitable<void> run_remotely(simulated_process& me, http_client& gate, taken_job& taken)
    {
        if (all_.now() - taken.renewed >= 25 * second)
            co_return; // it has stood still for longer than the lease, and somebody else may have the job
        auto& job = job_of(taken);
        const int run = account_.begin(job, taken.attempt);
        ++runs_over_http_;
        const auto plan = plan_run(behaviour_, how_.seed, job.queue + job.id, taken.attempt);
        for (auto left = plan.length.count() * millisecond; left > 0; left -= 5 * second) {
            co_await rest(std::min(left, 5 * second));
            const bool is_held = co_await renew(me, gate, taken);
            if (!is_held)
                co_return;
        }
        json::object end{{"outcome", "success"}};
        const bool ends = plan.how == run_plan::end::succeeds || plan.how == run_plan::end::fails;
        if (!ends)
            end = {{"outcome", "retry"}, {"message", "not yet"}, {"delay", "3s"}};
        else if (plan.how == run_plan::end::fails)
            end = {{"outcome", "failure"}, {"message", "never"}};
        else if (job.has_effect)
            end["effects"] = json::array{
                json::object{{"command", json::value_from(account::effect_of(job.queue, job.id, run))}}};
        if (ends)
            account_.conclude(job, run, plan.how == run_plan::end::succeeds);
        co_await acknowledge(me, gate, taken, std::move(end));
    }

    /// @return whether the job is still this worker's
    asio::awaitable<bool> renew(simulated_process& me, http_client& gate, taken_job& taken)
    {
        const auto before = all_.now();
        const json::value wanted = json::object{{"token", taken.token}};
        auto answer = co_await call(me, gate, taken.queue + "/renew", wanted);
        if (answer.status == 200) {
            taken.token = json::value_to<std::string>(answer.body.at("token"));
            taken.renewed = before;
        }
        co_return answer.status != 409 && all_.now() - taken.renewed < 25 * second;
    }

    asio::awaitable<void> acknowledge(simulated_process& me, http_client& gate, const taken_job& taken,
                                      json::object end)
    {
        end["token"] = taken.token;
        const bool succeeds = end["outcome"] == "success";
        for (http_answer answer; answer.status == 0 || answer.status == 503;) {
            answer = co_await call(me, gate, taken.queue + "/acknowledge", end);
            if (answer.status == 0 || answer.status == 503) {
                co_await rest(second);
                continue;
            }
            if (answer.status == 200 && succeeds) {
                account_.hear({.kind = event_kind::succeeded,
                               .queue = job_of(taken).queue,
                               .job_id = taken.id,
                               .attempt = taken.attempt},
                              nullptr);
            } else if (answer.status != 200 && answer.status != 409) {
                violate_answer(answer);
            }
        }
    }

    void violate_answer(const http_answer& answer)
    {
        account_.violate("the gateway answers with " + std::to_string(answer.status) + ": " +
                         json::serialize(answer.body));
    }

    void check_end() override
    {
        if (runs_over_http_ == 0)
            account_.violate("no job was taken over HTTP");
        all_.tell("gateway", "has given out " + std::to_string(runs_over_http_) + " runs");
    }

    int runs_over_http_ = 0;
};

} // namespace

std::unique_ptr<scene> make_remote(simulation& all, const scene_options& how)
{
    return std::make_unique<remote_scene>(all, how);
}

} // namespace coworker::test
