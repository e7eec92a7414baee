// SPDX-License-Identifier: MIT
#include "redis/confirmed_writes.hpp"
#include "redis/connection.hpp"
#include "redis/counted_call.hpp"

#include <boost/redis/adapter/any_adapter.hpp>
#include <boost/redis/resp3/type.hpp>

#include <algorithm>
#include <utility>

/// The connections whose writes are confirmed.
namespace coworker::detail {

namespace redis = boost::redis;

namespace {

/// Redis looks only so often whether the time of a WAIT is over.
constexpr std::chrono::milliseconds delay_of_limit{200};

/// Reads the answers to the first commands into one reply, and that of the last into another.
redis::any_adapter read_apart(std::size_t commands, reply& first, reply& last)
{
    using event = redis::any_adapter::parse_event;
    return redis::any_adapter{
        [left = commands, to_first = redis::any_adapter{first.tree}, to_last = redis::any_adapter{last.tree}](
            event what, const redis::resp3::node_view& node, boost::system::error_code& ec) mutable {
            auto& to = left != 0 ? to_first : to_last;
            if (what == event::init)
                to.on_init();
            else if (what == event::node)
                to.on_node(node, ec);
            else {
                to.on_done();
                left -= left != 0 ? 1u : 0u;
            }
        }};
}

bool has_refusal(const reply& answers)
{
    return std::any_of(answers.tree.begin(), answers.tree.end(), [](const reply_node& node) {
        return node.depth == 0 && reply::answer{&node, &node + 1}.is_error();
    });
}

/// Only what needs attention is told of a connection that users do not know of.
std::function<void(const event&)> warnings_of(std::function<void(const event&)> on_event)
{
    if (!on_event)
        return {};
    return [tell = std::move(on_event)](const event& what) {
        if (what.kind == event_kind::warning)
            tell(what);
    };
}

/// While its last member lives, nobody else has the turn.
class confirming_turn
{
public:
    confirming_turn(bool& taken, signal& freed) : taken_{taken}, freed_{freed} { taken_ = true; }
    ~confirming_turn()
    {
        taken_ = false;
        freed_.notify();
    }
    confirming_turn(const confirming_turn&) = delete;
    confirming_turn& operator=(const confirming_turn&) = delete;

private:
    bool& taken_;
    signal& freed_;
};

} // namespace

std::shared_ptr<connection> connection::confirming(const durability& wanted)
{
    if (wanted == durability::memory())
        return shared_from_this();
    if (cluster_)
        throw system_error{errc::not_supported,
                           "nothing is confirmed in a Redis Cluster; use durability::memory()"};
    const std::lock_guard lock{confirming_mutex_};
    for (const auto& each : confirming_)
        if (each->confirmed_->wanted == wanted)
            return each;
    auto how = options_;
    const auto longer = wanted.limit() + delay_of_limit;
    if (how.command_timeout.count() != 0)
        how.command_timeout += longer;
    if (how.health_check_interval.count() != 0) // Redis answers nothing else meanwhile
        how.health_check_interval += 2 * longer;
    how.tracking = false;
    how.thread_safe = false; // the executor is a strand already
    how.on_event = warnings_of(std::move(how.on_event));
    how.client_name = options_.client_name.str() + ":confirmed";
    auto made = std::make_shared<connection>(executor_, std::move(how));
    made->confirmed_ = std::make_unique<confirmed_writes>(wanted);
    if (stopping_)
        made->abandon();
    return confirming_.emplace_back(std::move(made));
}

std::vector<std::shared_ptr<connection>> connection::all_confirming()
{
    const std::lock_guard lock{confirming_mutex_};
    return confirming_;
}

asio::awaitable<void> connection::exec_and_judge(const redis::request& request, reply& answers,
                                                 patience how_long)
{
    std::exception_ptr unconfirmed;
    co_await exec_confirmed(request, answers, unconfirmed, how_long);
    if (unconfirmed && !has_refusal(answers)) // what was refused is not queued
        std::rethrow_exception(unconfirmed);
}

asio::awaitable<void> connection::exec_confirmed(const redis::request& request, reply& answers,
                                                 std::exception_ptr& unconfirmed, patience how_long)
{
    const auto self = shared_from_this(); // the client may be destroyed meanwhile
    check_thread();
    const counted_call under_way{requests_under_way_, state_changed_};
    auto& mine = *confirmed_;
    while (mine.is_under_way)
        co_await state_changed_.wait();
    const confirming_turn turn{mine.is_under_way, state_changed_};
    if (!fit_ || stopping_)
        co_await ready(how_long);
    const auto means = co_await find_means(how_long);
    auto whole = request;
    write_confirmation(whole, means, mine.wanted);
    const auto deadline = deadline_of(how_long);
    reply confirmation;
    do {
        confirmation.tree.clear();
        if (barred_)
            co_await ready_until(deadline);
        const auto into = read_apart(request.get_expected_responses(), answers, confirmation);
        if (const auto ec = co_await send(whole, into, deadline)) {
            const auto state = co_await asio::this_coro::cancellation_state;
            std::rethrow_exception(reason(ec, state.cancelled() != asio::cancellation_type::none, deadline));
        }
    } while (is_to_be_repeated(answers, deadline));
    unconfirmed = why_unconfirmed(confirmation, means, mine.wanted);
}

asio::awaitable<reply> connection::call(const script& what, const script_arguments& arguments,
                                        std::exception_ptr& unconfirmed)
{
    if (!confirmed_)
        co_return co_await call(what, arguments);
    const auto self = shared_from_this();
    redis::request request;
    push_call(request, what, arguments);
    reply answers;
    co_await exec_confirmed(request, answers, unconfirmed, patience::command_timeout);
    if (answers.back().says_script_is_missing()) {
        redis::request load;
        load.push("SCRIPT", "LOAD", what.text);
        reply loaded;
        co_await exec_plain(load, loaded, patience::command_timeout); // nothing to confirm
        loaded.throw_if_error();
        answers = {};
        co_await exec_confirmed(request, answers, unconfirmed, patience::command_timeout);
    }
    answers.throw_if_error();
    co_return answers;
}

asio::awaitable<void> connection::check_means()
{
    const auto self = shared_from_this();
    co_await ready(patience::unlimited);
    (void)co_await find_means(patience::unlimited);
}

/// By what command this server says that writes are as durable as was asked for.
asio::awaitable<confirmation> connection::find_means(patience how_long)
{
    auto& mine = *confirmed_;
    if (mine.wanted.asked_for() == durability::level::replicated)
        co_return confirmation::wait;
    if (mine.means && mine.known_since == connecting_since_)
        co_return *mine.means;
    redis::request question;
    write_question(question);
    reply answers;
    co_await exec_plain(question, answers, how_long);
    mine.means = read_means(answers);
    mine.known_since = connecting_since_;
    co_return *mine.means;
}

} // namespace coworker::detail
