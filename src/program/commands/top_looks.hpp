#pragma once

#include "program/commands/queue_look.hpp"

#include <set>
#include <string>
#include <vector>

namespace coworker::cli {

/// Looks at queues again and again, at a cost that does not grow with the jobs in them.
///
/// @par Lifetime  The session and the settings must outlive it.
class top_looks
{
public:
    /// @param queues  none: all there are
    top_looks(session& redis, const server_settings& server, std::vector<queue_name> queues);

    struct seen
    {
        timestamp time; ///< the server's
        std::vector<queue_look> queues;
        std::optional<std::uint64_t> managed_workers; ///< if a managed queue is among the queues
    };
    asio::awaitable<seen> look();

private:
    asio::awaitable<void> find_queues();
    asio::awaitable<void> add_list_queues(seen& result);
    asio::awaitable<void> add_managed_queues(seen& result);

    session& redis_;
    const server_settings& server_;
    const bool all_;
    std::set<std::string> list_queues_, managed_queues_;
    std::set<std::string> found_; ///< in this round through the keys
    std::string cursor_ = "0";
    bool has_looked_ = false;
};

} // namespace coworker::cli
