// SPDX-License-Identifier: MIT
#include "redis/confirming_connection/confirming_connection.hpp"
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

/// One request of those calls that have not ended meanwhile.
redis::request write_calls(confirmed_round& round)
{
    redis::request all;
    for (auto& each : round.calls)
        if (const auto* const what = std::exchange(each.request, nullptr)) {
            if (all.get_commands() == 0)
                all.get_config() = what->get_config();
            all.append(*what);
            each.commands = what->get_expected_responses();
        }
    return all;
}

/// The place of a call in a round. A call that ends before the round is sent is not carried out.
class place_in_round
{
public:
    explicit place_in_round(std::shared_ptr<confirmed_round> round)
        : round_{std::move(round)}, call_{round_->calls.back()}
    {}
    ~place_in_round() { call_.request = nullptr; }
    place_in_round(const place_in_round&) = delete;
    place_in_round& operator=(const place_in_round&) = delete;

    const confirmed_round& round() const noexcept { return *round_; }
    bool is_sent() const noexcept { return call_.request == nullptr; }
    reply take_answers() { return std::move(call_.answers); }

private:
    std::shared_ptr<confirmed_round> round_;
    confirmed_round::call& call_;
};

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
        if (each.commands != 0)
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

asio::awaitable<void> confirming_connection::exec_confirmed(const redis::request& request, reply& answers,
                                                            std::exception_ptr& unconfirmed)
{
    return exec_confirmed_by(clock::time_point::max(), request, answers, unconfirmed);
}

asio::awaitable<void> confirming_connection::exec_confirmed_by(clock::time_point latest,
                                                               const redis::request& request, reply& answers,
                                                               std::exception_ptr& unconfirmed)
{
    const auto self = shared_from_this(); // the client may be destroyed meanwhile
    check_thread();
    const counted_call under_way{requests_under_way_, state_changed_};
    const auto deadline = std::min(deadline_of(patience::command_timeout), latest);
    asio::steady_timer timeout{get_executor(), deadline};
    if (deadline != clock::time_point::max())
        timeout.async_wait([this, self](error_code ec) {
            if (!ec)
                state_changed_.notify();
        });
    do {
        place_in_round mine{join_round(request, deadline)};
        while (!mine.round().is_done) {
            if (clock::now() >= deadline) {
                if (!mine.is_sent())
                    throw_if_unusable(deadline);
                std::rethrow_exception(reason(asio::error::operation_aborted, false, deadline));
            }
            co_await state_changed_.wait();
        }
        if (mine.round().failure)
            std::rethrow_exception(mine.round().failure);
        answers = mine.take_answers();
        unconfirmed = mine.round().unconfirmed;
    } while (is_to_be_repeated(answers, deadline));
}

/// Adds a call to the round that is sent next. It is the last one in there.
std::shared_ptr<confirmed_round> confirming_connection::join_round(const redis::request& request,
                                                                   clock::time_point deadline)
{
    const bool is_first = !gathering_ || is_full_push(0, gathering_->bytes);
    if (is_first)
        gathering_ = std::make_shared<confirmed_round>();
    const auto round = gathering_;
    round->bytes += request.payload().size();
    round->deadline = std::max(round->deadline, deadline);
    round->calls.push_back({&request});
    if (is_first)
        asio::co_spawn(get_executor(), carry_out_round(round),
                       [this, self = shared_from_this(), round](const std::exception_ptr& why) {
                           round->failure = why;
                           round->is_done = true;
                           state_changed_.notify();
                       });
    return round;
}

/// A round ends by itself, whichever of its calls end meanwhile: others are in it.
asio::awaitable<void> confirming_connection::carry_out_round(std::shared_ptr<confirmed_round> round)
{
    const auto self = shared_from_this();
    const counted_call under_way{requests_under_way_, state_changed_};
    while (is_under_way_)
        co_await state_changed_.wait();
    const confirming_turn turn{is_under_way_, state_changed_};
    if (gathering_ == round)
        gathering_.reset();
    co_await send_round(*round);
}

asio::awaitable<void> confirming_connection::send_round(confirmed_round& round)
{
    if (!has_been_ready())
        co_await ready_by(round.deadline);
    confirmation means{};
    do { // a new connection may be to another server, which has other means
        if (!may_send())
            co_await pass_gate(round.deadline);
        means = co_await find_means(round.deadline);
    } while (!may_send());
    auto request = write_calls(round);
    if (request.get_commands() == 0)
        co_return;
    write_confirmation(request, means, wanted_);
    reply confirmation;
    if (const auto ec = co_await send(request, read_apart(round, confirmation), round.deadline))
        std::rethrow_exception(reason(ec, false, round.deadline));
    round.unconfirmed = why_unconfirmed(confirmation, means, wanted_);
}

} // namespace coworker::detail
