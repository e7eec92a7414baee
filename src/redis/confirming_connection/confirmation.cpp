// SPDX-License-Identifier: MIT
#include "redis/confirming_connection/confirmation.hpp"

#include "redis/info_lines.hpp"

#include <algorithm>
#include <charconv>
#include <map>
#include <string>

namespace coworker::detail {
namespace {

constexpr std::string_view sync_settings[] = {"appendonly", "appendfsync", "no-appendfsync-on-rewrite"};

void ask_for_settings(boost::redis::request& request)
{
    request.push("CONFIG", "GET", sync_settings[0], sync_settings[1], sync_settings[2]);
}

/// Whether Redis syncs its append-only file before it answers what was written.
bool syncs_always(const reply::answer& settings)
{
    if (settings.is_error())
        return false;
    std::map<std::string_view, std::string_view> values;
    for (std::size_t i = 0; i + 1 < settings.size(); i += 2)
        values[settings[i]] = settings[i + 1];
    return values["appendonly"] == "yes" && values["appendfsync"] == "always" &&
           values["no-appendfsync-on-rewrite"] == "no";
}

std::string_view line_of(const reply::answer& info, std::string_view name)
{
    return info.is_error() ? std::string_view{} : line_of_info(info.text(), name);
}

/// Whether this version has WAITAOF. One that is not told counts as new: Redis will say.
bool has_waitaof(std::string_view version)
{
    int major = 0;
    int minor = 0;
    const auto* const end = version.data() + version.size();
    const auto dot = std::from_chars(version.data(), end, major);
    if (dot.ptr != end)
        std::from_chars(dot.ptr + 1, end, minor);
    return version.empty() || major > 7 || (major == 7 && minor >= 2);
}

std::exception_ptr unconfirmed(const std::string& text)
{
    return std::make_exception_ptr(system_error{errc::unconfirmed, text});
}

std::string within(const durability& wanted)
{
    return " within " + std::to_string(wanted.limit().count()) + " ms";
}

} // namespace

void write_question(boost::redis::request& request)
{
    request.push("INFO", "server");
    request.push("INFO", "persistence");
    ask_for_settings(request);
}

confirmation read_means(const reply& answers)
{
    if (line_of(answers[1], "aof_enabled") == "0")
        throw explained_error{errc::not_supported,
                              "the server keeps no append-only file; set appendonly yes"};
    const auto version = line_of(answers[0], "redis_version");
    if (has_waitaof(version))
        return confirmation::waitaof;
    if (syncs_always(answers[2]))
        return confirmation::config;
    throw explained_error{
        errc::not_supported,
        "version " + std::string{version} + " has no WAITAOF, and is not known to have appendfsync always" +
            (answers[2].is_error() ? ": " + std::string{answers[2].text()} : std::string{})};
}

void write_confirmation(boost::redis::request& request, confirmation means, const durability& wanted)
{
    switch (means) {
    case confirmation::wait:
        request.push("WAIT", wanted.replicas(), wanted.limit().count());
        break;
    case confirmation::waitaof:
        request.push("WAITAOF", 1, 0, wanted.limit().count());
        break;
    case confirmation::config:
        ask_for_settings(request);
        break;
    }
}

bool has_refusal(const reply& answers)
{
    return std::any_of(answers.tree.begin(), answers.tree.end(), [](const reply_node& node) {
        return node.depth == 0 && reply::answer{&node, &node + 1}.is_error();
    });
}

std::exception_ptr why_unconfirmed(const reply& answers, confirmation means, const durability& wanted)
{
    const auto answer = answers.back();
    if (answer.is_error()) // the server has become a replica, or is another one that cannot do this
        return unconfirmed(std::string{answer.text()});
    switch (means) {
    case confirmation::wait:
        if (answer.integer() >= wanted.replicas())
            return nullptr;
        return unconfirmed(std::to_string(answer.integer()) + " of " + std::to_string(wanted.replicas()) +
                           " replicas had it" + within(wanted));
    case confirmation::waitaof:
        return answer.integer(0) >= 1 ? nullptr : unconfirmed("it was not on the disk" + within(wanted));
    case confirmation::config:
        return syncs_always(answer) ? nullptr : unconfirmed("appendfsync is not always any more");
    }
    return unconfirmed("unknown means");
}

} // namespace coworker::detail
