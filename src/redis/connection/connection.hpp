// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "coworker/durability.hpp"
#include "coworker/source_connection.hpp"
#include "enlisted.hpp"
#include "redis/boost_redis.hpp"
#include "redis/channel_watch.hpp"
#include "redis/gathered_pushes.hpp"
#include "redis/key_watch.hpp"
#include "redis/reply.hpp"
#include "redis/request_call.hpp"
#include "redis/script.hpp"
#include "redis/script_arguments.hpp"

#include <boost/asio/awaitable.hpp>

#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

/// The inside of a client: everything that goes to Redis goes through here.
namespace coworker::detail {

class cluster;
class roll_call;

/// How long a call waits for its answer.
enum class patience
{
    command_timeout, ///< as `client_options::command_timeout` says
    unlimited,       ///< until it is cancelled
};

/// What connections of one client have in common. What is left out is made anew.
struct client_identity
{
    std::string name{}; ///< of the connections, in `CLIENT LIST`
    std::shared_ptr<key_watches> watches{};
    std::shared_ptr<channel_watches> channels{};
    std::shared_ptr<roll_call> roll{};
};

/// The way to Redis. Behind it is one server (`server_connection`), a cluster (`cluster_connection`), the part of a
/// cluster in one slot (`slot_connection`), or one of these for writes that are confirmed (`confirming_connection`,
/// `confirming_cluster_connection`). Whoever has one does not know which.
class connection : public source_connection, public std::enable_shared_from_this<connection>
{
public:
    using clock = std::chrono::steady_clock;

    ~connection() override;
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;

    asio::any_io_executor get_executor() const override { return executor_; }
    const client_options& options() const noexcept { return options_; }
    const std::string& name() const noexcept { return identity_.name; }
    std::chrono::milliseconds command_timeout() const noexcept override { return options_.command_timeout; }

    // --- where it leads ------------------------------------------------------------------

    /// The cluster; null: there is none. `survey` asks all its nodes.
    virtual cluster* whole() const noexcept { return nullptr; }
    bool in_cluster() const noexcept { return whole() != nullptr; }
    /// The slot of a cluster to which what has no key is sent; none: any node will do.
    virtual std::optional<std::uint16_t> slot() const noexcept { return std::nullopt; }

    /// The connection of a list queue: in a cluster the part that has its slot, for its clock, names of connections,
    /// leases and pushes are those of one node; else this one. May be called on any thread. Throws
    /// `errc::invalid_queue_name` for a name without a hash tag in a cluster.
    virtual std::shared_ptr<connection> for_queue(const std::string& name);
    /// The same for all managed queues with a prefix. Throws `errc::invalid_option`.
    virtual std::shared_ptr<connection> for_prefix(const std::string& prefix);

    /// The connection for writes that are confirmed. Each request but those that only load scripts ends with a command
    /// that waits for `wanted`, and a call throws `errc::unconfirmed` when that was not reached in time. This one for
    /// `durability::memory`. Ends with this one. May be called on any thread.
    std::shared_ptr<connection> confirming(const durability& wanted);

    /// Whether another node has taken over this slot so lately that other clients may not know it yet.
    virtual bool has_just_moved() const noexcept { return false; }
    /// Whether the connection to this slot's node has been lost, and there is no new one. May be called on any thread.
    virtual bool is_away() const noexcept { return false; }

    // --- requests ------------------------------------------------------------------------

    /// Connects, unless that has been done, and waits until calls can be sent. Throws what is wrong.
    virtual asio::awaitable<void> ready(patience how_long = patience::command_timeout) = 0;

    /// Sends a request and waits for its answers. Errors that Redis answered stand in the reply.
    ///
    /// Throws `system_error`: `errc::in_doubt` when the connection was lost before the answer came.
    /// Cancellation: terminal, partial; whether the request was carried out is unknown then.
    virtual asio::awaitable<void> exec(const boost::redis::request& request, reply& answers,
                                       patience how_long = patience::command_timeout) = 0;

    /// The same, but where there is no confirmation, there are answers all the same.
    ///
    /// @param unconfirmed  why what was carried out is not confirmed; null: it is, or need not be
    virtual asio::awaitable<void> exec_confirmed(const boost::redis::request& request, reply& answers,
                                                 std::exception_ptr& unconfirmed);

    /// The same for a caller that is not a coroutine, which costs less. Keeps `call` until it has ended.
    virtual void carry_out(std::shared_ptr<request_call> call);

    /// Sends what nothing depends on, and whose key may be in another slot: in a cluster it waits for that only a
    /// little, and errors do no harm. Returns whether there are answers.
    virtual asio::awaitable<bool> exec_aside(const boost::redis::request& request, reply& answers,
                                             patience how_long = patience::command_timeout);

    /// Pushes of single values, which go to Redis together.
    gathered_pushes& pushes() noexcept { return pushes_gathered_; }

    // --- scripts -------------------------------------------------------------------------

    /// Calls a script; a server that has lost it is given it again. Throws for an error answered. The
    /// script's answer is the reply's last.
    asio::awaitable<reply> call(const script& what, const script_arguments& arguments,
                                patience how_long = patience::command_timeout);

    /// The same, and where there is no confirmation, `unconfirmed` is why; see `exec_confirmed`.
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

    // --- watching ------------------------------------------------------------------------

    /// Whether changes of keys are announced. If not, waiting means polling.
    bool tracks() const noexcept { return options_.tracking && !tracking_refused_; }

    /// Where to enlist for changes of keys.
    const std::shared_ptr<key_watches>& watches() const noexcept { return identity_.watches; }

    /// Where to enlist for messages; see `listen`.
    const std::shared_ptr<channel_watches>& channels() const noexcept { return identity_.channels; }

    /// Subscribes to a watch's channels and enlists it. Throws `errc::command_refused` when Redis does not
    /// permit it.
    virtual asio::awaitable<void> listen(channel_watch& watch,
                                         patience how_long = patience::command_timeout) = 0;

    /// Withdraws a watch and leaves the channels that no other one listens to.
    virtual asio::awaitable<void> unlisten(channel_watch& watch) = 0;

    /// The same without waiting for it; does nothing when there is no connection, which would have ended then.
    virtual void drop(channel_watch& watch) = 0;

    /// Who is connected to the servers of this client.
    roll_call& roll() const noexcept { return *identity_.roll; }

    void attach(connection_listener& who) override { listeners_.insert(who); }
    void detach(connection_listener& who) override { listeners_.erase(who); }
    /// Whether a worker runs on it.
    bool is_attended() const noexcept { return !listeners_.empty(); }

    /// Tells the observers of something that needs attention.
    void warn(std::string_view message) const { emit(event_kind::warning, message); }
    /// The same, but of each thing once.
    void warn_once(const std::string& message);
    /// The same, but of each thing once a minute at most.
    void warn_seldom(const std::string& message);

    // --- ending --------------------------------------------------------------------------

    virtual asio::awaitable<void> stop() = 0;
    /// Ends the connection without waiting for it. May be called on any thread.
    virtual void abandon() = 0;

protected:
    connection(asio::any_io_executor executor, client_options options, client_identity identity);

    const client_identity& identity() const noexcept { return identity_; }
    const enlisted<connection_listener>& listeners() const noexcept { return listeners_; }
    void emit(event_kind kind, std::string_view message) const;
    void fall_back_to_polling(std::string_view why);

    /// Whether this thread is the one that used the connection before. True where that need not be checked.
    bool is_right_thread();
    void check_thread();

    /// Whether it is to end: somebody has said so, on any thread, or it has failed for good.
    bool is_stopping() const noexcept { return stopping_; }
    /// It is to end from now on. Returns whether that is new; then all those that confirm have been told.
    bool begin_to_stop();
    asio::awaitable<void> stop_confirming();

    /// `exec` of a connection whose writes are confirmed.
    asio::awaitable<void> exec_and_judge(const boost::redis::request& request, reply& answers);
    /// Sends what there is nothing to confirm of.
    virtual asio::awaitable<void> exec_unconfirmed(const boost::redis::request& request, reply& answers,
                                                   patience how_long);

private:
    virtual std::shared_ptr<connection> make_confirming(const durability& wanted) = 0;
    std::vector<std::shared_ptr<connection>> all_confirming();
    asio::awaitable<reply> load_and_call(const script& what, boost::redis::request calls, patience how_long,
                                         std::exception_ptr* unconfirmed = nullptr);

    client_options options_;
    asio::any_io_executor executor_;
    bool one_thread_ = false;               ///< everything has to come from one thread
    std::atomic<std::thread::id> thread_{}; ///< then: that one
    client_identity identity_;
    gathered_pushes pushes_gathered_;
    bool tracking_refused_ = false;
    enlisted<connection_listener> listeners_;
    std::map<std::string, clock::time_point> warned_of_;
    std::atomic<bool> stopping_ = false; ///< `abandon` may be called on any thread
    std::mutex confirming_mutex_;
    std::vector<std::pair<durability, std::shared_ptr<connection>>> confirming_; ///< under the mutex
};

/// The connection of a client: to a server or, where the URL says so, to a cluster. Throws `errc::invalid_option`.
std::shared_ptr<connection> make_connection(asio::any_io_executor executor, client_options options);

} // namespace coworker::detail
