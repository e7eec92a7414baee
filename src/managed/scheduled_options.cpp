// SPDX-License-Identifier: MIT
#include "managed/scheduled_options.hpp"

#include "coworker/error.hpp"
#include "managed/json_fields.hpp"
#include "managed/limit_words.hpp"
#include "managed/own_options.hpp"
#include "managed/unique_key.hpp"
#include "text/json_spans.hpp"
#include "text/numbers.hpp"

#include <chrono>
#include <cmath>
#include <map>
#include <string>

namespace coworker::detail {
namespace {

/// The values that are stored, by their names.
std::map<std::string, std::string> read_words(std::string_view words)
{
    std::map<std::string, std::string> all;
    const auto list = elements_of(words);
    for (std::size_t i = 0; i + 1 < list.size(); i += 2)
        if (list[i].starts_with('"') && list[i + 1].starts_with('"'))
            all.insert_or_assign(string_of(list[i]), string_of(list[i + 1]));
    return all;
}

limit_list limits_in(const std::string& json)
{
    auto limits = limit_list::none();
    try {
        for (const auto& each : read_limit_uses(json))
            limits.push_back(each);
    } catch (const system_error&) { // no list of limits
        return {};
    }
    return limits;
}

/// Until when a job has its key: a word, or for how many seconds.
void read_until(const std::string& value, unique_rule& into)
{
    const auto seconds = to_number<double>(value);
    if (value == to_string(unique_until::started))
        into.until = unique_until::started;
    else if (seconds && *seconds > 0 && *seconds < 1e9)
        into.unique_for = std::chrono::milliseconds{std::llround(*seconds * 1000)};
}

/// Those that are stored, by their words in Redis.
void read_option(std::string_view word, const std::string& value, managed_push_options& into)
{
    if (word == "priority")
        into.priority = to_number<double>(value);
    else if (word == "retries")
        into.retries = to_number<unsigned>(value);
    else if (word == "tags")
        into.tags = stored_texts(value);
    else if (word == "limits")
        into.limits = limits_in(value);
    else if (word == "order")
        into.order_key = value;
    else if (word == "group")
        into.group = value;
    else if (word == "options")
        read_given_options(value, into);
    else if (word == "conflict")
        into.unique.conflict = conflict_of(value);
    else if (word == "until")
        read_until(value, into.unique);
}

} // namespace

managed_push_options read_scheduled_options(std::string_view words, std::string_view kind,
                                            std::string_view data)
{
    managed_push_options options;
    const auto stored = read_words(words);
    if (const auto key = stored.find("unique"); key != stored.end())
        options.unique = rule_of_key(key->second, kind, data);
    for (const auto& [word, value] : stored)
        read_option(word, value, options);
    return options;
}

} // namespace coworker::detail
