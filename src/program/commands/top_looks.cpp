#include "program/commands/top_looks.hpp"

#include "list/find_queues.hpp"
#include "managed/browse.hpp"
#include "redis/server_time.hpp"

#include <coworker/managed_client.hpp>

#include <utility>

namespace coworker::cli {

top_looks::top_looks(session& redis, const server_settings& server, std::vector<queue_name> queues)
    : redis_{redis}, server_{server}, all_{queues.empty()}
{
    for (auto& queue : queues)
        (queue.managed ? managed_queues_ : list_queues_).insert(std::move(queue.name));
}

asio::awaitable<void> top_looks::find_queues()
{
    // All keys before the first look; later a few at each, since a managed queue has a key for each job.
    constexpr int steps_at_a_look = 10;
    for (int steps = 0; !has_looked_ || steps != steps_at_a_look; ++steps) {
        cursor_ = co_await detail::find_queues(redis_.client(), std::move(cursor_), found_);
        list_queues_.insert(found_.begin(), found_.end());
        if (cursor_ == "0") {
            list_queues_ = std::exchange(found_, {});
            break;
        }
    }
    has_looked_ = true;
}

asio::awaitable<void> top_looks::add_list_queues(seen& result)
{
    std::vector<std::string> names(list_queues_.begin(), list_queues_.end());
    result.queues = co_await look_at_list_queues(redis_, std::move(names));
}

asio::awaitable<void> top_looks::add_managed_queues(seen& result)
{
    managed_client client{redis_, server_.managed()};
    auto queues = co_await client.queues();
    const auto options = server_.managed();
    for (auto& counts : queues) {
        if (!all_ && !managed_queues_.contains(counts.name))
            continue;
        auto look = co_await look_at_managed_queue(redis_, options, std::move(counts));
        co_await add_totals(redis_, options, result.time, look);
        result.queues.push_back(std::move(look));
        result.managed_workers = 0;
    }
    if (result.managed_workers) {
        const auto workers = co_await detail::present_workers(redis_.client(), options.prefix);
        result.managed_workers = workers.size();
    }
}

asio::awaitable<top_looks::seen> top_looks::look()
{
    seen result;
    result.time = co_await detail::server_time(redis_.client());
    if (all_)
        co_await find_queues();
    co_await add_list_queues(result);
    if (all_ || !managed_queues_.empty())
        co_await add_managed_queues(result);
    co_return result;
}

} // namespace coworker::cli
