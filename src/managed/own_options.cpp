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

[[noreturn]] void refuse(const char* why)
{
    throw explained_error{errc::invalid_option, why};
}

void check_metadata(const text_map& metadata)
{
    std::size_t bytes = 0;
    for (const auto& [name, value] : metadata.items()) {
        if (name.empty() || name.size() > max_metadata_name)
            refuse("names of metadata have 1 to 128 bytes");
        check_utf8(name, "a name of metadata");
        check_utf8(value, "a value of metadata");
        bytes += name.size() + value.size();
    }
    if (metadata.items().size() > max_metadata || bytes > max_metadata_bytes)
        refuse("a job has at most 64 metadata of 8 KiB altogether");
}

std::optional<double> number_in(const json::object& object, std::string_view name)
{
    const auto* const value = object.if_contains(name);
    if (value == nullptr || !value->is_number())
        return std::nullopt;
    const auto number = value->to_number<double>();
    return number >= 0 ? std::optional{std::min(number, 1e9)} : std::nullopt;
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

void read_metadata(const json::object& object, std::map<std::string, std::string>& into)
{
    const auto* const value = object.if_contains("metadata");
    if (const auto* const stored = value != nullptr ? value->if_object() : nullptr)
        for (const auto& [name, each] : *stored)
            if (const auto* const text = each.if_string())
                into.emplace(std::string{name}, std::string{*text});
}

/// One handler reads the results of so many jobs at most.
constexpr std::size_t most_parents = 1000;

void read_parents(const json::object& object, managed_details& into)
{
    if (const auto* const value = object.if_contains("on_parent_failure"); value != nullptr)
        if (const auto* const name = value->if_string())
            into.on_parent_failure = parse_parent_failure(*name);
    const auto* const value = object.if_contains("parents");
    if (const auto* const list = value != nullptr ? value->if_array() : nullptr)
        for (const auto& each : *list)
            if (const auto* const id = each.if_string())
                into.parents.emplace_back(*id);
}

} // namespace

bool has_own_options(const managed_push_options& options) noexcept
{
    return options.timeout || options.expiry || options.backoff || options.retention || options.batch ||
           options.on_parent_failure || options.reads_parents || options.result_retention ||
           !options.metadata.empty();
}

std::string own_options_text(const managed_push_options& options)
{
    json_object out;
    if (options.batch)
        out.text("batch", *options.batch);
    if (options.timeout)
        out.number("timeout", in_seconds(*options.timeout));
    if (options.expiry)
        out.number("expiry", in_seconds(*options.expiry));
    if (options.retention)
        out.number("retention", in_seconds(*options.retention));
    if (options.on_parent_failure)
        out.text("on_parent_failure", to_string(*options.on_parent_failure));
    if (options.reads_parents)
        out.texts("parents", {options.depends.begin(), options.depends.end()});
    if (options.result_retention)
        out.number("result_retention", in_seconds(*options.result_retention));
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
    if (options.timeout && options.timeout->count() <= 0)
        refuse("the timeout of a job is greater than zero");
    if ((options.expiry && options.expiry->count() < 0) ||
        (options.retention && options.retention->count() < 0))
        refuse("expiry and retention of a job are not negative");
    if (options.backoff) {
        const auto& wait = *options.backoff;
        if (wait.initial.count() < 0 || wait.maximum.count() < 0 || !std::isfinite(wait.factor) ||
            wait.factor < 0 || !(wait.jitter >= 0 && wait.jitter <= 1))
            refuse("the back-off of a job has no negative times, a finite factor, and a jitter from 0 to 1");
    }
    if (options.result_retention && options.result_retention->count() <= 0)
        refuse("the retention of a job's result is greater than zero");
    if (options.on_parent_failure && to_string(*options.on_parent_failure) == "unknown")
        refuse("what becomes of a job when a parent fails is wait, fail, skip or go_on");
    if (options.reads_parents && options.depends.size() > most_parents)
        refuse("a job reads the results of at most 1000 parents");
    if (options.batch)
        check_batch_id(*options.batch);
    check_metadata(options.metadata);
}

void read_own_options(std::string_view stored, managed_details& into)
{
    const auto blank = std::min(stored.find(' '), stored.size());
    if (const auto at = to_number<double>(stored.substr(0, blank)); at && *at > 0 && *at < 1e11)
        into.expires_at = timestamp{std::chrono::microseconds{std::llround(*at * 1e6)}};
    stored.remove_prefix(blank);
    error_code ec;
    const auto value = json::parse(stored, ec);
    const auto* const object = ec ? nullptr : value.if_object();
    if (object == nullptr)
        return;
    into.timeout = time_in(*object, "timeout");
    into.retention = time_in(*object, "retention");
    into.result_retention = time_in(*object, "result_retention");
    into.backoff = backoff_in(*object);
    read_parents(*object, into);
    read_metadata(*object, into.metadata);
    const auto* const batch = object->if_contains("batch");
    if (const auto* const id = batch != nullptr ? batch->if_string() : nullptr)
        into.batch = std::string{*id};
}

} // namespace coworker::detail
