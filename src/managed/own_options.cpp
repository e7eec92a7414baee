// SPDX-License-Identifier: MIT
#include "managed/own_options.hpp"

#include "bounds.hpp"
#include "coworker/error.hpp"
#include "managed/checks.hpp"
#include "text/json_object.hpp"
#include "text/numbers.hpp"

#include <boost/json/parse.hpp>

#include <cmath>

namespace coworker {

std::string_view to_string(parent_failure what) noexcept
{
    switch (what) {
    case parent_failure::wait:
        return "wait";
    case parent_failure::fail:
        return "fail";
    case parent_failure::skip:
        return "skip";
    case parent_failure::go_on:
        return "go_on";
    }
    return "unknown";
}

std::optional<parent_failure> parse_parent_failure(std::string_view name) noexcept
{
    for (const auto what :
         {parent_failure::wait, parent_failure::fail, parent_failure::skip, parent_failure::go_on})
        if (to_string(what) == name)
            return what;
    return std::nullopt;
}

} // namespace coworker

namespace coworker::detail {
namespace {

namespace json = boost::json;

double in_seconds(std::chrono::milliseconds time)
{
    return std::chrono::duration<double>{time}.count();
}

[[noreturn]] void refuse(const std::string& why)
{
    throw explained_error{errc::invalid_option, why};
}

void check_metadata(const text_map& metadata)
{
    std::size_t bytes = 0;
    for (const auto& [name, value] : metadata.items()) {
        if (name.empty() || name.size() > max_metadata_name)
            refuse("names of metadata have 1 to " + std::to_string(max_metadata_name) + " bytes");
        check_utf8(name, "a name of metadata");
        check_utf8(value, "a value of metadata");
        bytes += name.size() + value.size();
    }
    if (metadata.items().size() > max_metadata || bytes > max_metadata_bytes)
        refuse("a job has at most " + std::to_string(max_metadata) + " metadata of " +
               std::to_string(max_metadata_bytes) + " bytes altogether");
}

/// A time among the options, which is stored as a number of seconds.
struct own_time
{
    std::string_view name;
    std::optional<option_duration> managed_push_options::*given;
    std::optional<std::chrono::milliseconds> pushed_options::*kept; ///< null: it is kept in another form
    bool can_be_zero;
};

constexpr own_time own_times[] = {
    {"timeout", &managed_push_options::timeout, &pushed_options::timeout, false},
    {"expiry", &managed_push_options::expiry, nullptr, true},
    {"retention", &managed_push_options::retention, &pushed_options::retention, true},
    {"result_retention", &managed_push_options::result_retention, &pushed_options::result_retention, false},
};

/// A text among the options.
struct own_text
{
    std::string_view name;
    std::optional<text> managed_push_options::*given;
    std::string pushed_options::*kept;
};

constexpr own_text own_texts[] = {
    {"description", &managed_push_options::description, &pushed_options::description},
    {"batch", &managed_push_options::batch, &pushed_options::batch},
    {"wait_for_signal", &managed_push_options::wait_for_signal, &pushed_options::wait_for_signal},
};

std::optional<double> number_in(const json::object& object, std::string_view name)
{
    const auto* const value = object.if_contains(name);
    if (value == nullptr || !value->is_number())
        return std::nullopt;
    const auto number = value->to_number<double>();
    return number >= 0 ? std::optional{std::min(number, 1e9)} : std::nullopt;
}

/// As parts/kind_of.lua reads it.
std::optional<unsigned> version_in(const json::object& object)
{
    const auto number = number_in(object, "version");
    if (!number || *number < 1 || *number > max_version || *number != std::floor(*number))
        return std::nullopt;
    return static_cast<unsigned>(*number);
}

/// What others may have stored is read as far as it makes sense.
std::optional<std::chrono::milliseconds> time_in(const json::object& object, std::string_view name)
{
    const auto number = number_in(object, name);
    return number ? std::optional{std::chrono::milliseconds{std::llround(*number * 1000)}} : std::nullopt;
}

std::optional<exponential_backoff> backoff_in(const json::object& object)
{
    const auto* const value = object.if_contains("backoff");
    const auto* const stored = value != nullptr ? value->if_object() : nullptr;
    if (stored == nullptr)
        return std::nullopt;
    exponential_backoff wait;
    wait.initial = time_in(*stored, "initial").value_or(wait.initial);
    wait.factor = number_in(*stored, "factor").value_or(wait.factor);
    wait.maximum = time_in(*stored, "maximum").value_or(wait.maximum);
    wait.jitter = number_in(*stored, "jitter").value_or(wait.jitter);
    return wait;
}

std::map<std::string, std::string> metadata_in(const json::object& object)
{
    std::map<std::string, std::string> found;
    const auto* const value = object.if_contains("metadata");
    if (const auto* const stored = value != nullptr ? value->if_object() : nullptr)
        for (const auto& [name, each] : *stored)
            if (const auto* const text = each.if_string())
                found.emplace(std::string{name}, std::string{*text});
    return found;
}

std::optional<std::string> text_in(const json::object& object, std::string_view name)
{
    const auto* const value = object.if_contains(name);
    const auto* const text = value != nullptr ? value->if_string() : nullptr;
    return text != nullptr ? std::optional{std::string{*text}} : std::nullopt;
}

/// Nothing for what is no object.
std::optional<json::object> object_of(std::string_view text)
{
    error_code ec;
    auto parsed = json::parse(text, ec);
    return !ec && parsed.is_object() ? std::optional{std::move(parsed.get_object())} : std::nullopt;
}

void read_parents(const json::object& object, pushed_options& into)
{
    if (const auto name = text_in(object, "on_parent_failure"))
        into.on_parent_failure = parse_parent_failure(*name);
    const auto* const value = object.if_contains("parents");
    if (const auto* const list = value != nullptr ? value->if_array() : nullptr)
        for (const auto& each : *list)
            if (const auto* const id = each.if_string())
                into.parents.emplace_back(*id);
}

} // namespace

std::string own_options_text(const managed_push_options& options)
{
    json_object out;
    for (const auto& each : own_texts)
        if (const auto& given = options.*each.given)
            out.text(each.name, *given);
    for (const auto& each : own_times)
        if (const auto& time = options.*each.given)
            out.number(each.name, in_seconds(*time));
    if (options.version)
        out.number("version", *options.version);
    if (options.on_parent_failure)
        out.text("on_parent_failure", to_string(*options.on_parent_failure));
    if (options.reads_parents)
        out.texts("parents", {options.depends.begin(), options.depends.end()});
    if (options.backoff) {
        json_object backoff;
        backoff.number("initial", in_seconds(options.backoff->initial))
            .number("factor", options.backoff->factor)
            .number("maximum", in_seconds(options.backoff->maximum))
            .number("jitter", options.backoff->jitter);
        out.object("backoff", backoff);
    }
    if (!options.metadata.empty()) {
        std::string members;
        for (const auto& [name, value] : options.metadata.items())
            members += (members.empty() ? "" : ",") + json_string(name) + ':' + json_string(value);
        out.json("metadata", '{' + members + '}');
    }
    return out.str();
}

void check_own_options(const managed_push_options& options)
{
    for (const auto& each : own_times)
        if (const auto& time = options.*each.given; time && time->count() < (each.can_be_zero ? 0 : 1))
            refuse("the " + std::string{each.name} + " of a job is " +
                   (each.can_be_zero ? "not negative" : "greater than zero"));
    if (options.backoff) {
        const auto& wait = *options.backoff;
        if (wait.initial.count() < 0 || wait.maximum.count() < 0 || !std::isfinite(wait.factor) ||
            wait.factor < 0 || !(wait.jitter >= 0 && wait.jitter <= 1))
            refuse("the back-off of a job has no negative times, a finite factor, and a jitter from 0 to 1");
    }
    if (options.on_parent_failure && to_string(*options.on_parent_failure) == "unknown")
        refuse("what becomes of a job when a parent fails is wait, fail, skip or go_on");
    if (options.reads_parents && options.depends.size() > max_parents)
        refuse("a job reads the results of at most " + std::to_string(max_parents) + " parents");
    if (options.version && (*options.version == 0 || *options.version > max_version))
        refuse("the version of a job is a number from 1 to " + std::to_string(max_version));
    if (options.batch)
        check_batch_id(*options.batch);
    if (options.wait_for_signal)
        check_signal_name(*options.wait_for_signal);
    if (options.description) {
        check_name(*options.description, "the description of a job");
        if (options.description->size() > max_description)
            refuse("the description of a job has at most " + std::to_string(max_description) + " bytes");
    }
    check_metadata(options.metadata);
}

void read_given_options(std::string_view json, managed_push_options& into)
{
    const auto object = object_of(json);
    if (!object)
        return;
    for (const auto& each : own_times)
        if (const auto time = time_in(*object, each.name))
            into.*each.given = *time;
    for (const auto& each : own_texts)
        if (auto text = text_in(*object, each.name))
            into.*each.given = std::move(*text);
    into.version = version_in(*object);
    into.backoff = backoff_in(*object);
    for (const auto& [name, value] : metadata_in(*object))
        into.metadata.set(name, value);
}

void read_own_options(std::string_view stored, pushed_options& into)
{
    const auto blank = std::min(stored.find(' '), stored.size());
    if (const auto at = to_number<double>(stored.substr(0, blank)); at && *at > 0 && *at < 1e11)
        into.expires_at = timestamp{std::chrono::microseconds{std::llround(*at * 1e6)}};
    const auto object = object_of(stored.substr(blank));
    if (!object)
        return;
    for (const auto& each : own_times)
        if (each.kept != nullptr)
            into.*each.kept = time_in(*object, each.name);
    for (const auto& each : own_texts)
        if (auto text = text_in(*object, each.name))
            into.*each.kept = std::move(*text);
    into.version = version_in(*object);
    into.backoff = backoff_in(*object);
    read_parents(*object, into);
    into.metadata = metadata_in(*object);
}

} // namespace coworker::detail
