// SPDX-License-Identifier: MIT
#include "redis/cluster/cluster.hpp"
#include "redis/confirming_connection/confirming_connection.hpp"
#include "redis/counted_call.hpp"

#include <boost/redis/request.hpp>

/// Writes that are confirmed: each node has a second connection for them, and confirms what it has carried out itself.
namespace coworker::detail {
namespace {

namespace redis = boost::redis;

/// Whether an error says that this node is of no use now, but another may be, or it itself later.
bool is_passing(const error_code& ec)
{
    return ec == errc::unavailable || ec == errc::read_only_server || ec == errc::stopped;
}

} // namespace

asio::awaitable<void> cluster::exec_confirmed(const redis::request& request, reply& answers,
                                              const durability& wanted, std::exception_ptr& unconfirmed,
                                              std::optional<std::uint16_t> home)
{
    unconfirmed = nullptr;
    const confirmed_call how{wanted, unconfirmed};
    const auto deadline = deadline_of(patience::command_timeout);
    co_await exec_routed(request, answers, patience::command_timeout, deadline, home, &how);
}

/// Returns why what was carried out is not confirmed. Throws `errc::unavailable` if nothing was written.
///
/// @param deadline  of a call that is not confirmed. The node has longer for confirming what it carries out.
asio::awaitable<std::exception_ptr> cluster::exec_confirmed_at(node_ptr node, const redis::request& request,
                                                               reply& answers, const durability& wanted,
                                                               clock::time_point deadline)
{
    const auto link = confirming_connection::of(*node->link(), wanted);
    try {
        co_await link->ready_by(deadline);
    } catch (const system_error& error) {
        if (is_stopping_ || !is_passing(error.code()))
            throw;
        throw system_error{errc::unavailable};
    }
    if (deadline != clock::time_point::max())
        deadline += link->command_timeout() - options_.command_timeout;
    std::exception_ptr unconfirmed;
    co_await link->exec_confirmed_by(deadline, request, answers, unconfirmed);
    co_return unconfirmed;
}

} // namespace coworker::detail
