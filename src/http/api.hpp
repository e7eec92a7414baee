#pragma once

#include "coworker/gateway.hpp"
#include "coworker/list_queue.hpp"
#include "http/guard.hpp"
#include "http/managed_api.hpp"
#include "http/rates.hpp"
#include "http/route.hpp"
#include "http/submission.hpp"
#include "http/turns.hpp"
#include "list/find_queues.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <map>
#include <string>
#include <vector>

namespace coworker::detail {

/// Errors come with what Redis said, for those that need it.
inline constexpr auto awaited = with_diagnostics(asio::use_awaitable);

/// What the gateway has done, for its metrics.
struct gateway_counts
{
    std::map<unsigned, std::uint64_t> answers; ///< by status
    std::uint64_t connections = 0;             ///< open now
    std::uint64_t accepted = 0;                ///< since the start
    std::uint64_t timeouts = 0;                ///< clients that were too slow
    std::uint64_t evicted = 0;                 ///< idle connections closed to let others in
};

/// Answers requests. Knows nothing of sockets.
class api
{
public:
    api(const client& redis, const gateway_options& options);

    /// Looks at the header only, so that a body that nobody wants need not be read.
    /// @throws refusal
    routed admit(const request_data& header) const;

    /// Does what is asked. Throws only when it is cancelled.
    asio::awaitable<answer> handle(routed where, request_data request);

    gateway_counts& counts() noexcept { return counts_; }
    managed_api& managed() noexcept { return managed_; }

    // What the table of routes names. The request outlives the call.

    asio::awaitable<answer> health(const routed& where);
    asio::awaitable<answer> description(const routed& where);
    asio::awaitable<answer> file(const routed& where);
    asio::awaitable<answer> metrics(const routed& where); // metrics.cpp
    asio::awaitable<answer> push(const routed& where);    // push.cpp

    // look.cpp
    asio::awaitable<answer> ready(const routed& where);
    asio::awaitable<answer> queues(const routed& where);
    asio::awaitable<answer> queue(const routed& where);
    asio::awaitable<answer> waiting(const routed& where);
    asio::awaitable<answer> scheduled(const routed& where);
    asio::awaitable<answer> in_progress(const routed& where);
    asio::awaitable<answer> failed(const routed& where);
    asio::awaitable<answer> broken(const routed& where);

    // act.cpp
    asio::awaitable<answer> pause(const routed& where);
    asio::awaitable<answer> resume(const routed& where);
    asio::awaitable<answer> delete_waiting(const routed& where);
    asio::awaitable<answer> delete_scheduled(const routed& where);
    asio::awaitable<answer> retry_failed(const routed& where);
    asio::awaitable<answer> delete_failed(const routed& where);
    asio::awaitable<answer> retry_broken(const routed& where);
    asio::awaitable<answer> delete_broken(const routed& where);

private:
    asio::awaitable<std::vector<answer>> push_part(const std::string& type,
                                                   std::span<const submitted_job> jobs);
    asio::awaitable<void> register_type(const std::string& type);

    std::string describe_queue(const std::string& name, const list_queue_sizes& sizes);

    /// Names of queues from a cursor on, and the next cursor or 0.
    struct name_page
    {
        std::vector<std::string> names;
        std::uint64_t next = 0;
    };
    asio::awaitable<name_page> queue_names(std::uint64_t cursor, std::size_t count);

    client redis_;
    gateway_options options_;
    guard guard_;
    turns large_looks_;
    managed_api managed_;
    gateway_counts counts_;
    rate_meter rates_;
    queue_finder finder_;
    /// Types that Redis has been told of, and when.
    std::map<std::string, std::chrono::steady_clock::time_point> registered_;
};

/// What a client is told of an error of Redis, or of the connection to it.
answer problem_of(const system_error& error);

} // namespace coworker::detail
