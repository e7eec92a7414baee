// SPDX-License-Identifier: MIT
#include "managed/limit_words.hpp"

#include "bounds.hpp"
#include "coworker/codec.hpp"
#include "managed/checks.hpp"
#include "managed/json_fields.hpp"
#include "text/bounded_time.hpp"

#include <boost/json/array.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

namespace coworker::detail {

namespace json = boost::json;

namespace {

void check_short_name(std::string_view name, std::string_view what)
{
    check_name(name, what);
    if (name.size() > max_name)
        throw explained_error{errc::invalid_option, std::string{what} + " has 256 bytes at most"};
}

/// [name, number]
std::pair<std::string_view, double> read_pair(const json::value& value, const char* complaint)
{
    const auto* pair = value.if_array();
    if (pair == nullptr || pair->size() < 2 || !(*pair)[0].is_string() || !(*pair)[1].is_number())
        throw system_error{errc::not_decodable, complaint};
    return {(*pair)[0].get_string(), (*pair)[1].to_number<double>()};
}

limit_state read_state(const json::value& value)
{
    const json_fields fields{value, "limit"};
    limit_state state;
    state.name = fields.text("name");
    state.is_set = fields.flag("set");
    if (fields.all().contains("max"))
        state.settings.max_running = fields.count("max");
    if (fields.all().contains("rate"))
        state.settings.rate = fields.count("rate");
    if (fields.all().contains("period"))
        state.settings.period = bounded_span_of_seconds(fields.number("period"));
    if (fields.all().contains("burst"))
        state.settings.burst = fields.count("burst");
    state.used = fields.count("used");
    state.waiting = fields.count("waiting");
    if (fields.all().contains("held"))
        state.held_for = bounded_span_of_seconds(std::ceil(fields.number("held") * 1000) / 1000);
    state.opens_in = bounded_span_of_seconds(std::ceil(fields.number("opens") * 1000) / 1000);
    return state;
}

} // namespace

} // namespace coworker::detail

std::string_view coworker::to_string(hold_kind what) noexcept
{
    switch (what) {
    case hold_kind::queue:
        return "queue";
    case hold_kind::limit:
        return "limit";
    case hold_kind::order_key:
        return "order_key";
    case hold_kind::group:
        return "group";
    }
    return "queue";
}

namespace coworker::detail {

void check_limit_name(std::string_view name)
{
    check_short_name(name, "a limit");
    if (!can_name_limit(name))
        throw explained_error{
            errc::invalid_option,
            "names of limits do not begin with 'order:', and have no '&' at an end and no '&&'"};
}

std::string_view word_of(hold_kind what) noexcept
{
    return what == hold_kind::order_key ? "order" : to_string(what);
}

void check_hold(const hold_target& what, std::chrono::milliseconds time)
{
    constexpr std::chrono::hours longest{400 * 24};
    if (time > longest)
        throw explained_error{errc::invalid_option, "a hold lasts 400 days at most"};
    if (what.kind == hold_kind::limit)
        return check_limit_name(what.name);
    if (what.kind == hold_kind::queue)
        return check_queue_name(what.name);
    check_short_name(what.name, what.kind == hold_kind::group ? "a group" : "an order key");
    if (what.kind == hold_kind::group)
        check_queue_name(what.queue);
}

void check_limits(const limit_list& limits)
{
    if (limits.size() > max_limits)
        throw explained_error{errc::invalid_option, "a job is subject to 16 limits at most"};
    for (auto limit = limits.begin(); limit != limits.end(); ++limit) {
        check_limit_name(limit->name());
        if (limit->units() < 1 || limit->units() > max_limit_units)
            throw explained_error{errc::invalid_option, "a job takes 1 to 1'000'000 units of a limit"};
        if (std::any_of(limits.begin(), limit,
                        [&](const auto& other) { return other.name() == limit->name(); }))
            throw explained_error{errc::invalid_option, "a limit is named twice: '" + limit->name() + "'"};
    }
}

void check_limit_options(const managed_push_options& options)
{
    check_limits(options.limits);
    if (options.order_key)
        check_short_name(*options.order_key, "an order key");
    if (options.group)
        check_short_name(*options.group, "a group");
}

void add_limit_options(managed_call& call, const managed_push_options& options)
{
    if (options.limits.is_given())
        call.add("limits").add(limits_text(options.limits));
    if (options.order_key)
        call.add("order").add(*options.order_key);
    if (options.group)
        call.add("group").add(*options.group);
}

std::string limits_text(const limit_list& limits)
{
    json::array list;
    for (const auto& limit : limits) {
        json::array each;
        each.emplace_back(limit.name());
        each.emplace_back(limit.units());
        list.emplace_back(std::move(each));
    }
    return encode_value(std::move(list)).value();
}

std::vector<limit_use> read_limit_uses(std::string_view text)
{
    const auto value = parse_answer(text);
    std::vector<limit_use> limits;
    for (const auto& each : list_of(value, "the limits")) {
        const auto [name, units] = read_pair(each, "a limit is not a name with units");
        limits.emplace_back(name, static_cast<std::uint32_t>(std::clamp(units, 0.0, 1e9)));
    }
    return limits;
}

std::vector<group_weight> read_group_weights(std::string_view text)
{
    const auto value = parse_answer(text);
    std::vector<group_weight> weights;
    for (const auto& each : list_of(value, "the weights")) {
        const auto [group, weight] = read_pair(each, "a weight is not a group with a number");
        weights.push_back({std::string{group}, weight});
    }
    return weights;
}

std::vector<limit_state> read_limit_states(std::string_view text)
{
    const auto value = parse_answer(text);
    std::vector<limit_state> limits;
    for (const auto& each : list_of(value, "the limits"))
        limits.push_back(read_state(each));
    return limits;
}

} // namespace coworker::detail
