// SPDX-License-Identifier: MIT
#include "redis/cluster/cluster.hpp"
#include "redis/confirmed_writes.hpp"
#include "redis/connection/connection.hpp"
#include "redis/counted_call.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/redis/adapter/any_adapter.hpp>
#include <boost/redis/resp3/type.hpp>

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

/// How calls are sent whose writes are confirmed: those that wait for their turn go together.
namespace coworker::detail {

namespace redis = boost::redis;

namespace {

/// Reads the answers of each call into its reply, and that to the command behind them into another.
redis::any_adapter read_apart(confirmed_round& round, reply& last)
{
    struct target
    {
        redis::any_adapter adapter;
        std::size_t left;
    };
    std::vector<target> targets;
    for (auto& each : round.calls)
        targets.push_back({redis::any_adapter{each.answers.tree}, each.commands});
    targets.push_back({redis::any_adapter{last.tree}, std::size_t{1}});
    using event = redis::any_adapter::parse_event;
    return redis::any_adapter{
        [targets = std::move(targets), at = std::size_t{0}](event what, const redis::resp3::node_view& node,
                                                            boost::system::error_code& ec) mutable {
            auto& to = targets[at];
            if (what == event::init)
                to.adapter.on_init();
            else if (what == event::node)
                to.adapter.on_node(node, ec);
            else {
                to.adapter.on_done();
                if (--to.left == 0 && at + 1 != targets.size())
                    ++at;
            }
        }};
}

bool has_refusal(const reply& answers)
{
    return std::any_of(answers.tree.begin(), answers.tree.end(), [](const reply_node& node) {
        return node.depth == 0 && reply::answer{&node, &node + 1}.is_error();
    });
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

asio::awaitable<void> connection::exec_and_judge(const redis::request& request, reply& answers)
{
    std::exception_ptr unconfirmed;
    co_await exec_confirmed(request, answers, unconfirmed);
    if (unconfirmed && !has_refusal(answers)) // what was refused is not queued
        std::rethrow_exception(unconfirmed);
}

asio::awaitable<void> connection::exec_confirmed(const redis::request& request, reply& answers,
                                                 std::exception_ptr& unconfirmed)
{
    const auto self = shared_from_this(); // the client may be destroyed meanwhile
    check_thread();
    if (cluster_) {
        co_await cluster_->exec_confirmed(request, answers, confirmed_->wanted, unconfirmed, slot_);
        co_return;
    }
    const counted_call under_way{requests_under_way_, state_changed_};
    std::optional<clock::time_point> deadline;
    do {
        const auto round = join_round(request);
        auto& mine = round->calls.back();
        while (!round->is_done)
            co_await state_changed_.wait();
        if (round->failure)
            std::rethrow_exception(round->failure);
        answers = std::move(mine.answers);
        unconfirmed = round->unconfirmed;
        deadline = deadline.value_or(round->deadline);
    } while (is_to_be_repeated(answers, *deadline));
}

/// Adds a call to the round that is sent next. It is the last one in there.
std::shared_ptr<confirmed_round> connection::join_round(const redis::request& request)
{
    auto& gathering = confirmed_->gathering;
    const bool is_first = !gathering || is_full_push(0, gathering->request.payload().size());
    if (is_first) {
        gathering = std::make_shared<confirmed_round>();
        gathering->request.get_config() = request.get_config();
    }
    const auto round = gathering;
    round->request.append(request);
    round->calls.push_back({request.get_expected_responses()});
    if (is_first)
        asio::co_spawn(executor_, carry_out(round),
                       [self = shared_from_this(), round](const std::exception_ptr& why) {
                           round->failure = why;
                           round->is_done = true;
                           self->state_changed_.notify();
                       });
    return round;
}

/// A round ends by itself, whichever of its calls are cancelled meanwhile: others are in it.
asio::awaitable<void> connection::carry_out(std::shared_ptr<confirmed_round> round)
{
    const auto self = shared_from_this();
    const counted_call under_way{requests_under_way_, state_changed_};
    auto& mine = *confirmed_;
    while (mine.is_under_way)
        co_await state_changed_.wait();
    const confirming_turn turn{mine.is_under_way, state_changed_};
    if (mine.gathering == round)
        mine.gathering.reset();
    co_await send_round(*round);
}

asio::awaitable<void> connection::send_round(confirmed_round& round)
{
    if (!fit_ || stopping_)
        co_await ready();
    const auto& wanted = confirmed_->wanted;
    const auto means = co_await find_means(patience::command_timeout);
    write_confirmation(round.request, means, wanted);
    round.deadline = deadline_of(patience::command_timeout);
    if (!may_send())
        co_await pass_gate(round.deadline);
    reply confirmation;
    if (const auto ec = co_await send(round.request, read_apart(round, confirmation), round.deadline))
        std::rethrow_exception(reason(ec, false, round.deadline));
    round.unconfirmed = why_unconfirmed(confirmation, means, wanted);
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
    co_await exec_confirmed(request, answers, unconfirmed);
    if (answers.back().says_script_is_missing()) {
        reply loaded;
        const auto again = with_script(what, request);
        co_await exec_confirmed(again, loaded, unconfirmed);
        answers = std::move(loaded);
    }
    answers.throw_if_error();
    co_return answers;
}

} // namespace coworker::detail
