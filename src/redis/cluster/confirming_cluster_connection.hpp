// SPDX-License-Identifier: MIT
#pragma once

#include "redis/cluster/cluster_connection.hpp"

namespace coworker::detail {

/// Another way through a cluster, or to the same slot, for writes that are confirmed: each node confirms what it has
/// carried out, over a `confirming_connection` of its own.
class confirming_cluster_connection final : public cluster_connection
{
public:
    /// Use `connection::confirming`.
    confirming_cluster_connection(const cluster_connection& beside, const durability& wanted)
        : cluster_connection{beside, beside.slot()}, wanted_{wanted}
    {}

    asio::awaitable<void> exec(const boost::redis::request& request, reply& answers,
                               patience how_long = patience::command_timeout) override;
    asio::awaitable<void> exec_confirmed(const boost::redis::request& request, reply& answers,
                                         std::exception_ptr& unconfirmed) override;

private:
    durability wanted_;
};

} // namespace coworker::detail
