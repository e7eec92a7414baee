// SPDX-License-Identifier: MIT
#include "coworker/managed_client.hpp"
#include "coworker/managed_queue.hpp"
#include "managed/checks.hpp"
#include "managed/limit_words.hpp"

#include <cmath>

/// Limits, and the weights of groups.
namespace coworker {

using namespace detail;

namespace {

constexpr std::uint64_t most_units = 1'000'000'000;

void check_settings(const limit_settings& settings)
{
    if (settings.max_running.value_or(0) > most_units || settings.rate.value_or(0) > most_units ||
        settings.burst > most_units)
        throw system_error{errc::invalid_option, "a limit counts a billion units at most"};
    if (settings.burst < 1)
        throw system_error{errc::invalid_option, "a burst is one unit or more"};
    if (settings.period < std::chrono::milliseconds{1} || settings.period > std::chrono::hours{24 * 1000})
        throw system_error{errc::invalid_option, "a period lasts from a millisecond to 1000 days"};
    if (!settings.max_running && !settings.rate)
        throw system_error{errc::invalid_option, "a limit needs max_running or rate; remove it otherwise"};
}

limit_state read_one(const reply::answer& answer)
{
    auto states = read_limit_states(answer.text());
    if (states.size() != 1)
        throw system_error{errc::not_decodable, "not one limit"};
    return std::move(states.front());
}

} // namespace

asio::awaitable<void> managed_client::set_limit(std::string_view name, limit_settings settings) const
{
    check_limit_name(name);
    check_settings(settings);
    managed_call call{options_.prefix, "limit_set"};
    call.add(name);
    if (settings.max_running)
        call.add("max").add_number(*settings.max_running);
    if (settings.rate)
        call.add("rate")
            .add_number(*settings.rate)
            .add("period")
            .add_seconds(settings.period)
            .add("burst")
            .add_number(settings.burst);
    return tell(*redis_, std::move(call));
}

asio::awaitable<void> managed_client::remove_limit(std::string_view name) const
{
    check_limit_name(name);
    managed_call call{options_.prefix, "limit_set"};
    call.add(name);
    return tell(*redis_, std::move(call));
}

asio::awaitable<limit_state> managed_client::limit(std::string_view name) const
{
    check_limit_name(name);
    managed_call call{options_.prefix, "limit_get"};
    call.add(name);
    return tell(*redis_, std::move(call), read_one);
}

asio::awaitable<std::vector<limit_state>> managed_client::limits() const
{
    return tell(
        *redis_, managed_call{options_.prefix, "limit_get"},
        +[](const reply::answer& answer) { return read_limit_states(answer.text()); });
}

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
        throw system_error{errc::invalid_option, "a weight is a number from 0.001 to 1000"};
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
