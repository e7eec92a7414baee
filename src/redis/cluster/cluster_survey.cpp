// SPDX-License-Identifier: MIT
#include "redis/cluster/cluster.hpp"
#include "redis/counted_call.hpp"

#include <boost/asio/cancel_after.hpp>
#include <boost/asio/co_spawn.hpp>
#include <boost/redis/request.hpp>

#include <algorithm>
#include <string>
#include <utility>

/// What is asked of all nodes of a cluster, those that are away left out.
namespace coworker::detail {
namespace {

namespace redis = boost::redis;

/// How long a node has of which one can do without.
constexpr cluster::clock::duration patience_beside = std::chrono::seconds{1};

std::string name_of(const node_address& where)
{
    return where.host + ':' + where.port;
}

/// Whether a refusal ends by itself: the slot is on its way.
bool is_on_its_way(std::string_view why)
{
    return why.starts_with("ASK ") || why.starts_with("TRYAGAIN");
}

} // namespace

std::vector<node_address> cluster::sorted_primaries() const
{
    auto all = slots_.primaries();
    std::sort(all.begin(), all.end());
    return all;
}

/// Waits a little for a node to which the connection is being made.
asio::awaitable<bool> cluster::is_up_by(node_ptr node, clock::time_point deadline)
{
    while (!is_stopping_ && !node->is_up() && !node->is_lost() && clock::now() < deadline)
        co_await wait_until(deadline);
    co_return node->is_up();
}

asio::awaitable<void> cluster::look_for(const std::vector<std::shared_ptr<connection>>& parts)
{
    const auto self = shared_from_this();
    if (is_stopping_)
        throw system_error{errc::stopped};
    start();
    const counted_call under_way{under_way_, state_changed_};
    const auto node_of = [this](const connection& part) {
        routed_part there;
        there.what.slot = part.slot();
        return node_for(there);
    };
    std::vector<node_ptr> nodes;
    for (const auto& part : parts)
        nodes.push_back(node_of(*part));
    const auto deadline = clock::now() + patience_beside;
    for (const auto& node : nodes) // all connect at the same time
        if (node)
            co_await is_up_by(node, deadline);
    if (is_stopping_)
        throw system_error{errc::stopped};
    for (const auto& part : parts) // others may have taken over meanwhile
        if (const auto node = node_of(*part); node && !node->is_up())
            if (const auto known = known_part(*part->slot()))
                known->note_absence();
}

/// Sends a request to a node; false: the node is away, or does not answer soon.
asio::awaitable<bool> cluster::exec_soon(node_ptr node, const redis::request& request, reply& answers)
{
    bool is_answered = co_await is_up_by(node, clock::now() + patience_beside);
    if (is_answered) {
        const auto send = [](node_ptr to, redis::request what) -> asio::awaitable<reply> {
            what.get_config().cancel_if_not_connected = true;
            what.get_config().cancel_on_connection_lost = true;
            reply got;
            co_await to->link()->exec(what, got);
            ++to->answers;
            co_return got;
        };
        const counted_call sent{node->calls, state_changed_};
        auto sending = send(node, request);
        try {
            answers = co_await asio::co_spawn(executor_, std::move(sending),
                                              asio::cancel_after(patience_beside, asio::use_awaitable));
        } catch (const system_error&) {
            is_answered = false;
        }
    }
    if (is_stopping_)
        throw system_error{errc::stopped};
    const auto state = co_await asio::this_coro::cancellation_state;
    if (state.cancelled() != asio::cancellation_type::none)
        throw system_error{asio::error::operation_aborted};
    if (!is_answered)
        want_refresh(); // another node may have taken over
    co_return is_answered;
}

asio::awaitable<std::vector<reply>> cluster::exec_on_each(const redis::request& request, node_names& missing)
{
    const auto self = shared_from_this();
    const counted_call under_way{under_way_, state_changed_};
    co_await ready(patience::command_timeout);
    std::vector<node_ptr> all;
    for (const auto& where : sorted_primaries())
        all.push_back(node_at(where));
    std::vector<reply> answers;
    for (const auto& node : all) {
        if (missing.contains(name_of(node->where())))
            continue;
        reply answer;
        const bool is_answered = co_await exec_soon(node, request, answer);
        if (is_answered)
            answers.push_back(std::move(answer));
        else
            missing.insert(name_of(node->where()));
    }
    co_return answers;
}

asio::awaitable<node_answer> cluster::exec_on_nth(std::size_t which, const redis::request& request,
                                                  reply& answers, node_names& missing)
{
    const auto self = shared_from_this();
    const counted_call under_way{under_way_, state_changed_};
    co_await ready(patience::command_timeout);
    const auto primaries = sorted_primaries();
    if (which >= primaries.size())
        co_return node_answer::no_such_node;
    const auto name = name_of(primaries[which]);
    if (missing.contains(name))
        co_return node_answer::missing;
    const bool is_answered = co_await exec_soon(node_at(primaries[which]), request, answers);
    if (!is_answered)
        missing.insert(name);
    co_return is_answered ? node_answer::answered : node_answer::missing;
}

asio::awaitable<void> cluster::exec_where_reached(const redis::request& request, reply& answers,
                                                  node_names& missing)
{
    const auto self = shared_from_this();
    const counted_call under_way{under_way_, state_changed_};
    co_await ready(patience::command_timeout);
    routed_request route{request};
    const auto begun = clock::now();
    auto between = pauses();
    while (const auto* part = route.next()) {
        const auto node = node_for(*part);
        const auto name = node ? name_of(node->where()) : std::string{"a node of unassigned slots"};
        route.choose([&](const routed_part& other) { return node_for(other) == node; });
        reply got;
        bool is_answered = node && !missing.contains(name);
        if (is_answered)
            is_answered = co_await exec_soon(node, route.write(), got);
        if (!is_answered) {
            missing.insert(name);
            route.give_up(missing_node_error + name);
            continue;
        }
        const auto found = route.end(std::move(got), node->where());
        note(found);
        if (found.moved.empty() && !found.is_to_wait)
            continue;
        const auto limit =
            is_on_its_way(found.why) ? cluster::clock::duration{options_.command_timeout} : patience_beside;
        if (clock::now() < begun + limit)
            co_await pause(between, clock::time_point::max(), found.why);
        else
            missing.insert(name); // it does not know better
    }
    route.take_answers(answers);
}

} // namespace coworker::detail
