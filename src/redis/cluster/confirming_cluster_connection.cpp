// SPDX-License-Identifier: MIT
#include "redis/cluster/confirming_cluster_connection.hpp"

#include "redis/cluster/cluster.hpp"

namespace coworker::detail {

std::shared_ptr<connection> cluster_connection::make_confirming(const durability& wanted)
{
    return std::make_shared<confirming_cluster_connection>(*this, wanted);
}

asio::awaitable<void> confirming_cluster_connection::exec(const boost::redis::request& request,
                                                          reply& answers, patience)
{
    return exec_and_judge(request, answers);
}

asio::awaitable<void> confirming_cluster_connection::exec_confirmed(const boost::redis::request& request,
                                                                    reply& answers,
                                                                    std::exception_ptr& unconfirmed)
{
    const auto self = shared_from_this(); // the client may be destroyed meanwhile
    check_thread();
    co_await whole()->exec_confirmed(request, answers, wanted_, unconfirmed, slot());
}

} // namespace coworker::detail
