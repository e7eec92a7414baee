// SPDX-License-Identifier: MIT
#include "managed/scheduled_options.hpp"

#include "coworker/error.hpp"
#include "managed/limit_words.hpp"
#include "managed/unique_key.hpp"
#include "text/json_object.hpp"
#include "text/json_spans.hpp"
#include "text/numbers.hpp"

#include <array>
#include <map>

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

void add_json(json_object& all, std::string_view name, const std::string& value)
{
    all.json_or_text(name, value);
}

void add_limits(json_object& all, std::string_view name, const std::string& value)
{
    try {
        all.objects(name, read_limit_uses(value), [](const limit_use& limit) {
            return json_object{}.text("name", limit.name()).number("units", limit.units());
        });
    } catch (const system_error&) {
        all.text(name, value);
    }
}

void add_text(json_object& all, std::string_view name, const std::string& value)
{
    all.text(name, value);
}

/// Those that qless does not know.
void add_own_options(json_object& all, std::string_view, const std::string& value)
{
    for (const auto& each : members_of(value))
        all.json(each.name, each.value);
}

struct stored_option
{
    std::string_view word, name;
    void (*add)(json_object& all, std::string_view name, const std::string& value);
};

constexpr std::array<stored_option, 7> stored_options{{
    {"priority", "priority", add_json},
    {"retries", "retries", add_json},
    {"tags", "tags", add_json},
    {"limits", "limits", add_limits},
    {"order", "order_key", add_text},
    {"group", "group", add_text},
    {"options", "", add_own_options},
}};

json_object described(const unique_rule& rule)
{
    json_object out;
    if (rule.whole_payload)
        out.boolean("whole_payload", true);
    else if (rule.fields.is_given())
        out.texts("fields", {rule.fields.begin(), rule.fields.end()});
    else
        out.text("key", rule.key);
    return out;
}

} // namespace

std::string scheduled_options_text(std::string_view words, std::string_view kind, std::string_view data)
{
    json_object all;
    const auto stored = read_words(words);
    for (const auto& each : stored_options)
        if (const auto found = stored.find(std::string{each.word}); found != stored.end())
            each.add(all, each.name, found->second);
    const auto key = stored.find("unique");
    if (key == stored.end())
        return all.str();
    auto unique = described(rule_of_key(key->second, kind, data));
    if (const auto until = stored.find("until"); until != stored.end()) {
        if (to_number<double>(until->second))
            unique.json("unique_for", until->second);
        else
            unique.text("until", until->second);
    }
    if (const auto conflict = stored.find("conflict"); conflict != stored.end())
        unique.text("on_conflict", conflict_of(conflict->second));
    return all.object("unique", unique).str();
}

} // namespace coworker::detail
