// SPDX-License-Identifier: MIT
#pragma once

#include "redis/connection/connection.hpp"
#include "redis/missing_nodes.hpp"

#include <boost/redis/request.hpp>

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace coworker::detail {

/// Looks at a server or, in a cluster, at all nodes that can be reached: one that is away, or does not answer within a
/// second, is not asked again, and its name is kept. On one server all calls are those of the connection.
class survey
{
public:
    /// What is done about nodes that do not answer.
    enum class absence
    {
        is_noted,
        is_waited_for, ///< they are waited for, and calls fail, as those of the connection do
    };

    /// The connection has to outlive it.
    explicit survey(connection& redis, absence of_nodes = absence::is_noted) noexcept
        : redis_{redis}, of_nodes_{of_nodes}
    {}

    connection& redis() const noexcept { return redis_; }

    /// Sends commands, each of which has a key. The answers to those whose node is missing are errors,
    /// `is_of_missing_node`.
    asio::awaitable<void> exec(const boost::redis::request& request, reply& answers);
    /// Calls a script that only reads with each of these arguments. Answers as `exec`; throws for other errors.
    asio::awaitable<reply> call_each(const script& what, std::span<const script_arguments> calls);
    /// Sends a request to one of the primaries, in the order of their addresses.
    asio::awaitable<node_answer> exec_on_nth(std::size_t which, const boost::redis::request& request,
                                             reply& answers);
    /// Sends a request to each primary, and returns what those answered that are not missing.
    asio::awaitable<std::vector<reply>> exec_on_each(const boost::redis::request& request);

    /// Sends what has no key to one of those that answer.
    asio::awaitable<void> exec_on_any(const boost::redis::request& request, reply& answers);

    /// Those that did not answer.
    std::vector<std::string> missing() const { return {missing_.begin(), missing_.end()}; }
    bool is_complete() const noexcept { return missing_.empty(); }
    /// Whether any has.
    bool is_answered() const noexcept { return is_answered_; }

private:
    bool notes() const noexcept { return of_nodes_ == absence::is_noted && redis_.in_cluster(); }

    connection& redis_;
    absence of_nodes_;
    node_names missing_;
    bool is_answered_ = false;
};

/// Throws the error of an answer, unless its node is missing.
void throw_if_refused(const reply::answer& answer);

} // namespace coworker::detail
