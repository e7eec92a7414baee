// SPDX-License-Identifier: MIT
#include "coworker/coworker.hpp"
#include "coworker/gateway.hpp"
#include "coworker/testing.hpp"

#include <boost/test/unit_test.hpp>

#include <optional>

using namespace coworker;
using namespace std::chrono_literals;
using std::chrono::milliseconds;

namespace {

template<class T>
T& value_in(T& member)
{
    return member;
}
template<class T>
T& value_in(std::optional<T>& member)
{
    return member.emplace();
}

/// Whatever an option is given, the clocks and Redis can add it to the present.
template<class Options, class... Members>
void check_bounds(Members Options::*... members)
{
    const auto check = [](auto member) {
        Options options;
        auto& value = value_in(options.*member);
        using type = std::remove_reference_t<decltype(value)>;
        for (const auto longest : {milliseconds::max(), milliseconds{option_duration::longest} + 1ms}) {
            value = std::chrono::duration_cast<std::chrono::seconds>(longest);
            BOOST_TEST((value == type::longest));
            value = -std::chrono::duration_cast<std::chrono::seconds>(longest);
            BOOST_TEST((value == -type::longest));
        }
        value = std::chrono::hours::max();
        BOOST_TEST((value == type::longest));
        value = std::chrono::years{300};
        BOOST_TEST((value == type::longest));
        value = 99 * std::chrono::days{365};
        BOOST_TEST((value == 99 * std::chrono::days{365}));
    };
    (check(members), ...);
}

} // namespace

/// Durations of options: a century at most.
BOOST_AUTO_TEST_SUITE(option_durations)

BOOST_AUTO_TEST_CASE(are_a_century_at_most_in_every_option)
{
    check_bounds(&client_options::connect_timeout, &client_options::command_timeout,
                 &client_options::health_check_interval, &client_options::reconnect_delay_minimum,
                 &client_options::reconnect_delay_maximum, &client_options::poll_interval);
    check_bounds(&push_options::unique_for, &push_options::delay);
    check_bounds(&unique_rule::unique_for);
    check_bounds(&managed_push_options::delay, &managed_push_options::timeout, &managed_push_options::expiry,
                 &managed_push_options::retention, &managed_push_options::result_retention);
    check_bounds(&recur_options::offset);
    check_bounds(&recurring_changes::interval);
    check_bounds(&managed_queue_settings::heartbeat);
    check_bounds(&forward_options::delay);
    check_bounds(&outcome::managed_part::value_retention);
    check_bounds(&exponential_backoff::initial, &exponential_backoff::maximum);
    check_bounds(&limit_settings::period);
    check_bounds(&batch_options::retention);
    check_bounds(&flow_options::result_retention);
    check_bounds(&schedule::every);
    check_bounds(&worker_options::shutdown_timeout);
    check_bounds(&handle_options::lease, &handle_options::timeout, &handle_options::expiry,
                 &handle_options::result_retention, &handle_options::worker_grace);
    check_bounds(&monitor_options::lease, &monitor_options::worker_grace);
    check_bounds(&job_taker_options::lease);
    check_bounds(&take_options::wait);
    check_bounds(&gateway_options::remember_ids, &gateway_options::confirmation_limit,
                 &gateway_options::lease, &gateway_options::idle_timeout, &gateway_options::header_timeout,
                 &gateway_options::body_timeout, &gateway_options::write_timeout,
                 &gateway_options::shutdown_timeout);
}

BOOST_AUTO_TEST_CASE(are_a_century_at_most_in_outcomes)
{
    BOOST_TEST((retry("later", milliseconds::max()).delay().value() == option_duration::longest));
    BOOST_TEST(
        (retry("later", std::chrono::hours::max(), "group").delay().value() == option_duration::longest));
    BOOST_TEST((success_with(1, milliseconds::max()).managed()->value_retention.value() ==
                option_duration::longest));
}

BOOST_AUTO_TEST_CASE(can_be_added_to_every_clock)
{
    const auto steady = std::chrono::steady_clock::now();
    const auto system = std::chrono::system_clock::now();
    const option_duration longest = milliseconds::max(), shortest = milliseconds::min();
    BOOST_TEST((steady + longest > steady + 24h * 365 * 99));
    BOOST_TEST((system + longest > system + 24h * 365 * 99));
    BOOST_TEST((steady + shortest < steady));
    BOOST_TEST((system + shortest < system));
    BOOST_TEST((longest * 10 > milliseconds::max() / 1'000'000'000)); // room to reckon with
}

BOOST_AUTO_TEST_CASE(are_used_like_other_durations)
{
    constexpr option_duration span = 90s;
    static_assert(span == 90'000ms && span.count() == 90'000);
    static_assert(option_duration{5} == 5ms && option_duration{} == 0ms);
    const milliseconds plain = span;
    const std::optional<milliseconds> maybe = std::optional<option_duration>{span};
    BOOST_TEST((plain + 1s == span + 1s));
    BOOST_TEST((maybe.value() == span));
    BOOST_TEST((std::chrono::floor<std::chrono::minutes>(span) == 1min));
}

BOOST_AUTO_TEST_SUITE_END()
