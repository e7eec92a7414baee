#include "coworker/push_target.hpp"

#include <coworker/list_queue.hpp>
#include <coworker/managed_queue.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/deferred.hpp>
#include <boost/asio/experimental/parallel_group.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>

namespace coworker::cli {
namespace {

class list_target : public push_target
{
public:
    list_target(session& redis, push_plan plan) : queue_{redis, plan.queue.name}
    {
        options_.delay = plan.delay;
        options_.at = plan.at;
    }

    asio::awaitable<void> push(std::vector<line_job> jobs) override
    {
        if (std::any_of(jobs.begin(), jobs.end(), [](const line_job& job) { return job.id.has_value(); }))
            return push_with_ids(std::move(jobs));
        return push_without_ids(std::move(jobs));
    }

private:
    asio::awaitable<void> push_without_ids(std::vector<line_job> jobs)
    {
        std::vector<raw_json> texts;
        texts.reserve(jobs.size());
        for (auto& job : jobs)
            texts.emplace_back(std::move(job.json));
        co_await queue_.push_json(std::move(texts), options_);
    }

    /// Ids go one by one, but many are on their way at a time; in order, since the session keeps it.
    asio::awaitable<void> push_with_ids(std::vector<line_job> jobs)
    {
        constexpr std::size_t at_a_time = 512;
        const auto executor = co_await asio::this_coro::executor;
        for (std::size_t begin = 0; begin < jobs.size(); begin += at_a_time) {
            using operation = decltype(asio::co_spawn(executor, push_one(jobs[0]), asio::deferred));
            std::vector<operation> operations;
            for (auto i = begin; i != std::min(begin + at_a_time, jobs.size()); ++i)
                operations.push_back(asio::co_spawn(executor, push_one(jobs[i]), asio::deferred));
            auto group = asio::experimental::make_parallel_group(std::move(operations));
            auto ended = group.async_wait(asio::experimental::wait_for_all{}, asio::use_awaitable);
            const auto results = co_await std::move(ended);
            for (const auto& error : std::get<1>(results))
                if (error)
                    std::rethrow_exception(error);
        }
    }

    asio::awaitable<std::string> push_one(line_job& job)
    {
        auto options = options_;
        options.id = *job.id;
        return queue_.push_json(raw_json{std::move(job.json)}, options);
    }

    raw_list_queue queue_;
    push_options options_;
};

class managed_target : public push_target
{
public:
    managed_target(session& redis, const server_settings& server, push_plan plan)
        : redis_{redis}, plan_{std::move(plan)}, queue_{redis, plan_.queue.name, server.managed()}
    {}

    asio::awaitable<void> push(std::vector<line_job> jobs) override
    {
        auto delay = plan_.delay;
        if (plan_.at) {
            const auto now = co_await server_time(redis_);
            delay = std::chrono::ceil<std::chrono::milliseconds>(*plan_.at - now);
        }
        std::vector<new_managed_job> puts;
        puts.reserve(jobs.size());
        for (auto& job : jobs) {
            auto& put = puts.emplace_back();
            put.klass = plan_.klass.empty() ? std::move(job.klass) : plan_.klass;
            put.data = std::move(job.json);
            put.jid = std::move(job.id);
            put.priority = plan_.priority;
            put.delay = std::max(delay, std::chrono::milliseconds{0});
            put.tags = plan_.tags;
        }
        co_await queue_.put_many(puts);
    }

private:
    session& redis_;
    push_plan plan_;
    managed_queue queue_;
};

} // namespace

std::unique_ptr<push_target> make_push_target(session& redis, const server_settings& server, push_plan plan)
{
    if (plan.queue.managed)
        return std::make_unique<managed_target>(redis, server, std::move(plan));
    return std::make_unique<list_target>(redis, std::move(plan));
}

} // namespace coworker::cli
