// SPDX-License-Identifier: MIT
#include "program/commands/push_target.hpp"

#include "program/exit_code.hpp"
#include "program/terminal/text_functions.hpp"
#include "json/error_sentence.hpp"
#include "json/push_usable.hpp"

#include <coworker/inspector.hpp>
#include <coworker/list_queue.hpp>
#include <coworker/managed_queue.hpp>

#include <algorithm>
#include <span>
#include <utility>

namespace coworker::program {
namespace {

class list_target : public push_target
{
public:
    list_target(const client& redis, const push_plan& plan)
        : queue_{raw_list_queue{redis,
                                plan.queue.name(),
                                {.max_waiting = plan.max_waiting, .waits_for_room = plan.waits_for_room}}
                     .with(plan.durability)}
    {
        options_.delay = plan.delay;
        options_.at = plan.at;
    }

    asio::awaitable<push_counts> push(std::vector<line_job> jobs) override
    {
        if (queue_.options().max_waiting != 0 ||
            std::any_of(jobs.begin(), jobs.end(),
                        [](const line_job& job) { return job.id.has_value() || !job.key.empty(); }))
            co_return co_await push_each(std::move(jobs));
        co_return co_await push_alike(std::move(jobs));
    }

private:
    /// Of those that are not confirmed, the ids are not known.
    asio::awaitable<push_counts> push_alike(std::vector<line_job> jobs)
    {
        push_counts counts;
        std::vector<raw_json> texts;
        texts.reserve(jobs.size());
        for (auto& job : jobs)
            texts.emplace_back(std::move(job.json));
        try {
            counts.ids = co_await queue_.async_push_many_json(std::move(texts), options_);
            counts.queued = counts.ids.size();
        } catch (const system_error& error) {
            if (error.code() != errc::unconfirmed)
                throw;
            counts.unconfirmed = jobs.size();
            counts.why_unconfirmed = text_of(error);
        }
        co_return counts;
    }

    asio::awaitable<push_counts> push_each(std::vector<line_job> jobs)
    {
        std::vector<raw_push> pushes;
        pushes.reserve(jobs.size());
        for (auto& job : jobs) {
            auto& options = pushes.emplace_back(raw_json{std::move(job.json)}, options_).options;
            if (job.id)
                options.id = std::move(*job.id);
            options.key = std::move(job.key);
        }
        push_counts counts;
        const auto results = co_await queue_.async_push_each_json(std::move(pushes));
        for (std::size_t i = 0; i != results.size(); ++i) {
            const auto& each = results[i];
            if (each.error) {
                counts.refused.emplace_back(jobs[i].line, text_of(system_error{each.error}));
                continue;
            }
            counts.ids.push_back(each.id);
            ++(each.unconfirmed.empty() ? counts.queued : counts.unconfirmed);
            if (!each.unconfirmed.empty())
                counts.why_unconfirmed = each.unconfirmed;
        }
        co_return counts;
    }

    raw_list_queue queue_;
    push_options options_;
};

class managed_target : public push_target
{
public:
    managed_target(client& redis, const server_settings& server, push_plan plan)
        : server_{redis}, plan_{std::move(plan)},
          queue_{managed_queue{redis, plan_.queue.name(), options_of(server, plan_)}.with(plan_.durability)}
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
        push_counts counts;
        co_await push(puts, jobs, counts);
        check_that_options_fit();
        co_return counts;
    }

private:
    static managed_options options_of(const server_settings& server, const push_plan& plan)
    {
        auto options = server.managed();
        options.waits_for_room = plan.waits_for_room;
        return options;
    }

    asio::awaitable<void> push(std::span<const new_managed_job> puts, std::span<const line_job> jobs,
                               push_counts& counts)
    {
        const auto tried = co_await detail::push_usable(queue_, puts);
        for (std::size_t i = 0; i != tried.size(); ++i) {
            const auto* const error = std::get_if<system_error>(&tried[i]);
            if (error == nullptr) {
                count(std::get<push_result>(tried[i]), jobs[i], counts);
                may_fit_no_job_ = false;
            } else if (detail::is_about_a_job(error->code())) {
                counts.refused.emplace_back(jobs[i].line, detail::words_of(*error));
                note_wrong(detail::words_of(*error));
            } else {
                throw *error;
            }
        }
    }

    void note_wrong(std::string why)
    {
        if (wrong_++ == 0)
            why_wrong_ = std::move(why);
        else if (why != why_wrong_)
            may_fit_no_job_ = false;
    }

    /// Gives up where it is the options that are wrong: when many jobs are, all of them from the first on and for the
    /// same reason.
    void check_that_options_fit() const
    {
        constexpr std::size_t many = 100;
        if (may_fit_no_job_ && wrong_ >= many)
            throw failure{exit_code::failed, "nothing has been queued, as none of the first " +
                                                 std::to_string(wrong_) + " jobs can be: " + why_wrong_};
    }

    static void count(const push_result& each, const line_job& job, push_counts& counts)
    {
        if (each.pushed)
            counts.ids.push_back(each.id);
        if (each.error == errc::not_unique) {
            counts.refused.emplace_back(job.line,
                                        "the job " + shortened(each.id, 64) + " has its unique key");
        } else if (each.error) {
            counts.refused.emplace_back(job.line, text_of({each.error, each.refusal}));
        } else if (!each.unconfirmed.empty()) {
            ++counts.unconfirmed;
            counts.why_unconfirmed = each.unconfirmed;
        } else {
            ++(each.pushed ? counts.queued : each.replaced ? counts.replaced : counts.kept);
        }
    }

    inspector server_; ///< for its clock
    push_plan plan_;
    managed_queue queue_;
    bool may_fit_no_job_ = true; ///< the options
    std::size_t wrong_ = 0;      ///< jobs that were not sent
    std::string why_wrong_;      ///< the first of them
};

} // namespace

std::unique_ptr<push_target> make_push_target(client& redis, const server_settings& server, push_plan plan)
{
    if (plan.queue.is_managed())
        return std::make_unique<managed_target>(redis, server, std::move(plan));
    return std::make_unique<list_target>(redis, std::move(plan));
}

} // namespace coworker::program
