// SPDX-License-Identifier: MIT
#include "redis/client_address.hpp"
#include "redis/cluster/cluster_connection.hpp"
#include "redis/server_connection/server_connection.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/strand.hpp>
#include <boost/asio/thread_pool.hpp>

#include <utility>

/// Which connection a client has, and where it runs.
namespace coworker::detail {
namespace {

/// Where a client runs that was given `executor`.
asio::any_io_executor executor_for(asio::any_io_executor executor, bool thread_safe)
{
    if (thread_safe) {
        // A strand of the context itself costs half of what one of a type-erased executor does.
        if (const auto* context = executor.target<asio::io_context::executor_type>())
            return asio::make_strand(*context);
        return asio::make_strand(std::move(executor));
    }
    if (executor.target<asio::thread_pool::executor_type>() != nullptr)
        throw explained_error{
            errc::invalid_option,
            "a thread_pool runs several handlers at a time: set thread_safe, or give the client a strand"};
    return executor;
}

} // namespace

std::shared_ptr<connection> make_connection(asio::any_io_executor executor, client_options options)
{
    executor = executor_for(std::move(executor), options.thread_safe);
    auto where = client_address(options);
    if (where.nodes.empty())
        return std::make_shared<server_connection>(std::move(executor), std::move(options));
    return std::make_shared<cluster_connection>(std::move(executor), std::move(options), where);
}

} // namespace coworker::detail
