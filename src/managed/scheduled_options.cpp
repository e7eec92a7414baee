// SPDX-License-Identifier: MIT
#include "managed/scheduled_options.hpp"

#include "text/json_object.hpp"
#include "text/json_spans.hpp"

#include <algorithm>
#include <array>

namespace coworker::detail {
namespace {

/// Whether the value of an option is JSON: a number or a list. The others are texts, even if they look like JSON.
bool is_json_option(std::string_view name)
{
    static constexpr std::array<std::string_view, 4> names = {"priority", "retries", "tags", "limits"};
    return std::find(names.begin(), names.end(), name) != names.end();
}

void add_option(json_object& all, const std::string& name, const std::string& value)
{
    if (name == "options") // those that qless does not know
        for (const auto& each : members_of(value))
            all.json(each.name, each.value);
    else if (is_json_option(name) && is_json(value))
        all.json(name, value);
    else
        all.text(name == "order" ? "order_key" : name, value);
}

} // namespace

std::string scheduled_options_text(std::string_view words)
{
    json_object all;
    const auto list = elements_of(words);
    for (std::size_t i = 0; i + 1 < list.size(); i += 2)
        if (list[i].starts_with('"') && list[i + 1].starts_with('"'))
            add_option(all, string_of(list[i]), string_of(list[i + 1]));
    return all.str();
}

} // namespace coworker::detail
