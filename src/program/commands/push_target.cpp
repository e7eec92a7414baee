// SPDX-License-Identifier: MIT
#include "program/commands/push_target.hpp"

#include <coworker/inspector.hpp>
#include <coworker/list_queue.hpp>
#include <coworker/managed_queue.hpp>

#include <algorithm>
#include <utility>

namespace coworker::program {
namespace {

class list_target : public push_target
{
public:
    list_target(const client& redis, const push_plan& plan)
        : queue_{raw_list_queue{redis, plan.queue.name()}.with(plan.durability)}
    {
        options_.delay = plan.delay;
        options_.at = plan.at;
    }

    asio::awaitable<push_counts> push(std::vector<line_job> jobs) override
    {
        push_counts counts;
        counts.queued = jobs.size();
        if (std::any_of(jobs.begin(), jobs.end(), [](const line_job& job) { return job.id.has_value(); }))
            counts.why_unconfirmed = co_await push_with_ids(std::move(jobs));
        else
            counts.why_unconfirmed = co_await push_without_ids(std::move(jobs));
        if (!counts.why_unconfirmed.empty())
            std::swap(counts.queued, counts.unconfirmed);
        co_return counts;
    }

private:
    /// Returns why they are not confirmed, or nothing.
    asio::awaitable<std::string> push_without_ids(std::vector<line_job> jobs)
    {
        std::vector<raw_json> texts;
        texts.reserve(jobs.size());
        for (auto& job : jobs)
            texts.emplace_back(std::move(job.json));
        std::string why_not;
        try {
            co_await queue_.async_push_many_json(std::move(texts), options_);
        } catch (const system_error& error) {
            if (error.code() != errc::unconfirmed)
                throw;
            why_not = text_of(error);
        }
        co_return why_not;
    }

    asio::awaitable<std::string> push_with_ids(std::vector<line_job> jobs)
    {
        std::vector<raw_push> identified;
        identified.reserve(jobs.size());
        for (auto& job : jobs)
            identified.emplace_back(raw_json{std::move(job.json)}, options_).options.id = std::move(*job.id);
        const auto results = co_await queue_.async_push_each_json(std::move(identified));
        co_return results.front().unconfirmed;
    }

    raw_list_queue queue_;
    push_options options_;
};

class managed_target : public push_target
{
public:
    managed_target(client& redis, const server_settings& server, push_plan plan)
        : server_{redis}, plan_{std::move(plan)},
          queue_{managed_queue{redis, plan_.queue.name(), server.managed()}.with(plan_.durability)}
    {}

    asio::awaitable<push_counts> push(std::vector<line_job> jobs) override
    {
        auto delay = plan_.delay;
        if (plan_.at) {
            const auto now = co_await server_.async_server_time();
            delay = std::chrono::ceil<std::chrono::milliseconds>(*plan_.at - now);
        }
        std::vector<new_managed_job> puts;
        puts.reserve(jobs.size());
        for (auto& job : jobs) {
            auto& put = puts.emplace_back();
            put.kind = plan_.kind.empty() ? std::move(job.kind) : plan_.kind;
            put.data = std::move(job.json);
            put.options = plan_.options;
            put.options.jid = job.id;
            put.options.delay = std::max(delay, std::chrono::milliseconds{0});
        }
        const auto results = co_await queue_.async_push_each(puts);
        co_return count(results, jobs);
    }

private:
    push_counts count(const std::vector<push_result>& results, const std::vector<line_job>& jobs) const
    {
        const bool refuses = plan_.options.unique.conflict == on_conflict::refuse;
        push_counts counts;
        for (std::size_t i = 0; i != results.size(); ++i) {
            const auto& each = results[i];
            if (!each.pushed && refuses && each.id != jobs[i].id) {
                counts.refused.emplace_back(jobs[i].line, each.id);
            } else if (!each.unconfirmed.empty()) {
                ++counts.unconfirmed;
                counts.why_unconfirmed = each.unconfirmed;
            } else {
                ++(each.pushed ? counts.queued : each.replaced ? counts.replaced : counts.kept);
            }
        }
        return counts;
    }

    inspector server_; ///< for its clock
    push_plan plan_;
    managed_queue queue_;
};

} // namespace

std::unique_ptr<push_target> make_push_target(client& redis, const server_settings& server, push_plan plan)
{
    if (plan.queue.is_managed())
        return std::make_unique<managed_target>(redis, server, std::move(plan));
    return std::make_unique<list_target>(redis, std::move(plan));
}

} // namespace coworker::program
