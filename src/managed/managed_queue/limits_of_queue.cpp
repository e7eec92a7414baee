// SPDX-License-Identifier: MIT
#include "coworker/managed_queue.hpp"
#include "managed/checks.hpp"
#include "managed/limit_words.hpp"

#include <cmath>

/// The limits of a queue, and the weights of its groups.
namespace coworker {

using namespace detail;

asio::awaitable<void> managed_queue::set_limits(limit_list limits) const
{
    check_limits(limits);
    managed_call call{options_.prefix, "queue_limits"};
    call.add(name_).add(limits_text(limits));
    return tell(*redis_, std::move(call));
}

asio::awaitable<std::vector<limit_use>> managed_queue::limits() const
{
    managed_call call{options_.prefix, "queue_limits"};
    call.add(name_);
    return tell(
        *redis_, std::move(call),
        +[](const reply::answer& answer) { return read_limit_uses(answer.text()); });
}

asio::awaitable<void> managed_queue::set_group_weight(std::string_view group, double weight) const
{
    constexpr double least = 0.001, most = 1000;
    check_name(group, "a group");
    if (!std::isfinite(weight) || weight < least || weight > most)
        throw explained_error{errc::invalid_option, "a weight is a number from 0.001 to 1000"};
    managed_call call{options_.prefix, "group_weight"};
    call.add(name_).add(group).add_number(weight);
    return tell(*redis_, std::move(call));
}

asio::awaitable<std::vector<group_weight>> managed_queue::group_weights() const
{
    managed_call call{options_.prefix, "group_weight"};
    call.add(name_);
    return tell(
        *redis_, std::move(call),
        +[](const reply::answer& answer) { return read_group_weights(answer.text()); });
}

} // namespace coworker
