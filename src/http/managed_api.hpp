#pragma once

#include "coworker/inspector.hpp"
#include "coworker/managed_client.hpp"
#include "http/page.hpp"
#include "http/prometheus.hpp"
#include "http/rates.hpp"
#include "http/turns.hpp"

#include <optional>
#include <span>
#include <string>
#include <vector>

namespace coworker::detail {

/// Answers requests about managed queues.
class managed_api
{
public:
    /// @throws system_error  `errc::invalid_option`
    managed_api(const client& redis, const std::string& prefix, turns& large_looks)
        : redis_{share(redis)}, client_{redis, {.prefix = prefix}},
          inspector_{redis, {.managed_prefix = prefix}}, large_looks_{&large_looks}
    {}

    // What the table of routes names. The request outlives the call.

    // managed_look.cpp
    asio::awaitable<answer> queues(const routed& where);
    asio::awaitable<answer> queue(const routed& where);
    asio::awaitable<answer> statistics(const routed& where);
    asio::awaitable<answer> jobs(const routed& where);
    asio::awaitable<answer> groups(const routed& where);
    asio::awaitable<answer> failed(const routed& where);
    asio::awaitable<answer> job(const routed& where);
    asio::awaitable<answer> workers(const routed& where);

    // managed_act.cpp
    asio::awaitable<answer> pause(const routed& where);
    asio::awaitable<answer> resume(const routed& where);
    asio::awaitable<answer> retry(const routed& where);
    asio::awaitable<answer> remove(const routed& where);

    /// Adds what is to be known of queues and failures. Throws when Redis cannot do its part; some metrics may be
    /// missing then.
    asio::awaitable<void> write_metrics(prometheus_text& out);

private:
    /// What is told of a queue beside its counts.
    struct queue_figures
    {
        std::optional<job_rates> rates;
        std::chrono::microseconds latency;
    };
    asio::awaitable<std::vector<queue_figures>> figures_of(std::span<const managed_queue_counts> queues);
    asio::awaitable<std::vector<std::string>> jids(const std::string& queue, managed_state state,
                                                   page_range range);
    asio::awaitable<void> add_jobs(page_writer& page, std::vector<std::string> jids,
                                   std::optional<managed_state> state);
    asio::awaitable<void> add_part(page_writer& page, std::vector<std::string> jids,
                                   std::optional<managed_state> state);

    detail::connection& redis() const noexcept { return connection_of(redis_); }
    const std::string& prefix() const noexcept { return client_.options().prefix; }

    client redis_;
    managed_client client_;
    inspector inspector_;
    turns* large_looks_;
    rate_meter rates_;
};

} // namespace coworker::detail
