// SPDX-License-Identifier: MIT
#pragma once

#include "redis/address.hpp"
#include "redis/connection/connection.hpp"
#include "redis/server_connection/call_gate.hpp"
#include "redis/server_connection/former_connections.hpp"
#include "redis/server_connection/reconnect_backoff.hpp"
#include "redis/time_limits.hpp"
#include "signal.hpp"

#include <boost/asio/steady_timer.hpp>

#include <functional>
#include <random>

namespace coworker::detail {

struct connection_setup;
struct server_facts;
struct tls_trouble;

/// What the connections to the nodes of a cluster have in common.
struct cluster_identity : client_identity
{
    /// Whether a node has the slot of a channel: a cluster passes messages on to all nodes, and one is to hand them on.
    std::function<bool(std::string_view channel)> hears{};
    std::shared_ptr<former_connections> former = std::make_shared<former_connections>();
};

/// A connection to one server, which is kept alive: Redis by itself, the primary that Sentinels name, or a node of a
/// cluster. One that nobody needs ends by itself, and is made again when it is needed.
class server_connection : public connection
{
public:
    /// @param identity  of a node of a cluster
    server_connection(asio::any_io_executor executor, client_options options, cluster_identity identity = {});
    ~server_connection() override;

    asio::awaitable<void> ready(patience how_long = patience::command_timeout) override;
    /// The same, but it gives up at that time at the latest.
    asio::awaitable<void> ready_by(clock::time_point latest, patience how_long = patience::command_timeout);

    asio::awaitable<void> exec(const boost::redis::request& request, reply& answers,
                               patience how_long = patience::command_timeout) override;
    /// The same, but it gives up at that time at the latest.
    asio::awaitable<void> exec_by(clock::time_point latest, const boost::redis::request& request,
                                  reply& answers, patience how_long = patience::command_timeout);
    void carry_out(std::shared_ptr<request_call> call) override;

    clock::time_point connecting_since() const noexcept override { return connecting_since_; }

    asio::awaitable<void> listen(channel_watch& watch,
                                 patience how_long = patience::command_timeout) override;
    asio::awaitable<void> unlisten(channel_watch& watch) override;
    void drop(channel_watch& watch) override;
    /// Subscribes again to all channels, since messages are heard from this node from now on.
    void resubscribe();

    asio::awaitable<void> stop() override;
    void abandon() override;

protected:
    clock::time_point deadline_of(patience how_long) const;
    /// Whether a server has been found fit, so that calls need not wait for the first one.
    bool has_been_ready() const noexcept { return fit_ && !is_stopping(); }
    /// Whether a call can be sent at once.
    bool may_send() const noexcept { return gate_.is_open() && !is_stopping(); }
    /// Waits until calls may be sent. Throws what is wrong.
    asio::awaitable<void> pass_gate(clock::time_point deadline);
    /// Throws why no call can be sent, if that is so for good, or if the time has come.
    void throw_if_unusable(clock::time_point deadline) const;
    asio::awaitable<error_code> send(const boost::redis::request& request,
                                     const boost::redis::any_adapter& answers, clock::time_point deadline);
    /// Why a request that was sent has not been answered.
    std::exception_ptr reason(error_code ec, bool cancelled, clock::time_point deadline) const;
    /// Whether a call was refused because the server accepts no writes, and another one may.
    bool is_to_be_repeated(reply& answers, clock::time_point deadline);

    std::size_t requests_under_way_ = 0; ///< `stop` waits for them
    signal state_changed_;               ///< connected, found fit, failed, ended

private:
    std::shared_ptr<connection> make_confirming(const durability& wanted) override;

    void make_link();
    void send_aside(boost::redis::request request);

    /// Starts to connect, unless that has been done.
    void start();
    void begin_run();
    asio::awaitable<void> run();
    void run_has_ended(const std::exception_ptr& error);
    /// Ends when nobody has needed the connection for a while, and gives it up.
    asio::awaitable<void> idle_loop();
    void close_socket();
    bool is_needed() const noexcept;
    asio::awaitable<void> connect_loop();
    asio::awaitable<void> receive_loop();
    asio::awaitable<void> check_loop();
    asio::awaitable<void> check_server();
    asio::awaitable<void> sentinel_loop();
    asio::awaitable<void> ask_sentinels_again();
    asio::awaitable<server_facts> facts_of_server_at(boost::redis::address where);

    boost::redis::config make_config() const;
    boost::redis::config where_to_connect() const;
    connection_setup make_setup() const;
    void connection_lost();
    /// What ended the connection, or the attempt to make one, in words for people.
    std::string why_lost(error_code ec, bool was_connected) const;
    /// Why there is no connection, as far as is known.
    std::string trouble() const;
    std::string shown_place() const;
    /// Returns what Redis said, if that is known.
    asio::awaitable<std::string> find_out_why_the_setup_failed();
    /// Has the server close the connections that were given up. False: this one was lost meanwhile.
    asio::awaitable<bool> end_former_connections();
    void note_client_id(const reply::answer& told);
    bool knows_layout(const reply::answer& told);
    asio::awaitable<void> until_stopping();
    /// A call that was sent has ended. If it has no answer, the connection is lost if neither its caller nor the time has
    /// ended it.
    void note_end_of_call(error_code ec, bool cancelled, clock::time_point deadline);
    /// Ends the connection, since this server accepts no writes, and holds calls back until one does.
    void leave_read_only_server(std::string_view why);
    void leave_replaced_server(const std::string& successor);
    /// Holds calls back for a while on a server that accepts no writes and has no other in its place.
    void rest_at_read_only_server(std::string_view why);
    asio::awaitable<void> rest();
    /// Ends the connection as soon as nothing is under way on it; then another one is made.
    void leave();
    void leave_if_idle();
    void handle_pushes();
    void handle_push(std::span<const reply_node> message);
    void fail(errc code, const std::string& detail);
    void answered(std::shared_ptr<request_call> call, error_code ec, clock::time_point deadline);

    address address_;
    std::vector<std::string> sentinels_; ///< "host:port", the one that is to be asked first in front
    std::string run_id_;                 ///< of the server, as it told at the last check
    std::minstd_rand random_{std::random_device{}()}; ///< for pauses only
    std::string control_channel_;
    std::string last_log_line_; ///< of this attempt to connect
    std::string last_trouble_;  ///< what ended the one before; empty once the server has been found fit
    std::unique_ptr<boost::redis::connection> connection_; ///< gone when stopped
    boost::redis::resp3::flat_tree pushes_;
    reconnect_backoff backoff_;
    asio::steady_timer backoff_timer_;
    call_gate gate_; ///< open while the connection has been checked, and the server accepts writes
    std::shared_ptr<time_limits> limits_;

    std::size_t requests_sent_ = 0; ///< of those under way, those that wait for an answer
    clock::time_point connecting_since_{};
    std::atomic<bool> started_ =
        false; ///< false again while the connection rests; `abandon` asks on any thread
    bool ended_ = false;
    bool used_ = false; ///< since `idle_loop` looked last
    bool idle_ = false; ///< nobody has needed the connection, so it ends until somebody does
    bool connected_ = false;
    bool unanswered_ = false; ///< a call that was sent on this connection has ended without an answer
    bool check_due_ = false;
    bool fit_ = false;     ///< the server has once been found fit
    bool barred_ = false;  ///< the server accepts no writes: calls wait until a check finds one that does
    bool leaving_ = false; ///< this connection is to be ended
    bool resting_ = false; ///< the next check is to be made after a pause
    bool told_ = false;    ///< observers believe that there is a connection
    std::optional<std::int64_t> client_id_; ///< the server's number of this connection
    std::shared_ptr<former_connections> former_;
    std::string barred_because_;
    std::optional<system_error> failure_;
    std::shared_ptr<tls_trouble> tls_trouble_;
    std::function<bool(std::string_view)> hears_; ///< in a node of a cluster
};

} // namespace coworker::detail
