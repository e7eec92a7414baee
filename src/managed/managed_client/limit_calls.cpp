// SPDX-License-Identifier: MIT
#include "coworker/managed_client.hpp"
#include "managed/checks.hpp"
#include "managed/limit_words.hpp"
#include "text/bounded_time.hpp"
#include "text/numbers.hpp"

#include <cmath>

/// The limits of a prefix.
namespace coworker {

using namespace detail;

namespace {

constexpr std::uint64_t most_units = 1'000'000'000;

void check_settings(const limit_settings& settings)
{
    if (settings.max_running.value_or(0) > most_units || settings.rate.value_or(0) > most_units ||
        settings.burst > most_units)
        throw explained_error{errc::invalid_option, "a limit counts a billion units at most"};
    if (settings.burst < 1)
        throw explained_error{errc::invalid_option, "a burst is one unit or more"};
    if (settings.period < std::chrono::milliseconds{1} || settings.period > std::chrono::hours{24 * 1000})
        throw explained_error{errc::invalid_option, "a period lasts from a millisecond to 1000 days"};
    if (!settings.max_running && !settings.rate)
        throw explained_error{errc::invalid_option, "a limit needs max_running or rate; remove it otherwise"};
}

limit_state read_one(const reply::answer& answer)
{
    auto states = read_limit_states(answer.text());
    if (states.size() != 1)
        throw system_error{errc::not_decodable, "not one limit"};
    return std::move(states.front());
}

managed_call hold_call(const std::string& prefix, const hold_target& what)
{
    managed_call call{prefix, "hold"};
    call.add(word_of(what.kind)).add(what.name).add(what.queue);
    return call;
}

std::chrono::milliseconds read_hold(const reply::answer& answer)
{
    const auto seconds = to_number<double>(answer.text());
    return bounded_span_of_seconds(std::ceil(seconds.value_or(0) * 1000) / 1000);
}

} // namespace

asio::awaitable<void> managed_client::hold(const hold_target& what, std::chrono::milliseconds time) const
{
    check_hold(what, time);
    auto call = hold_call(options_.prefix, what);
    call.add_seconds(time);
    return tell(*redis_, std::move(call));
}

asio::awaitable<std::chrono::milliseconds> managed_client::held_for(const hold_target& what) const
{
    check_hold(what, {});
    return tell(*redis_, hold_call(options_.prefix, what), read_hold);
}

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

} // namespace coworker
