// SPDX-License-Identifier: MIT
#pragma once

#include "redis/address.hpp"
#include "redis/connection/connection.hpp"

namespace coworker::detail {

/// A cluster as one connection: sends everything through `cluster`, which has a connection to each node. It makes the
/// parts in one slot.
class cluster_connection : public connection
{
public:
    cluster_connection(asio::any_io_executor executor, client_options options, const address& where);

    cluster* whole() const noexcept override { return cluster_.get(); }
    std::optional<std::uint16_t> slot() const noexcept override { return slot_; }
    std::shared_ptr<connection> for_queue(const std::string& name) override;
    std::shared_ptr<connection> for_prefix(const std::string& prefix) override;

    asio::awaitable<void> ready(patience how_long = patience::command_timeout) override;
    asio::awaitable<void> exec(const boost::redis::request& request, reply& answers,
                               patience how_long = patience::command_timeout) override;
    asio::awaitable<bool> exec_aside(const boost::redis::request& request, reply& answers,
                                     patience how_long = patience::command_timeout) override;

    clock::time_point connecting_since() const noexcept override;

    asio::awaitable<void> listen(channel_watch& watch,
                                 patience how_long = patience::command_timeout) override;
    asio::awaitable<void> unlisten(channel_watch& watch) override;
    void drop(channel_watch& watch) override;

    asio::awaitable<void> stop() override;
    void abandon() override;

protected:
    /// Another way through the same cluster. What has no key is sent to `home`; none: any node will do.
    cluster_connection(const cluster_connection& same, std::optional<std::uint16_t> home);

private:
    std::shared_ptr<connection> make_confirming(const durability& wanted) override;

    std::shared_ptr<cluster> cluster_;
    std::optional<std::uint16_t> slot_;
};

} // namespace coworker::detail
