// SPDX-License-Identifier: MIT
#include "redis/cluster/key_slot.hpp"
#include "storm_scene.hpp"
#include "support/cluster_client_test.hpp"

#include <boost/test/unit_test.hpp>

#include <algorithm>
#include <array>
#include <cstdint>
#include <functional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

using namespace coworker;
using namespace coworker::test;
using namespace std::chrono_literals;

/// A Redis Cluster of three primaries with a replica each, whose nodes are killed, frozen, cut from each other and
/// change places at random, and whose slots move between them, while processes are killed, frozen and stopped that push
/// to a queue in partitions and work on it. And then an account of every job that a replica had confirmed.
BOOST_AUTO_TEST_SUITE(cluster_storm)

namespace {

struct with_network
{
    cuttable_network network;
};

struct node_storm : with_network, cluster_client_test, fault_scene
{
    /// A primary and its replica, whichever is which at the moment.
    struct pair
    {
        std::array<redis_server*, 2> nodes;
        bool is_disturbed = false;
        storm_scene::clock::time_point settled{}; ///< when they no longer change places
    };

    std::vector<pair> pairs;
    storm_scene processes{*this,
                          {.url_of = [this](std::size_t) { return url(); }, .producer_words = {"confirmed"}}};

    node_storm() : cluster_client_test{&network, {}, node_timeout_for_failovers, true}, fault_scene{"q"}
    {
        for (std::size_t i = 0; i != servers.size(); ++i)
            pairs.push_back({{&servers[i], &servers.add_replica_of(servers[i])}});
    }

    template<class Function>
    void for_each_node(Function function)
    {
        for (auto& one : pairs)
            for (auto* const node : one.nodes)
                function(*node);
    }

    std::string url()
    {
        std::string all;
        for_each_node([&](redis_server& node) {
            all += (all.empty() ? "redis+cluster://" : ",") +
                   ("127.0.0.1:" + std::to_string(servers.port_of(node)));
        });
        return all;
    }

    /// A node that hangs by itself (see `look_after_servers`) is replaced in the midst of what else happens. If a slot
    /// moves then, what its new node had not yet passed on to a replica is lost. Redis 7.0, and Valkey, which calls
    /// itself Redis 7 here, do not hang.
    bool stands_moves() { return servers[0].raw().info("server", "redis_version").starts_with("7"); }

    void rage()
    {
        std::vector<storm_scene::fault> faults{
            {"node killed", 2, [this] { befall(&redis_server::kill, &redis_server::restart); }},
            {"node frozen", 2, [this] { befall(&redis_server::freeze, &redis_server::thaw); }},
            {"primary killed that was ahead of its replica", 2, [this] { kill_ahead_of_replica(); }},
            {"places changed by command", 3, [this] { change_places(); }},
            {"scripts of a node forgotten", 2,
             [this] {
                 tell_a_node({"SCRIPT", "FLUSH"});
             }},
            {"node cut from the others", 2, [this] { cut_off(); }},
            {"connections of a node closed", 3,
             [this] {
                 tell_a_node({"CLIENT", "KILL", "TYPE", "normal"});
             }},
        };
        if (stands_moves())
            faults.push_back({"partition moved to another node", 4, [this] { move_a_partition(); }});
        for (auto& one : faults)
            one.act = [act = std::move(one.act)] {
                try {
                    act();
                } catch (const std::system_error& silence) { // of a node that hangs since the last look
                    BOOST_TEST_MESSAGE(silence.what());
                }
            };
        processes.rage(std::move(faults));
    }

    /// A node of Redis 8.0.6 may never answer again after it has been away: when two others have changed places
    /// meanwhile, and it hears of that from the old primary first, it takes each of them for the replica of the other
    /// one, and follows that circle for ever (https://github.com/valkey-io/valkey/pull/651 tells of it). Only a restart
    /// helps, as an operator's health check does it.
    void look_after_servers() override
    {
        constexpr auto now_and_then = 200ms;
        constexpr auto long_enough = 10s;
        if (storm_scene::clock::now() < looked_after + now_and_then)
            return;
        for (auto& one : pairs)
            for (auto* const node : one.nodes)
                if (!one.is_disturbed && !node->answers_within(long_enough)) {
                    BOOST_TEST_MESSAGE("a node hangs, and is started again");
                    node->restart();
                }
        looked_after = storm_scene::clock::now();
    }

    /// Each job is at two nodes, so it survives what befalls one of them; and the other one only when all is there again,
    /// also in the file.
    static bool is_whole(const pair& one)
    {
        if (one.is_disturbed)
            return false;
        const auto is_written = [](redis_server* node) {
            return node->raw().info("persistence", "aof_rewrite_in_progress") == "0" &&
                   node->raw().info("persistence", "aof_rewrite_scheduled") == "0";
        };
        return replica_of(one) != nullptr && std::ranges::all_of(one.nodes, is_written);
    }

    /// That is connected to the other one. Null: there is none at the moment.
    static redis_server* replica_of(const pair& one)
    {
        const auto first = one.nodes.front(), second = one.nodes.back();
        if (is_primary(*first) == is_primary(*second))
            return nullptr;
        auto* const replica = is_primary(*first) ? second : first;
        return replica->raw().info("replication", "master_link_status") == "up" ? replica : nullptr;
    }

    static redis_server& primary_of(const pair& one)
    {
        return *one.nodes[replica_of(one) == one.nodes.front() ? 1 : 0];
    }

    pair& some_pair() { return pairs[random_between(0, pairs.size() - 1)]; }

    /// Often long enough for the replica to take over.
    std::chrono::milliseconds a_while()
    {
        constexpr std::chrono::milliseconds longest{2 * node_timeout_for_failovers};
        return processes.some(100, static_cast<std::size_t>(longest.count()));
    }

    void befall(void (redis_server::*begin)(), void (redis_server::*end)())
    {
        auto& hit = some_pair();
        if (!is_whole(hit))
            return;
        auto& node = *hit.nodes[random_between(0, 1)];
        hit.is_disturbed = true;
        (node.*begin)();
        processes.later(a_while(), [&hit, &node, end] {
            (node.*end)();
            hit.is_disturbed = false;
        });
    }

    /// Clients reach it all the time: a primary goes on until it misses the others, and its replica may have taken over by
    /// then.
    void cut_off()
    {
        auto& hit = some_pair();
        if (is_cut || !is_whole(hit))
            return;
        is_cut = hit.is_disturbed = true;
        network.isolate(servers.place_of(*hit.nodes[random_between(0, 1)]));
        processes.later(a_while(), [this, &hit] {
            network.heal();
            is_cut = hit.is_disturbed = false;
        });
    }

    /// What the primary has accepted after the replica was cut off is lost when the replica takes over.
    void kill_ahead_of_replica()
    {
        auto& hit = some_pair();
        if (!is_whole(hit))
            return;
        auto& replica = *replica_of(hit);
        auto& primary = *hit.nodes[&replica == hit.nodes.front() ? 1 : 0];
        hit.is_disturbed = true;
        replica.freeze();
        primary("CLIENT", "KILL", "TYPE",
                "replica"); // else the system has what was sent, and the replica reads it
        processes.later(processes.some(100, 2'000), [this, &hit, &primary, &replica] {
            primary.kill();
            replica.thaw();
            processes.later(2 * node_timeout_for_failovers, [&hit, &primary] {
                primary.restart();
                hit.is_disturbed = false;
            });
        });
    }

    void change_places()
    {
        constexpr auto longest = 6s; // Redis gives up after five
        auto& chosen = some_pair();
        if (!is_whole(chosen))
            return;
        chosen.settled = storm_scene::clock::now() + longest;
        replica_of(chosen)->raw().try_command({"CLUSTER", "FAILOVER"});
    }

    static constexpr std::size_t partitions = 12;

    /// A key of a partition that a node has.
    std::string some_key_at(redis_server& node)
    {
        const auto first = random_between(0, partitions - 1);
        for (std::size_t i = 0; i != partitions; ++i) {
            auto key = "hworker-jobs-{q:" + std::to_string((first + i) % partitions) + '}';
            if (!node.raw().try_command({"EXISTS", key}).is_error())
                return key;
        }
        return {};
    }

    /// A slot on its way from one pair to another one, neither of which is disturbed meanwhile.
    struct moving_slot
    {
        pair& from;
        pair& to;
        redis_server& giver;
        redis_server& taker;
        std::string key; ///< one that is in the slot

        std::uint16_t number() const { return detail::slot_of(key); }
    };

    void move_a_partition()
    {
        auto& from = some_pair();
        auto& to = some_pair();
        const auto now = storm_scene::clock::now();
        if (&from == &to || !is_whole(from) || !is_whole(to) || now < std::max(from.settled, to.settled))
            return;
        const moving_slot slot{from, to, primary_of(from), primary_of(to), some_key_at(primary_of(from))};
        if (slot.key.empty())
            return;
        from.is_disturbed = to.is_disturbed = true;
        servers.open_slot(slot.number(), slot.giver, slot.taker);
        processes.later(processes.some(0, 1'000),
                        [this, slot] { carry_over(slot, storm_scene::clock::now() + patience); });
    }

    /// Tries again as long as a node refuses, which sees too few of the others.
    void carry_over(const moving_slot& slot, storm_scene::clock::time_point deadline)
    {
        try {
            servers.move_keys(slot.number(), slot.giver, slot.taker);
            servers.close_slot(slot.number(), slot.giver, slot.taker);
        } catch (const std::runtime_error& refused) {
            go_on_with(slot, deadline, refused.what(), [=, this] { carry_over(slot, deadline); });
            return;
        }
        settle(slot, std::stoll(slot.taker.raw().info("replication", "master_repl_offset")), deadline);
    }

    /// Later, since other nodes may have to come back first.
    void go_on_with(const moving_slot& slot, storm_scene::clock::time_point deadline, const std::string& what,
                    std::function<void()> act)
    {
        constexpr auto a_moment = 20ms;
        BOOST_TEST_REQUIRE((storm_scene::clock::now() < deadline), "slot " << slot.number() << ": " << what);
        std::this_thread::sleep_for(a_moment); // at the end of a storm nothing else waits
        processes.later(a_moment, std::move(act));
    }

    /// Until all nodes of both pairs know who has the slot now, and the replica has what has come there: what befalls a
    /// primary before that may undo the move.
    void settle(const moving_slot& slot, long long written, storm_scene::clock::time_point deadline)
    {
        const auto elsewhere = "MOVED " + std::to_string(slot.number()) +
                               " 127.0.0.1:" + std::to_string(servers.port_of(slot.taker));
        const auto knows = [&](redis_server* node) {
            const auto answer = node->raw().try_command({"EXISTS", slot.key});
            return node == &slot.taker ? !answer.is_error() : answer.text == elsewhere;
        };
        auto& replica = *slot.to.nodes[&slot.taker == slot.to.nodes.front() ? 1 : 0];
        const auto has_all = std::stoll(replica.raw().info("replication", "slave_repl_offset")) >= written;
        if (has_all && std::ranges::all_of(slot.from.nodes, knows) &&
            std::ranges::all_of(slot.to.nodes, knows)) {
            slot.from.is_disturbed = slot.to.is_disturbed = false;
            return;
        }
        go_on_with(slot, deadline, "not all nodes know where it is",
                   [=, this] { settle(slot, written, deadline); });
    }

    void tell_a_node(const std::vector<std::string>& command)
    {
        const auto& chosen = some_pair();
        if (!chosen.is_disturbed)
            chosen.nodes[random_between(0, 1)]->raw().try_command(command);
    }

    list_queue<std::int64_t> queue(const client& redis) { return {redis, "q", {.partitions = partitions}}; }

    void push_numbers(std::size_t begin, std::size_t end)
    {
        run_with_client([&](client& redis) -> asio::awaitable<void> {
            auto to = queue(redis);
            for (; begin != end; ++begin) {
                const auto id = "job-" + std::to_string(begin); // by which the account knows it
                push_options options;
                options.id = id;
                co_await to.async_push(static_cast<std::int64_t>(begin), options);
            }
        });
    }

    list_queue_sizes sizes()
    {
        list_queue_sizes found;
        run_with_client(
            [&](client& redis) -> asio::awaitable<void> { found = co_await queue(redis).async_sizes(); });
        return found;
    }

    std::vector<std::string> folders()
    {
        std::vector<std::string> all;
        for_each_node([&](redis_server& node) { all.push_back(node.folder().path()); });
        return all;
    }

    std::string situation() override { return servers[0]("CLUSTER", "NODES").text; }

    bool is_cut = false; ///< a node, from the others
    storm_scene::clock::time_point looked_after{};
};

} // namespace

BOOST_FIXTURE_TEST_CASE(no_confirmed_job_is_lost, node_storm)
{
    BOOST_TEST_INFO_SCOPE("STORM_SEED=" << processes.seed());
    sizes(); // so that workers find the number of partitions
    rage();
    wait_until("each primary has its replica", [&] { return std::ranges::all_of(pairs, is_whole); });
    processes.stop_producers();
    processes.check_that_all_work([&](std::size_t begin, std::size_t end) { push_numbers(begin, end); });
    wait_until("nothing is left to do", [&] {
        const auto now = sizes();
        return now.waiting + now.running + now.scheduled == 0;
    });
    const auto last = sizes();
    BOOST_TEST(last.failed == 0u);
    BOOST_TEST(last.broken == 0u);
    processes.check_account(folders());
}

BOOST_AUTO_TEST_SUITE_END()
