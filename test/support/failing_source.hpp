// SPDX-License-Identifier: MIT
#pragma once

#include "support/coroutine.hpp"

#include "coworker/error.hpp"
#include "coworker/job_context.hpp"
#include "coworker/job_source.hpp"

#include <boost/asio/redirect_error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <chrono>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

namespace coworker::test {

/// Which call of a source fails, once, and how.
struct failing_call
{
    std::string name; ///< of the function; "fetch" or "acknowledge" for `ack_and_fetch`
    error_code code;
    bool is_carried_out = false;      ///< and only its answer is lost
    std::map<std::string, int> calls; ///< how often each was called
    error_code told_to_handler{};     ///< of a call that a handler makes: how its first one ended

    bool was_called_again() const
    {
        const auto found = calls.find(name);
        return found != calls.end() && found->second > 1;
    }
    /// The worker makes none of these by itself.
    bool is_made_by_handlers() const { return name == "read_checkpoint" || name == "read_result"; }
    /// Only while a job runs.
    bool is_made_in_runs() const { return name == "renew" || name == "store_notes" || is_made_by_handlers(); }
};

/// Makes the call that fails, if handlers make it, and catches what it throws.
inline asio::awaitable<void> call_as_handler(failing_call& plan, job_context& context)
{
    error_code ec;
    const auto token = asio::redirect_error(asio::use_awaitable, ec);
    if (plan.name == "read_checkpoint")
        (void)co_await context.async_checkpoint<std::string>(token);
    else
        (void)co_await context.async_parent_result<std::optional<std::string>>(context.id(), token);
    if (plan.calls[plan.name] == 1)
        plan.told_to_handler = ec;
}

/// A handler that runs for two seconds. One whose job is to have a call made during its run, such as a renewal or the
/// storing of notes, runs until that has failed and is made again.
inline auto run_until_called_again(std::shared_ptr<failing_call> plan, bool fails_in_run)
{
    return
        [plan = std::move(plan), fails_in_run](std::string, job_context& context) -> asio::awaitable<void> {
            for (int i = 0; i < 20 || (fails_in_run && !plan->was_called_again()); ++i) {
                context.set_progress(i % 20 / 20.0);
                if (plan->is_made_by_handlers())
                    co_await call_as_handler(*plan, context);
                co_await let_pass(std::chrono::milliseconds{100});
            }
        };
}

/// A source of any kind, one call of which fails. Where `reconcile` is to, the first fetch is in doubt.
class failing_source final : public job_source
{
public:
    failing_source(std::unique_ptr<job_source> inner, std::shared_ptr<failing_call> plan)
        : inner_{std::move(inner)}, plan_{std::move(plan)}
    {}

    abilities can() const noexcept override { return inner_->can(); }
    const std::string& name() const noexcept override { return inner_->name(); }
    std::string identity() const override { return inner_->identity(); }
    std::shared_ptr<source_connection> connection() override { return inner_->connection(); }
    std::chrono::milliseconds lease_time(std::chrono::milliseconds asked) noexcept override
    {
        return inner_->lease_time(asked);
    }
    std::string schedules() const override { return inner_->schedules(); }
    void check_effect(const effect& what) const override { inner_->check_effect(what); }

    asio::awaitable<void> open() override
    {
        begin("open");
        co_await inner_->open();
        end("open");
    }
    asio::awaitable<fetch_result> ack_and_fetch(std::span<const acknowledgement> acks,
                                                std::size_t count) override
    {
        const std::string call = acks.empty() ? "fetch" : "acknowledge";
        begin(call);
        if (plan_->name == "reconcile" && call == "fetch" && plan_->calls[call] == 1)
            throw system_error{errc::in_doubt};
        auto result = co_await inner_->ack_and_fetch(acks, count);
        end(call);
        co_return result;
    }
    asio::awaitable<std::vector<std::size_t>> renew(std::span<fetched_job* const> jobs) override
    {
        begin("renew");
        std::vector<std::shared_ptr<const std::string>> leases;
        for (const auto* job : jobs)
            leases.push_back(job->lease);
        auto lost = co_await inner_->renew(jobs);
        if (fails("renew")) // the new tokens are lost with the answer
            for (std::size_t i = 0; i != jobs.size(); ++i)
                jobs[i]->lease = std::move(leases[i]);
        end("renew");
        co_return lost;
    }
    asio::awaitable<void> reconcile(std::span<const fetched_job* const> held) override
    {
        begin("reconcile");
        co_await inner_->reconcile(held);
        end("reconcile");
    }
    asio::awaitable<recovery> recover(std::chrono::milliseconds lease,
                                      std::chrono::milliseconds grace) override
    {
        begin("recover");
        auto found = co_await inner_->recover(lease, grace);
        end("recover");
        co_return found;
    }
    asio::awaitable<std::vector<std::size_t>> store_notes(std::span<const job_note> notes) override
    {
        begin("store_notes");
        auto lost = co_await inner_->store_notes(notes);
        end("store_notes");
        co_return lost;
    }
    asio::awaitable<std::string> read_checkpoint(const fetched_job& job) override
    {
        begin("read_checkpoint");
        auto text = co_await inner_->read_checkpoint(job);
        end("read_checkpoint");
        co_return text;
    }
    asio::awaitable<std::vector<result<void>>> store_steps(std::span<const job_step> steps) override
    {
        begin("store_steps");
        auto results = co_await inner_->store_steps(steps);
        end("store_steps");
        co_return results;
    }
    asio::awaitable<std::map<std::string, std::string>> read_steps(const fetched_job& job) override
    {
        begin("read_steps");
        auto steps = co_await inner_->read_steps(job);
        end("read_steps");
        co_return steps;
    }
    asio::awaitable<std::string> read_result(std::string id, bool needed) override
    {
        begin("read_result");
        auto text = co_await inner_->read_result(std::move(id), needed);
        end("read_result");
        co_return text;
    }
    asio::awaitable<wake_up> wait_for_jobs() override
    {
        begin("wait_for_jobs");
        const auto why = co_await inner_->wait_for_jobs();
        end("wait_for_jobs");
        co_return why;
    }
    asio::awaitable<void> wait_for_leases() override
    {
        begin("wait_for_leases");
        co_await inner_->wait_for_leases();
        end("wait_for_leases");
    }
    asio::awaitable<std::vector<std::string>> wait_for_losses() override
    {
        begin("wait_for_losses");
        auto ids = co_await inner_->wait_for_losses();
        end("wait_for_losses");
        co_return ids;
    }
    asio::awaitable<std::vector<std::unique_ptr<job_source>>> wait_for_parts() override
    {
        begin("wait_for_parts");
        auto parts = co_await inner_->wait_for_parts();
        end("wait_for_parts");
        co_return parts;
    }
    asio::awaitable<void> run_schedules() override
    {
        begin("run_schedules");
        co_await inner_->run_schedules();
        end("run_schedules");
    }
    asio::awaitable<void> close() override
    {
        begin("close");
        co_await inner_->close();
        end("close");
    }

private:
    bool fails(const std::string& call) const { return call == plan_->name && plan_->calls.at(call) == 1; }
    void begin(const std::string& call)
    {
        ++plan_->calls[call];
        if (fails(call) && !plan_->is_carried_out)
            throw system_error{plan_->code};
    }
    void end(const std::string& call) const
    {
        if (fails(call))
            throw system_error{plan_->code};
    }

    std::unique_ptr<job_source> inner_;
    std::shared_ptr<failing_call> plan_;
};

} // namespace coworker::test
