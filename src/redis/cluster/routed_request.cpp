// SPDX-License-Identifier: MIT
#include "redis/cluster/routed_request.hpp"

#include "coworker/error.hpp"

#include <boost/redis/adapter/any_adapter.hpp>
#include <boost/redis/request.hpp>
#include <boost/redis/resp3/type.hpp>

#include <algorithm>
#include <utility>

namespace coworker::detail {
namespace {

namespace redis = boost::redis;

void push_words(redis::request& request, const request_part::words& words)
{
    if (words.size() == 1)
        request.push(words.front());
    else
        request.push_range(words.front(), words.begin() + 1, words.end());
}

} // namespace

routed_request::routed_request(const redis::request& request, std::optional<std::uint16_t> home)
    : whole_{request}
{
    for (auto& part : take_apart(request.payload(), home))
        parts_.push_back({std::move(part)});
}

const routed_part* routed_request::next() const noexcept
{
    const auto place =
        std::find_if(parts_.begin(), parts_.end(), [](const auto& part) { return !part.is_done; });
    return place == parts_.end() ? nullptr : &*place;
}

const redis::request& routed_request::write()
{
    const bool is_whole = sent_.size() == parts_.size() && !sent_.front()->ask;
    if (is_whole && std::exchange(is_whole_written_, true))
        return written_;
    is_whole_written_ = is_whole;
    if (is_whole) {
        written_ = whole_;
    } else {
        written_ = redis::request{};
        for (const auto* part : sent_) {
            if (part->ask)
                written_.push("ASKING");
            for (const auto& command : part->what.commands)
                push_words(written_, command);
        }
    }
    // It is not to wait for this node: another one may serve the slot by then.
    written_.get_config().cancel_if_not_connected = true;
    written_.get_config().cancel_on_connection_lost = true;
    return written_;
}

routed_request::findings routed_request::end(reply answers, const node_address& from)
{
    replies_.push_back(std::move(answers));
    const auto& tree = replies_.back().tree;
    const reply_node* at = tree.begin();
    const auto take_answer = [&] {
        if (at == tree.end())
            throw_unexpected_answer("fewer answers than commands");
        const auto* const first = at++;
        while (at != tree.end() && at->depth != 0)
            ++at;
        return reply::answer{first, at};
    };
    findings found;
    for (auto* part : sent_) {
        if (part->ask)
            take_answer(); // to ASKING
        part->answers.clear();
        for (std::size_t i = 0; i != part->what.commands.size(); ++i)
            part->answers.push_back(take_answer());
        part->ask.reset();
        judge(*part, from, found);
        found.is_any_done = found.is_any_done || part->is_done;
    }
    sent_.clear();
    return found;
}

void routed_request::give_up(const std::string& error)
{
    for (auto* part : sent_) {
        part->given_up = error;
        part->is_done = true;
    }
    sent_.clear();
}

void routed_request::judge(routed_part& part, const node_address& from, findings& found)
{
    using reason = cluster_refusal::reason;
    const auto& last = part.answers.back();
    auto refused = last.is_error() ? read_refusal(last.first->value, from) : std::nullopt;
    part.is_done = !refused || refused->why == reason::read_only;
    if (part.is_done)
        return;
    found.why = last.first->value;
    // While a slot is on its way, its keys are in two places. A script may touch more keys than it names, and would
    // find a part of them: so it waits until all have arrived. So does what has been prepared: that would be undone by
    // ASKING.
    const bool is_simple = !part.what.is_script && part.what.commands.size() == 1;
    if (refused->why == reason::moved)
        found.moved.push_back(std::move(*refused));
    else if (refused->why == reason::asks && is_simple && !refused->where.host.empty())
        part.ask = std::move(refused->where);
    else
        found.is_to_wait = true;
}

void routed_request::take_answers(reply& to)
{
    const bool is_whole =
        std::all_of(parts_.begin(), parts_.end(), [](const auto& part) { return part.given_up.empty(); });
    if (replies_.size() == 1 && is_whole) {
        to = std::move(replies_.front());
        return;
    }
    redis::any_adapter adapter{to.tree};
    const auto add = [&](std::span<const reply_node> nodes) {
        adapter.on_init();
        for (const auto& node : nodes) {
            error_code ec;
            adapter.on_node(node, ec);
        }
        adapter.on_done();
    };
    for (const auto& part : parts_) {
        const reply_node error{redis::resp3::type::simple_error, 1, 0, part.given_up};
        if (!part.given_up.empty())
            for (std::size_t i = 0; i != part.what.commands.size(); ++i)
                add({&error, 1});
        else
            for (const auto& answer : part.answers)
                add({answer.first, answer.last});
    }
}

} // namespace coworker::detail
