// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "coworker/durability.hpp"
#include "coworker/source_connection.hpp"
#include "enlisted.hpp"
#include "redis/address.hpp"
#include "redis/boost_redis.hpp"
#include "redis/channel_watch.hpp"
#include "redis/connection/call_gate.hpp"
#include "redis/connection/former_connections.hpp"
#include "redis/connection/reconnect_backoff.hpp"
#include "redis/gathered_pushes.hpp"
#include "redis/key_watch.hpp"
#include "redis/reply.hpp"
#include "redis/request_call.hpp"
#include "redis/script.hpp"
#include "redis/script_arguments.hpp"
#include "redis/time_limits.hpp"
#include "signal.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/steady_timer.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <span>
#include <string>
#include <thread>
#include <vector>

/// The inside of a client: everything that goes to Redis goes through here.
namespace coworker::detail {

class cluster;
class roll_call;
enum class confirmation;
struct confirmed_round;
struct confirmed_writes;
struct connection_setup;
struct server_facts;
struct tls_trouble;

/// How long a call waits for its answer.
enum class patience
{
    command_timeout, ///< as `client_options::command_timeout` says
    unlimited,       ///< until it is cancelled
};

/// What the connections to the nodes of a cluster have in common.
struct cluster_identity
{
    std::string name; ///< of the connections
    std::shared_ptr<key_watches> watches;
    std::shared_ptr<channel_watches> channels;
    /// Whether a node has the slot of a channel: a cluster passes messages on to all nodes, and one is to hand them on.
    std::function<bool(std::string_view channel)> hears;
    std::shared_ptr<former_connections> former = std::make_shared<former_connections>();
};

/// Talks to one server; or, where the URL says so, to a cluster, for which `cluster` finds the node and one connection
/// for each node. Of that, `for_queue` and `for_prefix` make the part in one slot.
class connection : public source_connection, public std::enable_shared_from_this<connection>
{
public:
    using clock = std::chrono::steady_clock;

    connection(asio::any_io_executor executor, client_options options);
    /// To a node of a cluster.
    connection(asio::any_io_executor executor, client_options options, cluster_identity identity);
    /// To the part of a cluster in one slot; use `for_queue` or `for_prefix`.
    connection(const connection& whole, std::uint16_t slot);
    /// The same part, or all of the cluster, for writes that are confirmed; use `confirming`.
    connection(const connection& part, const durability& wanted);
    ~connection();
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;

    asio::any_io_executor get_executor() const override { return executor_; }
    const client_options& options() const noexcept { return options_; }
    const std::string& name() const noexcept { return name_; }

    /// Whether this follows a cluster.
    bool in_cluster() const noexcept { return cluster_ != nullptr; }
    /// The slot of a cluster to which what has no key is sent; none: any node will do.
    const std::optional<std::uint16_t>& slot() const noexcept { return slot_; }

    /// The connection of a list queue: in a cluster the part that has its slot, for its clock, names of connections,
    /// leases and pushes are those of one node; else this one. May be called on any thread. Throws
    /// `errc::invalid_queue_name` for a name without a hash tag in a cluster.
    std::shared_ptr<connection> for_queue(const std::string& name);
    /// The same for all managed queues with a prefix. Throws `errc::invalid_option`.
    std::shared_ptr<connection> for_prefix(const std::string& prefix);

    /// What follows the cluster; null: there is none. `survey` asks all its nodes.
    const std::shared_ptr<cluster>& whole() const noexcept { return cluster_; }

    /// Sends what nothing depends on, and whose key may be in another slot: in a cluster it waits for that only a
    /// little, and errors do no harm. Returns whether there are answers.
    asio::awaitable<bool> exec_aside(const boost::redis::request& request, reply& answers,
                                     patience how_long = patience::command_timeout);

    /// Whether another node has taken over this slot so lately that other clients may not know it yet.
    bool has_just_moved() const noexcept;

    /// Whether the connection to this slot's node has been lost, and there is no new one. May be called on any thread.
    bool is_away() const noexcept { return away_; }

    /// There is no connection to this slot's node, and none could be made soon.
    void note_absence() noexcept { away_ = true; }
    /// Another node has the slot.
    void note_move();
    /// What happened to the connection to this slot's node.
    void hear(const event& what);
    /// It is a new one.
    void hear_new_connection();
    /// Subscribes again to all channels, since messages are heard from this node from now on.
    void resubscribe();

    /// A connection to the same server whose writes are confirmed: each request but those that only load scripts ends with a
    /// command that waits for `wanted`, and a call throws `errc::unconfirmed` when that was not reached in time. This
    /// one for `durability::memory`. Ends with this one. May be called on any thread.
    ///
    /// Of a cluster, or a part of one, it is another way through the same cluster, on which each node confirms what it
    /// has carried out.
    std::shared_ptr<connection> confirming(const durability& wanted);

    /// For a connection whose writes are confirmed: sends a request, and waits for its answers and for their
    /// confirmation. Calls that begin while others wait for that are sent together when these have ended.
    ///
    /// @param unconfirmed  why what was carried out is not confirmed; null: it is
    /// @param latest  when it gives up at the latest. What has not been sent by then is not carried out.
    asio::awaitable<void> exec_confirmed(const boost::redis::request& request, reply& answers,
                                         std::exception_ptr& unconfirmed,
                                         clock::time_point latest = clock::time_point::max());

    /// Starts to connect, unless that has been done. A connection that nobody needs ends by itself, and is made again
    /// by this.
    void start();

    /// Waits until there is a connection, and its server has been found fit. Throws what is wrong with it.
    ///
    /// @param latest  when it gives up at the latest
    asio::awaitable<void> ready(patience how_long = patience::command_timeout,
                                clock::time_point latest = clock::time_point::max());

    /// Sends a request and waits for its answers. Errors that Redis answered stand in the reply.
    ///
    /// Throws `system_error`: `errc::in_doubt` when the connection was lost before the answer came.
    /// Cancellation: terminal, partial; whether the request was carried out is unknown then.
    ///
    /// @param latest  when it gives up at the latest
    asio::awaitable<void> exec(const boost::redis::request& request, reply& answers,
                               patience how_long = patience::command_timeout,
                               clock::time_point latest = clock::time_point::max());

    /// The same for a caller that is not a coroutine, which costs less. Keeps `call` until it has ended.
    void exec(std::shared_ptr<request_call> call);

    /// Calls a script; a server that has lost it is given it again. Throws for an error answered. The
    /// script's answer is the reply's last.
    asio::awaitable<reply> call(const script& what, const script_arguments& arguments,
                                patience how_long = patience::command_timeout);

    /// The same, for writes that are confirmed: where there is no confirmation, the answers are returned all the same,
    /// and `unconfirmed` is why.
    asio::awaitable<reply> call(const script& what, const script_arguments& arguments,
                                std::exception_ptr& unconfirmed);

    /// The same, but an error that the script answered stands in the reply.
    asio::awaitable<reply> try_call(const script& what, const script_arguments& arguments,
                                    patience how_long = patience::command_timeout);

    /// Calls a script that only reads with each of these arguments, of which there are some; all in one request. The
    /// answers stand in this order.
    asio::awaitable<reply> call_each(const script& what, std::span<const script_arguments> calls);

    /// Calls a script that only reads, so that changes of its keys are told to their `key_watch`.
    asio::awaitable<reply> call_tracked(const script& what, const script_arguments& arguments);

    /// Whether changes of keys are announced. If not, waiting means polling.
    bool tracks() const noexcept { return options_.tracking && !tracking_refused_; }

    /// When the present connection, or the attempt to make one, began: what has been answered on it was not
    /// carried out earlier, however long it waited.
    clock::time_point connecting_since() const noexcept override
    {
        return cluster_ ? connecting_since_in_cluster() : connecting_since_;
    }

    std::chrono::milliseconds command_timeout() const noexcept override { return options_.command_timeout; }

    void attach(connection_listener& who) override { listeners_.insert(who); }
    void detach(connection_listener& who) override { listeners_.erase(who); }
    /// Whether a worker runs on it.
    bool is_attended() const noexcept { return !listeners_.empty(); }

    /// Pushes of single values, which go to Redis together.
    gathered_pushes& pushes() noexcept { return pushes_gathered_; }

    /// Who is connected to the servers of this client.
    roll_call& roll() const noexcept { return *roll_; }

    /// Where to enlist for changes of keys.
    const std::shared_ptr<key_watches>& watches() const noexcept { return watches_; }

    /// Where to enlist for messages; see `listen`.
    const std::shared_ptr<channel_watches>& channels() const noexcept { return channels_; }

    /// Subscribes to a watch's channels and enlists it. Throws `errc::command_refused` when Redis does not
    /// permit it.
    asio::awaitable<void> listen(channel_watch& watch, patience how_long = patience::command_timeout);

    /// Withdraws a watch and leaves the channels that no other one listens to.
    asio::awaitable<void> unlisten(channel_watch& watch);

    /// The same without waiting for it; does nothing when there is no connection, which would have ended then.
    void drop(channel_watch& watch);

    /// Tells the observers of something that needs attention.
    void warn(std::string_view message) const { emit(event_kind::warning, message); }
    /// The same, but of each thing once.
    void warn_once(const std::string& message);
    /// The same, but of each thing once a minute at most.
    void warn_seldom(const std::string& message);

    asio::awaitable<void> stop();
    /// Ends the connection without waiting for it. May be called on any thread.
    void abandon();

private:
    std::shared_ptr<connection> make_confirming(const durability& wanted) const;
    std::vector<std::shared_ptr<connection>> all_confirming();
    asio::awaitable<void> exec_plain(const boost::redis::request& request, reply& answers, patience how_long,
                                     clock::time_point latest = clock::time_point::max());
    asio::awaitable<void> exec_and_judge(const boost::redis::request& request, reply& answers);
    std::shared_ptr<confirmed_round> join_round(const boost::redis::request& request,
                                                clock::time_point deadline);
    asio::awaitable<void> carry_out(std::shared_ptr<confirmed_round> round);
    asio::awaitable<void> send_round(confirmed_round& round);
    asio::awaitable<confirmation> find_means(clock::time_point latest);

    void make_connection();
    clock::time_point connecting_since_in_cluster() const noexcept;
    asio::awaitable<void> listen_here(channel_watch& watch, patience how_long);
    void send_aside(boost::redis::request request);

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
    /// Returns what Redis said, if that is known.
    asio::awaitable<std::string> find_out_why_the_setup_failed();
    /// Has the server close the connections that were given up. False: this one was lost meanwhile.
    asio::awaitable<bool> end_former_connections();
    void note_client_id(const reply::answer& told);
    asio::awaitable<void> until_stopping();
    /// Waits until calls may be sent. Throws what is wrong.
    asio::awaitable<void> pass_gate(clock::time_point deadline);
    /// Throws why no call can be sent, if that is so for good, or if the time has come.
    void throw_if_unusable(clock::time_point deadline) const;
    /// Whether a call can be sent at once.
    bool may_send() const noexcept { return gate_.is_open() && !stopping_; }
    /// A call that was sent has ended. If it has no answer, the connection is lost if neither its caller nor the time has
    /// ended it.
    void note_end_of_call(error_code ec, bool cancelled, clock::time_point deadline);
    asio::awaitable<error_code> send(const boost::redis::request& request,
                                     const boost::redis::any_adapter& answers, clock::time_point deadline);
    /// Ends the connection, since this server accepts no writes, and holds calls back until one does.
    void leave_read_only_server(std::string_view why);
    void leave_replaced_server(const std::string& successor);
    /// Holds calls back for a while on a server that accepts no writes and has no other in its place.
    void rest_at_read_only_server(std::string_view why);
    asio::awaitable<void> rest();
    /// Ends the connection as soon as nothing is under way on it; then another one is made.
    void leave();
    void leave_if_idle();
    void fall_back_to_polling(std::string_view why);
    void handle_pushes();
    void handle_push(std::span<const reply_node> message);
    void fail(errc code, const std::string& detail);
    void emit(event_kind kind, std::string_view message) const;
    asio::awaitable<reply> load_and_call(const script& what, boost::redis::request calls, patience how_long,
                                         std::exception_ptr* unconfirmed = nullptr);
    void answered(std::shared_ptr<request_call> call, error_code ec, clock::time_point deadline);
    void exec_by_coroutine(std::shared_ptr<request_call> call);
    clock::time_point deadline_of(patience how_long) const;
    bool is_to_be_repeated(reply& answers, clock::time_point deadline);
    std::exception_ptr reason(error_code ec, bool cancelled, clock::time_point deadline) const;

    /// Whether this thread is the one that used the connection before. True where that need not be checked.
    bool is_right_thread();
    void check_thread();

    client_options options_;
    asio::any_io_executor executor_;
    bool one_thread_ = false;               ///< everything has to come from one thread
    std::atomic<std::thread::id> thread_{}; ///< then: that one
    address address_;
    std::vector<std::string> sentinels_; ///< "host:port", the one that is to be asked first in front
    std::string run_id_;                 ///< of the server, as it told at the last check
    std::minstd_rand random_{std::random_device{}()}; ///< for pauses only
    std::string name_;
    std::string control_channel_;
    std::string last_log_line_; ///< of this attempt to connect
    std::string last_trouble_;  ///< what ended the one before; empty once the server has been found fit
    std::unique_ptr<boost::redis::connection> connection_; ///< gone when stopped
    boost::redis::resp3::flat_tree pushes_;
    reconnect_backoff backoff_;
    asio::steady_timer backoff_timer_;
    signal state_changed_; ///< connected, found fit, failed, ended
    call_gate gate_;       ///< open while the connection has been checked, and the server accepts writes
    std::shared_ptr<time_limits> limits_;
    gathered_pushes pushes_gathered_;

    std::size_t requests_under_way_ = 0;
    std::size_t requests_sent_ = 0; ///< of these, those that wait for an answer
    clock::time_point connecting_since_{};
    // `abandon` may be called on any thread.
    std::atomic<bool> started_ = false; ///< false again while the connection rests
    std::atomic<bool> stopping_ = false;
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
    std::shared_ptr<former_connections> former_ = std::make_shared<former_connections>();
    std::string barred_because_;
    bool tracking_refused_ = false;
    std::optional<system_error> failure_;
    std::shared_ptr<tls_trouble> tls_trouble_;
    std::shared_ptr<roll_call> roll_;
    clock::time_point started_at_{};
    std::shared_ptr<key_watches> watches_ = std::make_shared<key_watches>();
    std::shared_ptr<channel_watches> channels_ = std::make_shared<channel_watches>();
    std::function<bool(std::string_view)> hears_; ///< in a node of a cluster
    std::shared_ptr<cluster> cluster_;            ///< then there is no connection here; null: one server
    std::atomic<bool> away_ = false;              ///< of a part of a cluster
    std::optional<std::uint16_t> slot_;
    clock::time_point moved_at_ = clock::time_point::min();
    enlisted<connection_listener> listeners_;
    std::map<std::string, clock::time_point> warned_of_;
    std::unique_ptr<confirmed_writes> confirmed_; ///< then its writes are confirmed
    std::mutex confirming_mutex_;
    std::vector<std::shared_ptr<connection>> confirming_; ///< under the mutex; to the same server
};

} // namespace coworker::detail
