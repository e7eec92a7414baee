// SPDX-License-Identifier: MIT
#pragma once

#include "support/cutting_proxy.hpp"
#include "support/redis_server.hpp"

#include <boost/asio/executor_work_guard.hpp>
#include <boost/asio/io_context.hpp>

#include <chrono>
#include <deque>
#include <functional>
#include <string>
#include <thread>

namespace coworker::test {

/// Servers on the loopback device that a test can cut from each other, without rights that not everybody has. Each is
/// reached through proxies only, at ports that it announces, and connects to the others from an address of its own, by
/// which the proxies know it. They have a thread of their own, since tests wait for servers.
class cuttable_network
{
public:
    cuttable_network();
    ~cuttable_network();

    /// What is known of a server.
    struct place
    {
        std::string address; ///< from which it connects to others
        int port = 0;        ///< where others, and clients, reach it
        int bus_port = 0;    ///< the same of its cluster bus
    };

    /// A place for a server, which is to connect from its address and to announce its ports.
    const place& add_place();
    /// Where the server there listens itself; from then on it can be reached.
    void open(const place& where, int port, int bus_port = 0);
    /// From where those connect that are servers and have no place here, such as Sentinels.
    static std::string address_of_others() { return "127.0.0.2"; }

    /// Nothing passes any more between this server and all others, until `heal`. Clients reach all.
    void isolate(const place& which);
    /// The same, and clients that say these words when they connect, such as the name of their user, reach only that
    /// server.
    void isolate_with_clients(const place& which, std::string words);
    void heal();

    /// How long tests leave servers cut from each other after the failover: CUT_SECONDS in the environment, by default
    /// not at all.
    static std::chrono::seconds time_of_cut();

private:
    struct entrance
    {
        explicit entrance(const asio::any_io_executor& executor) : clients{executor}, bus{executor} {}

        place where;
        cutting_proxy clients, bus;
    };

    entrance& entrance_of(const place& where);
    void call(std::function<void()> function);

    asio::io_context io_{1};
    asio::executor_work_guard<asio::io_context::executor_type> work_{io_.get_executor()};
    std::deque<entrance> entrances_;
    std::jthread thread_; ///< last: ends before what it uses
};

} // namespace coworker::test
