// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job_source.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <functional>
#include <list>
#include <string>
#include <vector>

namespace coworker::test {

/// A user's own source of jobs, without Redis: hands out `jobs`, remembers how they ended, and throws where it is told
/// to. Shared, since the worker owns the source itself.
struct source_script
{
    std::list<fetched_job> jobs;       ///< to be handed out
    std::vector<std::string> settled;  ///< id and outcome of each, in order
    std::string throws;                ///< the name of the call that throws what nobody expects
    std::function<void()> before_take; ///< called when a call for jobs has been sent, so to say
    std::chrono::milliseconds answer_time{0};
    bool unanswered = false;                    ///< the next ack_and_fetch is
    bool reconciles = false;                    ///< and takes its time for that
    bool renews = true;                         ///< else it refuses to
    std::chrono::milliseconds lease{}, grace{}; ///< what the monitor was told last

    void add(const std::string& id, const std::string& text, std::chrono::milliseconds lease_time = {})
    {
        fetched_job job;
        job.body = id + text;
        job.id_range = {0, id.size()};
        job.text_range = {id.size(), text.size()};
        job.lease = std::make_shared<const std::string>("token");
        job.lease_time = lease_time;
        jobs.push_back(std::move(job));
    }
};

class own_source : public job_source
{
public:
    own_source(std::string name, source_script& script) : name_{std::move(name)}, script_{script} {}

    const std::string& name() const noexcept override { return name_; }

    asio::awaitable<void> open() override
    {
        may_throw("open");
        co_return;
    }

    asio::awaitable<fetch_result> ack_and_fetch(std::span<const acknowledgement> settled,
                                                std::size_t count) override
    {
        may_throw("ack_and_fetch");
        if (std::exchange(script_.unanswered, false))
            throw system_error{errc::in_doubt};
        fetch_result result;
        for (const auto& each : settled)
            script_.settled.push_back(std::string{each.job->id()} + ' ' + name_of(each.result->what()));
        while (result.fetched.size() < count && !script_.jobs.empty()) {
            result.fetched.push_back(std::move(script_.jobs.front()));
            script_.jobs.pop_front();
        }
        if (!result.fetched.empty()) {
            if (script_.before_take)
                script_.before_take();
            if (script_.answer_time.count() > 0)
                co_await pass(script_.answer_time);
        }
        co_return result;
    }

    asio::awaitable<std::vector<std::size_t>> renew(std::span<fetched_job* const>) override
    {
        may_throw("renew");
        if (!script_.renews)
            throw system_error{errc::command_refused};
        co_return std::vector<std::size_t>{};
    }

    asio::awaitable<void> reconcile(std::span<const fetched_job* const>) override
    {
        may_throw("reconcile");
        script_.reconciles = true;
        co_await pass(std::chrono::milliseconds{50});
    }

    asio::awaitable<recovery> recover(std::chrono::milliseconds lease,
                                      std::chrono::milliseconds grace) override
    {
        may_throw("recover");
        script_.lease = lease;
        script_.grace = grace;
        recovery nothing;
        nothing.idle = true;
        co_return nothing;
    }

    asio::awaitable<wake_up> wait_for_jobs() override
    {
        may_throw("wait_for_jobs");
        while (script_.jobs.empty())
            co_await pass(std::chrono::milliseconds{5});
        co_return wake_up::ready;
    }

    asio::awaitable<void> wait_for_leases() override
    {
        may_throw("wait_for_leases");
        co_await pass(std::chrono::hours{1});
    }

    asio::awaitable<std::vector<std::string>> wait_for_losses() override
    {
        may_throw("wait_for_losses");
        co_await pass(std::chrono::hours{1});
        co_return std::vector<std::string>{};
    }

    asio::awaitable<void> close() override
    {
        may_throw("close");
        co_return;
    }

private:
    static asio::awaitable<void> pass(std::chrono::milliseconds time)
    {
        asio::steady_timer timer{co_await asio::this_coro::executor, time};
        co_await timer.async_wait(asio::use_awaitable);
    }

    static std::string name_of(outcome::kind kind)
    {
        return kind == outcome::kind::success   ? "success"
               : kind == outcome::kind::release ? "release"
                                                : "other";
    }

    void may_throw(const char* call) const
    {
        if (script_.throws == call)
            throw std::runtime_error{std::string{"thrown by "} + call};
    }

    std::string name_;
    source_script& script_;
};

} // namespace coworker::test
