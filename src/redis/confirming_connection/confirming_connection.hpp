// SPDX-License-Identifier: MIT
#pragma once

#include "redis/confirming_connection/confirmation.hpp"
#include "redis/confirming_connection/confirmed_round.hpp"
#include "redis/server_connection/server_connection.hpp"

namespace coworker::detail {

/// A connection to one server that confirms each of its writes.
///
/// There is one confirmation under way at a time, since Redis carries out nothing else on a connection meanwhile: waits
/// that stand in line would add up. Calls that come meanwhile are sent together, and confirmed together, by the next.
class confirming_connection final : public server_connection
{
public:
    /// Use `of`.
    ///
    /// @param former  those of the connection beside which it is
    confirming_connection(asio::any_io_executor executor, client_options options, const durability& wanted,
                          std::shared_ptr<former_connections> former);

    /// The one beside a server's connection; see `connection::confirming`. Not for `durability::memory`.
    static std::shared_ptr<confirming_connection> of(server_connection& beside, const durability& wanted);

    asio::awaitable<void> exec(const boost::redis::request& request, reply& answers,
                               patience how_long = patience::command_timeout) override;
    asio::awaitable<void> exec_confirmed(const boost::redis::request& request, reply& answers,
                                         std::exception_ptr& unconfirmed) override;
    /// The same, but it gives up at that time at the latest. What has not been sent by then is not carried out.
    asio::awaitable<void> exec_confirmed_by(clock::time_point latest, const boost::redis::request& request,
                                            reply& answers, std::exception_ptr& unconfirmed);
    void carry_out(std::shared_ptr<request_call> call) override;

private:
    asio::awaitable<void> exec_unconfirmed(const boost::redis::request& request, reply& answers,
                                           patience how_long) override;
    std::shared_ptr<confirmed_round> join_round(const boost::redis::request& request,
                                                clock::time_point deadline);
    asio::awaitable<void> carry_out_round(std::shared_ptr<confirmed_round> round);
    asio::awaitable<void> send_round(confirmed_round& round);
    asio::awaitable<confirmation> find_means(clock::time_point latest);

    durability wanted_;
    std::shared_ptr<confirmed_round> gathering_; ///< what is sent next, when the one under way has ended
    bool is_under_way_ = false;
    std::optional<confirmation> means_; ///< how the server does it, once that is known
    clock::time_point known_since_{};   ///< when the connection began of which that is known
};

} // namespace coworker::detail
