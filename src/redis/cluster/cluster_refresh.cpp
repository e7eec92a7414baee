// SPDX-License-Identifier: MIT
#include "redis/cluster/ask_apart.hpp"
#include "redis/cluster/cluster.hpp"
#include "redis/cluster/node_options.hpp"
#include "redis/cluster/read_slot_map.hpp"

#include <boost/asio/cancel_after.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/redis/request.hpp>

#include <algorithm>
#include <utility>

/// How a cluster learns who serves what.
namespace coworker::detail {
namespace {

namespace redis = boost::redis;

/// How long a node has to connect, and to answer.
constexpr std::chrono::milliseconds patience_with_a_node{1'000};

redis::request topology_request(std::string_view form)
{
    redis::request request;
    request.get_config().cancel_if_not_connected = true;
    request.get_config().cancel_on_connection_lost = true;
    request.push("CLUSTER", form);
    return request;
}

} // namespace

asio::awaitable<void> cluster::refresh_loop()
{
    while (!is_stopping_) {
        if (pace_.due() > clock::now()) {
            co_await wait_until(pace_.due());
            continue;
        }
        is_refresh_wanted_ = false;
        pace_.begin(clock::now());
        const bool helps = co_await refresh();
        pace_.end(clock::now(), helps);
        is_refresh_wanted_ = false;
        changed();
    }
}

/// Asks one node after the other until one answers. Returns whether nothing is missing.
asio::awaitable<bool> cluster::refresh()
{
    ++refreshes_;
    bool is_answered = false;
    const auto known = nodes_;
    for (const auto& [where, node] : known)
        if (!is_answered && node->is_up())
            is_answered = co_await ask_node(node);
    if (!is_answered)
        if (const auto node = co_await first_node_up())
            is_answered = co_await ask_node(node);
    if (!is_answered)
        is_answered = co_await ask_any_unfit_node();
    co_return is_answered&& slots_.is_complete();
}

/// The seeds, and the others of which is known that they served slots.
std::vector<node_address> cluster::whom_to_ask() const
{
    auto all = seeds_;
    for (const auto& where : slots_.primaries())
        if (std::find(all.begin(), all.end(), where) == all.end())
            all.push_back(where);
    return all;
}

/// Connects to one node after the other until some node is up.
asio::awaitable<cluster::node_ptr> cluster::first_node_up()
{
    const auto all = whom_to_ask();
    for (std::size_t tried = 0; tried != all.size() && !is_stopping_; ++tried) {
        const auto node = node_at(all[next_to_ask_++ % all.size()]);
        const auto deadline = clock::now() + patience_with_a_node;
        while (!is_stopping_ && !node->is_lost() && clock::now() < deadline) {
            for (const auto& [where, any] : nodes_)
                if (any->is_up())
                    co_return any;
            co_await wait_until(deadline);
        }
    }
    co_return nullptr;
}

asio::awaitable<bool> cluster::ask_node(node_ptr who)
{
    topology_source from = [who](std::string_view form) -> asio::awaitable<reply> {
        const auto request = topology_request(form);
        reply answers;
        co_await who->link()->exec(request, answers);
        co_return answers;
    };
    co_return co_await ask(who->where(), std::move(from));
}

/// Asks those to which there is no connection since they are not fit to hold jobs: a replica knows who serves what.
asio::awaitable<bool> cluster::ask_any_unfit_node()
{
    bool is_answered = false;
    const auto all = whom_to_ask();
    for (const auto& where : all) {
        if (is_answered || is_stopping_) // what begins now would not be stopped
            break;
        const auto node = node_at(where);
        const bool is_hopeless = node->failure() && node->failure_code() != errc::read_only_server;
        if (node->is_up() || is_hopeless)
            continue;
        topology_source from = [this, where](std::string_view form) {
            return ask_apart(executor_, options_of_node(options_, seed_, where), topology_request(form));
        };
        is_answered = co_await ask(where, std::move(from));
    }
    co_return is_answered;
}

asio::awaitable<bool> cluster::ask(node_address where, topology_source from)
{
    slot_map found;
    try {
        auto answers = co_await asio::co_spawn(executor_, from("SHARDS"),
                                               asio::cancel_after(patience_with_a_node, asio::use_awaitable));
        const bool knows_shards = !answers.back().is_error();
        if (!knows_shards)
            answers = co_await asio::co_spawn(executor_, from("SLOTS"),
                                              asio::cancel_after(patience_with_a_node, asio::use_awaitable));
        const auto told = answers.back();
        if (told.is_error()) {
            if (told.text().find("cluster support disabled") != std::string_view::npos)
                failure_ = std::make_exception_ptr(
                    system_error{errc::invalid_option,
                                 where.host + ':' + where.port +
                                     " is no node of a Redis Cluster: use redis:// for a single server"});
            co_return false;
        }
        found =
            knows_shards ? read_shards(told, where, seed_.kind == transport::tls) : read_slots(told, where);
    } catch (const system_error&) {
        co_return false; // it went, is frozen, or talks nonsense: the next one is asked
    }
    if (is_stopping_) // as above
        co_return false;
    co_return use(std::move(found));
}

/// Returns whether the answer is of any use.
bool cluster::use(slot_map found)
{
    if (found.served() == 0) // a node that is in no cluster yet
        return false;
    found.keep_missing(slots_);
    std::swap(slots_, found);
    tell_of_move(found);
    retire_unused();
    // Workers are known to be alive by their connections, also to the node that has just taken over.
    for (std::uint16_t slot = 0; slot != slot_count; ++slot)
        if (used_.test(slot))
            if (const auto* const owner = slots_.owner(slot))
                node_at(*owner);
    return true;
}

/// Ends the connections to nodes that serve nothing any more, and to seeds that are reached by another name.
void cluster::retire_unused()
{
    const auto primaries = slots_.primaries();
    for (auto at = nodes_.begin(); at != nodes_.end();) {
        const bool is_primary = std::find(primaries.begin(), primaries.end(), at->first) != primaries.end();
        const bool is_busy = at->second->is_up() && at->second->calls != 0;
        if (is_busy || (is_primary && !at->second->failure())) {
            ++at;
            continue;
        }
        const auto node = at->second;
        at = nodes_.erase(at);
        ++under_way_;
        asio::co_spawn(
            executor_, [node] { return node->link()->stop(); },
            [self = shared_from_this(), node](std::exception_ptr) {
                --self->under_way_;
                self->changed();
            });
    }
}

} // namespace coworker::detail
