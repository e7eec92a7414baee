// SPDX-License-Identifier: MIT
#include "json/shown_options.hpp"

#include "text/times.hpp"
#include "json/job_text.hpp"
#include "json/limit_text.hpp"
#include "json/push_options.hpp"

#include <concepts>
#include <ranges>
#include <type_traits>

namespace coworker::detail {
namespace {

using milliseconds = std::chrono::milliseconds;

using moment = std::optional<timestamp>;
using named_texts = std::map<std::string, std::string>;

std::string shown_text_of_each(const std::string& text)
{
    return text;
}

std::string shown_text_of_each(const limit_use& limit)
{
    return limit.name() + (limit.units() == 1 ? "" : "=" + std::to_string(limit.units()));
}

std::string shown_text_of_each(const named_texts::value_type& pair)
{
    return pair.first + "=" + pair.second;
}

std::string joined_texts(const auto& values)
{
    std::string all;
    for (const auto& each : values)
        all += (all.empty() ? "" : ", ") + shown_text_of_each(each);
    return all;
}

// What may not be known.

std::string shown_text_of_known(std::chrono::milliseconds time)
{
    return format_span(time);
}

std::string shown_text_of_known(timestamp when)
{
    return format_rfc3339_short(when);
}

std::string shown_text_of_known(parent_failure what)
{
    return std::string{to_string(what)};
}

std::string shown_text_of_known(unsigned number)
{
    return std::to_string(number);
}

std::string shown_text_of_known(const exponential_backoff& wait)
{
    return format_span(wait.initial) + ".." + format_span(wait.maximum);
}

// Types of values: how each is described in JSON, what people see, and its schema.

void add_shown(json_object& out, std::string_view name, const auto& value, json_for reader)
{
    using type = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::same_as<type, std::string>)
        out.text_if_any(name, value);
    else if constexpr (std::same_as<type, bool>)
        out.boolean(name, value);
    else if constexpr (std::same_as<type, moment>)
        out.time(name, value);
    else if constexpr (std::same_as<type, named_texts>)
        out.texts_by_name(name, value);
    else if constexpr (std::same_as<type, std::vector<limit_use>>)
        out.objects(name, value, [&](const auto& each) { return describe(each, reader); });
    else if constexpr (std::same_as<type, std::vector<std::string>>)
        value.empty() ? out : out.texts(name, value);
    else
        write_given(out, name, value);
}

std::string shown_text_of(const auto& value)
{
    using type = std::remove_cvref_t<decltype(value)>;
    if constexpr (std::same_as<type, std::string>)
        return value;
    else if constexpr (std::same_as<type, bool>)
        return value ? "yes" : "";
    else if constexpr (std::ranges::range<type>)
        return joined_texts(value);
    else
        return value ? shown_text_of_known(*value) : "";
}

template<class Type>
std::string schema_of_shown()
{
    if constexpr (std::same_as<Type, std::string> || std::same_as<Type, moment>)
        return R"("type":["string","null"])";
    else if constexpr (std::same_as<Type, bool>)
        return R"("type":"boolean")";
    else if constexpr (std::same_as<Type, std::optional<unsigned>>)
        return R"("type":"integer","minimum":1)";
    else if constexpr (std::same_as<Type, std::optional<milliseconds>>)
        return R"("type":"number")";
    else if constexpr (std::same_as<Type, named_texts>)
        return R"("type":"object")";
    else if constexpr (std::same_as<Type, std::vector<std::string>>)
        return R"("type":"array","items":{"type":"string"})";
    else if constexpr (std::same_as<Type, std::vector<limit_use>>)
        return R"("type":"array","items":{"type":"object","required":["name","units"],)"
               R"("properties":{"name":{"type":"string"},"units":{"type":"integer","minimum":1}}})";
    else if constexpr (std::same_as<Type, std::optional<exponential_backoff>>)
        return R"("$ref":"#/components/schemas/backoff")";
    else
        return R"("type":"string","enum":)" + json_list(names_of(words_of_parent_failure()));
}

/// What is shown of a member of the options.
template<auto Member>
shown_option show(std::string_view name, std::string_view title, std::string_view about)
{
    return {name,
            title,
            about,
            schema_of_shown<std::remove_cvref_t<decltype(job_options{}.*Member)>>(),
            [](json_object& out, std::string_view as, const job_options& options, json_for reader) {
                add_shown(out, as, options.*Member, reader);
            },
            [](const job_options& options) { return shown_text_of(options.*Member); }};
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
        show<&shown::description>("description", "description", "What it is for."),
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
        show<&shown::wait_for_signal>("wait_for_signal", "waits for signal",
                                      "The signal that has to come before it runs."),
        said_as(
            show<&shown::awaits_signal>("awaits_signal", "signal",
                                        "Whether it waits for that signal, which has not come."),
            +[](const job_options& options) -> std::string {
                return options.awaits_signal ? "has not come" : "";
            }),
        show<&shown::failed_parents>("failed_parents", "went on after",
                                     "Ids of jobs that it waited for and that failed or were cancelled."),
        said_as(
            show<&shown::unhandled>(
                "unhandled", "unhandled",
                "Whether it waits, and workers have left it that do not handle its kind."),
            +[](const job_options& options) -> std::string {
                return options.unhandled ? "no worker handles this kind" : "";
            }),
        show<&shown::version>("version", "version", "The version of its payload; 1 if it has none."),
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
