// SPDX-License-Identifier: MIT
#include "json/shown_options.hpp"

#include "text/times.hpp"
#include "json/job_text.hpp"
#include "json/limit_text.hpp"
#include "json/push_options.hpp"

#include <algorithm>

namespace coworker::detail {
namespace {

using milliseconds = std::chrono::milliseconds;

template<class Values, class Text>
std::string joined(const Values& values, Text text_of)
{
    std::string all;
    for (const auto& each : values)
        all += (all.empty() ? "" : ", ") + text_of(each);
    return all;
}

// Each type of value: how it is described in JSON, what people see, and its schema.

void add(json_object& out, std::string_view name, const std::string& value, json_for)
{
    out.text_if_any(name, value);
}

std::string text_of(const std::string& value)
{
    return value;
}

std::string schema_of(const std::string&)
{
    return R"("type":["string","null"])";
}

void add(json_object& out, std::string_view name, bool value, json_for)
{
    out.boolean(name, value);
}

std::string text_of(bool value)
{
    return value ? "yes" : "";
}

std::string schema_of(bool)
{
    return R"("type":"boolean")";
}

void add(json_object& out, std::string_view name, const std::optional<milliseconds>& value, json_for)
{
    if (value)
        out.number(name, in_seconds(*value));
}

std::string text_of(const std::optional<milliseconds>& value)
{
    return value ? format_span(*value) : "";
}

std::string schema_of(const std::optional<milliseconds>&)
{
    return R"("type":"number")";
}

void add(json_object& out, std::string_view name, const std::optional<timestamp>& value, json_for)
{
    out.time(name, value);
}

std::string text_of(const std::optional<timestamp>& value)
{
    return value ? format_rfc3339_short(*value) : "";
}

std::string schema_of(const std::optional<timestamp>&)
{
    return R"("type":["string","null"])";
}

void add(json_object& out, std::string_view name, const std::vector<std::string>& values, json_for)
{
    if (!values.empty())
        out.texts(name, values);
}

std::string text_of(const std::vector<std::string>& values)
{
    return joined(values, [](const auto& each) { return each; });
}

std::string schema_of(const std::vector<std::string>&)
{
    return R"("type":"array","items":{"type":"string"})";
}

void add(json_object& out, std::string_view name, const std::vector<limit_use>& limits, json_for reader)
{
    out.objects(name, limits, [&](const auto& each) { return describe(each, reader); });
}

std::string text_of(const std::vector<limit_use>& limits)
{
    return joined(limits, [](const auto& each) {
        return each.name() + (each.units() == 1 ? "" : "=" + std::to_string(each.units()));
    });
}

std::string schema_of(const std::vector<limit_use>&)
{
    return R"("type":"array","items":{"type":"object","required":["name","units"],)"
           R"("properties":{"name":{"type":"string"},"units":{"type":"integer","minimum":1}}})";
}

void add(json_object& out, std::string_view name, const std::map<std::string, std::string>& values, json_for)
{
    out.texts_by_name(name, values);
}

std::string text_of(const std::map<std::string, std::string>& values)
{
    return joined(values, [](const auto& each) { return each.first + "=" + each.second; });
}

std::string schema_of(const std::map<std::string, std::string>&)
{
    return R"("type":"object")";
}

void add(json_object& out, std::string_view name, const std::optional<parent_failure>& value, json_for)
{
    if (value)
        out.text(name, to_string(*value));
}

std::string text_of(const std::optional<parent_failure>& value)
{
    return value ? std::string{to_string(*value)} : "";
}

std::string schema_of(const std::optional<parent_failure>&)
{
    const auto row = std::ranges::find(options_of_push(), "on_parent_failure", &push_option::name);
    return R"("type":"string","enum":)" + json_list(row->value.words);
}

void add(json_object& out, std::string_view name, const std::optional<exponential_backoff>& value,
         json_for reader)
{
    if (!value)
        return;
    json_object wait{reader};
    wait.number("initial", in_seconds(value->initial)).number("factor", value->factor);
    wait.number("maximum", in_seconds(value->maximum)).number("jitter", value->jitter);
    out.object(name, wait);
}

std::string text_of(const std::optional<exponential_backoff>& value)
{
    return value ? format_span(value->initial) + ".." + format_span(value->maximum) : "";
}

std::string schema_of(const std::optional<exponential_backoff>&)
{
    return R"("$ref":"#/components/schemas/backoff")";
}

/// What is shown of a member of the options.
template<auto Member>
shown_option show(std::string_view name, std::string_view title, std::string_view about)
{
    return {name,
            title,
            about,
            schema_of(job_options{}.*Member),
            [](json_object& out, std::string_view as, const job_options& options, json_for reader) {
                add(out, as, options.*Member, reader);
            },
            [](const job_options& options) { return text_of(options.*Member); }};
}

/// The same, with another text for people.
shown_option said_as(shown_option option, std::string (*text)(const job_options&))
{
    option.text = text;
    return option;
}

std::string text_of_holder(const job_options& options)
{
    if (!options.held_by.empty())
        return "by the limit " + options.held_by;
    return options.held_back ? "until its turn comes" : "";
}

} // namespace

const std::vector<shown_option>& shown_options()
{
    using shown = job_options;
    static const std::vector<shown_option> rows{
        show<&shown::limits>("limits", "limits", "Limits that it is subject to, beside its queue's."),
        show<&shown::order_key>("order_key", "order key", "Of the jobs with this key, one runs at a time."),
        show<&shown::group>("group", "group", "The group whose turn it waits for."),
        said_as(show<&shown::held_back>(
                    "held_back", "held back",
                    "Whether it waits, and a limit, an order key or its group's turn may hold it "
                    "back; held_by says which limit does."),
                text_of_holder),
        show<&shown::held_by>("held_by", "",
                              "The limit that keeps it from being taken now; null if none does."),
        show<&shown::unique_key>("unique_key", "unique key", "As it is stored."),
        show<&shown::batch>("batch", "batch", "The batch that it belongs to."),
        show<&shown::expires_at>("expires_at", "expires", "It is not started after that."),
        show<&shown::on_parent_failure>(
            "on_parent_failure", "parent fails",
            "What becomes of it when a job that it waits for fails or is cancelled."),
        show<&shown::failed_parents>("failed_parents", "went on after",
                                     "Ids of jobs that it waited for and that failed or were cancelled."),
        show<&shown::timeout>("timeout", "timeout", "How long one run may take, in seconds."),
        show<&shown::retention>("retention", "retention", "How long its record is kept, in seconds."),
        show<&shown::result_retention>("result_retention", "result kept",
                                       "How long what its handler returns is kept, in seconds."),
        show<&shown::backoff>("backoff", "back-off", "How long it waits before a retry."),
        show<&shown::metadata>("metadata", "metadata", "Texts that travel with it."),
    };
    return rows;
}

std::string schemas_of_shown_options()
{
    std::vector<std::string> all;
    for (const auto& row : shown_options())
        all.push_back(schema_member(row.name, row.schema, row.about));
    return joined_schemas(all);
}

} // namespace coworker::detail
