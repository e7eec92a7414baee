// SPDX-License-Identifier: MIT
#include "redis/cluster/ask_apart.hpp"
#include "redis/cluster/cluster.hpp"
#include "redis/cluster/node_options.hpp"
#include "redis/cluster/read_slot_map.hpp"
#include "redis/server_connection/server_check.hpp"

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
    request.push("CLUSTER", "INFO");
    return request;
}

/// The answer that stands before the one to `CLUSTER INFO`.
reply::answer shards_or_slots(const reply& answers)
{
    return answers[answers.tree.get_total_msgs() - 2];
}

} // namespace

asio::awaitable<void> cluster::refresh_loop()
{
    while (!is_stopping_) {
        if (is_to_rest()) {
            rest();
            co_return;
        }
        if (pace_.due() > clock::now()) {
            co_await wait_until(std::min(pace_.due(), next_look_));
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

/// Asks one node after the other until one answers that knows. Returns whether nothing is missing.
asio::awaitable<bool> cluster::refresh()
{
    ++refreshes_;
    view_choice views{epoch_};
    bool is_answered = false;
    const auto known = nodes_;
    for (const auto& [where, node] : known)
        if (!views.is_certain() && node->is_up()) {
            const bool has_answered = co_await ask_node(node, views);
            is_answered = is_answered || has_answered;
        }
    if (!is_answered)
        if (const auto node = co_await first_node_up())
            co_await ask_node(node, views);
    if (!views.is_certain())
        co_await ask_unfit_nodes(views);
    const auto& best = views.best();
    if (!best || is_stopping_) // what begins now would not be stopped
        co_return false;
    auto check = check_layout(best->slots);
    if (slots_.served() == 0)
        co_await std::move(check); // before anything is sent
    else
        spawn(nullptr, std::move(check)); // a node that does not answer must not hold up what others do
    if (failure_ || is_stopping_)
        co_return false;
    if (best->is_well)
        epoch_ = best->epoch;
    use(best->slots);
    co_return slots_.is_complete();
}

/// Asks the node that has the key. Most clients need no connection to that node, so they ask over one of its own. A node
/// that does not answer, or talks nonsense, is asked at the next refresh.
asio::awaitable<void> cluster::check_layout(slot_map found)
{
    const auto* const owner = found.owner(slot_of(layout_key));
    if (owner == nullptr)
        co_return;
    redis::request ask;
    ask.push("GET", layout_key);
    reply told;
    const auto known = nodes_.find(*owner);
    try {
        if (known != nodes_.end() && known->second->is_up()) {
            const auto node = known->second;
            co_await asio::co_spawn(executor_, node->link()->exec(ask, told),
                                    asio::cancel_after(patience_with_a_node, asio::use_awaitable));
        } else {
            auto answers = ask_apart(executor_, options_of_node(options_, seed_, *owner), std::move(ask));
            told = co_await asio::co_spawn(executor_, std::move(answers),
                                           asio::cancel_after(patience_with_a_node, asio::use_awaitable));
        }
        const auto answer = told.back();
        const auto [error, detail] = answer.is_error() ? verdict{} : judge_layout(answer.text());
        if (error)
            failure_ =
                std::make_exception_ptr(system_error{error, owner->host + ':' + owner->port + ": " + detail});
    } catch (const system_error&) {
    }
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

asio::awaitable<bool> cluster::ask_node(node_ptr who, view_choice& views)
{
    topology_source from = [who](std::string_view form) -> asio::awaitable<reply> {
        const auto request = topology_request(form);
        reply answers;
        co_await who->link()->exec(request, answers);
        co_return answers;
    };
    co_return co_await ask(who->where(), std::move(from), views);
}

/// Asks those to which there is no connection, some of them since they are not fit to hold jobs: a replica knows who
/// serves what.
asio::awaitable<void> cluster::ask_unfit_nodes(view_choice& views)
{
    const auto all = whom_to_ask();
    for (const auto& where : all) {
        if (views.is_certain() || is_stopping_) // what begins now would not be stopped
            break;
        const auto known = nodes_.find(where);
        const auto node = known == nodes_.end() ? nullptr : known->second;
        const bool is_hopeless = node && node->failure() && node->failure_code() != errc::read_only_server;
        if (is_hopeless || (node && node->is_up()))
            continue;
        topology_source from = [this, where](std::string_view form) {
            return ask_apart(executor_, options_of_node(options_, seed_, where), topology_request(form));
        };
        co_await ask(where, std::move(from), views);
    }
}

/// Returns whether there was an answer that is of any use.
asio::awaitable<bool> cluster::ask(node_address where, topology_source from, view_choice& views)
{
    cluster_view found;
    try {
        auto answers = co_await asio::co_spawn(executor_, from("SHARDS"),
                                               asio::cancel_after(patience_with_a_node, asio::use_awaitable));
        const bool knows_shards = !shards_or_slots(answers).is_error();
        if (!knows_shards)
            answers = co_await asio::co_spawn(executor_, from("SLOTS"),
                                              asio::cancel_after(patience_with_a_node, asio::use_awaitable));
        const auto told = shards_or_slots(answers);
        if (told.is_error()) {
            if (told.text().find("cluster support disabled") != std::string_view::npos)
                failure_ = std::make_exception_ptr(
                    explained_error{errc::invalid_option,
                                    where.host + ':' + where.port +
                                        " is no node of a Redis Cluster: use redis:// for a single server"});
            co_return false;
        }
        found.slots =
            knows_shards ? read_shards(told, where, seed_.kind == transport::tls) : read_slots(told, where);
        if (const auto info = answers.back(); !info.is_error()) // it may not be permitted
            read_info(info.text(), found);
    } catch (const system_error&) {
        co_return false; // it went, is frozen, or talks nonsense: the next one is asked
    }
    if (found.slots.served() == 0) // a node that is in no cluster yet
        co_return false;
    views.offer(std::move(found));
    co_return true;
}

void cluster::use(slot_map found)
{
    found.keep_missing(slots_);
    std::swap(slots_, found);
    tell_of_move(found);
    retire_unused();
    // Workers are known to be alive by their connections, also to the node that has just taken over.
    for (std::uint16_t slot = 0; slot != slot_count; ++slot)
        if (used_.test(slot))
            if (const auto* const owner = slots_.owner(slot))
                node_at(*owner);
}

/// Ends the connections to nodes that serve nothing any more, unless they are answering calls, and to seeds that are reached by another name.
void cluster::retire_unused()
{
    const auto primaries = slots_.primaries();
    for (auto at = nodes_.begin(); at != nodes_.end();) {
        const bool is_primary = std::find(primaries.begin(), primaries.end(), at->first) != primaries.end();
        const bool is_busy = at->second->is_up() && at->second->calls != 0 && !at->second->is_silent();
        if (is_busy || (is_primary && !at->second->failure())) {
            ++at;
            continue;
        }
        retire(at->second);
        at = nodes_.erase(at);
    }
}

} // namespace coworker::detail
