// SPDX-License-Identifier: MIT
#include "program/commands/managed_push_arguments.hpp"

#include "program/commands/limit_uses.hpp"
#include "program/commands/whole_number.hpp"
#include "program/exit_code.hpp"
#include "program/terminal/text_functions.hpp"
#include "program/terminal/time_text.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace coworker::program {
namespace {

[[noreturn]] void refuse_value(std::string why)
{
    throw unusable_value{std::move(why)};
}

on_conflict read_conflict(const std::string& word)
{
    if (word == "replace")
        return on_conflict::replace;
    if (word == "replace-data")
        return on_conflict::replace_data;
    if (word == "replace-time")
        return on_conflict::replace_time;
    return word == "refuse" ? on_conflict::refuse : on_conflict::keep;
}

unique_rule read_unique(const managed_push_arguments& given)
{
    unique_rule rule;
    rule.key = given.unique_key;
    if (!given.unique_fields.empty())
        rule.fields = given.unique_fields;
    rule.whole_data = given.unique;
    if (given.unique_until == "started")
        rule.until = unique_until::started;
    if (!given.unique_for.empty()) {
        const auto time = parse_duration(given.unique_for);
        if (!time || time->count() <= 0)
            refuse_value("--unique-for is a time such as 30s, 5m or 1h30m, not '" + given.unique_for + "'");
        rule.unique_for = *time;
    }
    rule.conflict = read_conflict(given.on_conflict);
    return rule;
}

std::optional<std::chrono::milliseconds> read_time(const char* option, const std::string& text)
{
    if (text.empty())
        return std::nullopt;
    const auto time = parse_duration(text);
    if (!time)
        refuse_value(std::string{option} + " is a time such as 250ms, 30s, 5m, 1h30m or 2d, not '" + text +
                     "'");
    return time;
}

/// From INITIAL, or INITIAL..MAXIMUM.
std::optional<exponential_backoff> read_backoff(const std::string& text)
{
    if (text.empty())
        return std::nullopt;
    const auto dots = text.find("..");
    const auto first = read_time("--backoff", text.substr(0, dots));
    const auto longest = dots == text.npos ? first : read_time("--backoff", text.substr(dots + 2));
    if (!first || !longest)
        refuse_value("--backoff is a time, or two with .. between, such as 5s..10m");
    exponential_backoff wait;
    wait.initial = *first;
    if (dots != text.npos)
        wait.maximum = *longest;
    wait.maximum = std::max(wait.maximum, wait.initial);
    return wait;
}

text_map read_metadata(const std::vector<std::string>& pairs)
{
    text_map metadata;
    for (const auto& pair : pairs) {
        const auto equals = pair.find('=');
        if (equals == pair.npos || equals == 0 || equals > 128 || !is_utf8(pair))
            refuse_value("--metadata is NAME=VALUE, with a name of at most 128 bytes");
        metadata.set(pair.substr(0, equals), pair.substr(equals + 1));
    }
    return metadata;
}

void check_short_text(const char* option, const std::string& text)
{
    if (!is_short_text(text))
        refuse_value(std::string{option} + " is a text of at most 256 bytes");
}

void check_unique(const managed_push_arguments& given)
{
    const int ways = !given.unique_key.empty() + !given.unique_fields.empty() + given.unique;
    const bool more = !given.unique_until.empty() || !given.unique_for.empty() || !given.on_conflict.empty();
    if (ways > 1)
        refuse_value("give one of --unique, --unique-key and --unique-field");
    if (more && ways == 0)
        refuse_value(
            "--unique-until, --unique-for and --on-conflict need --unique, --unique-key or --unique-field");
    if (!given.unique_for.empty() && given.unique_until == "started")
        refuse_value("--unique-for and --unique-until started exclude each other");
    if (!is_utf8(given.unique_key) || given.unique_key.size() > 256)
        refuse_value("--unique-key is a text of at most 256 bytes");
}

managed_push_options read_all(const managed_push_arguments& given)
{
    if (given.priority && !std::isfinite(*given.priority))
        refuse_value("--priority is a finite number");
    for (const auto& tag : given.tags)
        if (tag.empty() || !is_utf8(tag))
            refuse_value("--tag is a text, and not empty");
    check_unique(given);
    managed_push_options options;
    options.priority = given.priority;
    if (!given.tags.empty())
        options.tags = given.tags;
    if (given.retries) {
        const auto retries = whole_number(*given.retries);
        if (!retries)
            refuse_value("--retries is a whole number, not negative");
        options.retries = static_cast<unsigned>(*retries);
    }
    options.limits = read_limit_uses(given.limits, "--limit");
    check_short_text("--order-key", given.order_key);
    check_short_text("--group", given.group);
    if (!given.order_key.empty())
        options.order_key = given.order_key;
    if (!given.group.empty())
        options.group = given.group;
    if (!given.batch.empty())
        options.batch = given.batch;
    if (!given.depends.empty())
        options.depends = given.depends;
    if (!given.on_parent_failure.empty())
        options.on_parent_failure =
            parse_parent_failure(given.on_parent_failure == "go-on" ? "go_on" : given.on_parent_failure);
    if (given.reads_parents && given.depends.empty())
        refuse_value("--reads-parents needs --depends");
    options.reads_parents = given.reads_parents;
    options.timeout = read_time("--timeout", given.timeout);
    if (options.timeout && options.timeout->count() <= 0)
        refuse_value("--timeout is greater than zero");
    options.expiry = read_time("--expiry", given.expiry);
    options.retention = read_time("--retention", given.retention);
    options.result_retention = read_time("--result-retention", given.result_retention);
    if (options.result_retention && options.result_retention->count() <= 0)
        refuse_value("--result-retention is greater than zero");
    options.backoff = read_backoff(given.backoff);
    options.metadata = read_metadata(given.metadata);
    options.unique = read_unique(given);
    return options;
}

} // namespace

void refuse_push(const std::string& why)
{
    throw failure{exit_code::usage, why + "; see coworker push --help"};
}

bool managed_push_arguments::is_given() const noexcept
{
    return priority || retries || !tags.empty() || !timeout.empty() || !expiry.empty() ||
           !retention.empty() || !result_retention.empty() || !backoff.empty() || !metadata.empty() ||
           !limits.empty() || !order_key.empty() || !group.empty() || !batch.empty() || !depends.empty() ||
           !on_parent_failure.empty() || reads_parents || unique || !unique_key.empty() ||
           !unique_fields.empty() || !unique_until.empty() || !unique_for.empty() || !on_conflict.empty();
}

managed_push_options managed_push_arguments::read(const char* command) const
{
    try {
        return read_all(*this);
    } catch (const unusable_value& value) {
        refuse(value.why + "; see coworker " + command + " --help");
    }
}

void add_managed_push_options(command_options& command, managed_push_arguments& given, const std::string& of)
{
    command.add_option("--priority", given.priority, of + "larger runs first").value_name("NUMBER");
    command.add_option("--tag", given.tags, of + "a tag; may be given several times")
        .value_name("TEXT")
        .one_at_a_time();
    command.add_option("--retries", given.retries, of + "how often a job may be retried. Default: 5")
        .value_name("NUMBER");
    command
        .add_option("--limit", given.limits,
                    of + "a limit that the job is subject to, or NAME=UNITS; may be given several times")
        .value_name("NAME")
        .one_at_a_time();
    command
        .add_option("--order-key", given.order_key,
                    of + "of the jobs with this key one runs at a time, in the order pushed")
        .value_name("TEXT")
        .not_empty();
    command.add_option("--group", given.group, of + "the groups of a queue take turns")
        .value_name("TEXT")
        .not_empty();
    command.add_option("--timeout", given.timeout, of + "how long one run may take")
        .value_name("TIME")
        .not_empty();
    command.add_option("--expiry", given.expiry, of + "a job that has not been started by then fails")
        .value_name("TIME")
        .not_empty();
    command
        .add_option(
            "--backoff", given.backoff,
            of + "the wait before the first retry, such as 5s, or with the longest wait, such as 5s..10m")
        .value_name("TIMES")
        .not_empty();
    command
        .add_option("--retention", given.retention,
                    of + "how long the record of a job that has ended is kept")
        .value_name("TIME")
        .not_empty();
    command.add_option("--result-retention", given.result_retention, of + "how long a job's result is kept")
        .value_name("TIME")
        .not_empty();
    command
        .add_option("--metadata", given.metadata,
                    of + "NAME=VALUE for the handler; may be given several times")
        .value_name("TEXT")
        .one_at_a_time();
    command.add_flag("--unique", given.unique, of + "not if a job of the same kind and data is there");
    command
        .add_option("--unique-field", given.unique_fields,
                    of +
                        "not if one of the same kind is there that has the same in this member; may be given "
                        "several times")
        .value_name("NAME")
        .one_at_a_time();
    command.add_option("--unique-key", given.unique_key, of + "not if a job with this key is there")
        .value_name("TEXT")
        .not_empty();
    command
        .add_option("--unique-until", given.unique_until,
                    of + "how long a job counts as there: until it is done (the default), or has started")
        .value_name("WHEN")
        .one_of({"done", "started"});
    command.add_option("--unique-for", given.unique_for, of + "for this time, whatever becomes of the job")
        .value_name("TIME")
        .not_empty();
    command
        .add_option("--on-conflict", given.on_conflict,
                    of + "what becomes of the job that is there: keep (the default), replace, replace-data, "
                         "replace-time; or refuse")
        .value_name("WORD")
        .one_of({"keep", "replace", "replace-data", "replace-time", "refuse"});
}

} // namespace coworker::program
