// SPDX-License-Identifier: MIT
#include "redis/server_connection/server_check.hpp"

#include "text/numbers.hpp"

#include <charconv>

namespace coworker::detail {

server_facts parse_info(std::string_view info)
{
    server_facts facts;
    bool is_replica = false;
    bool replica_read_only = true;
    while (!info.empty()) {
        const auto end = std::min(info.find('\n'), info.size());
        auto line = info.substr(0, end);
        info.remove_prefix(std::min(end + 1, info.size()));
        if (line.ends_with('\r'))
            line.remove_suffix(1);
        const auto colon = line.find(':');
        if (colon == line.npos)
            continue;
        const auto name = line.substr(0, colon);
        const auto value = line.substr(colon + 1);
        if (name == "redis_version")
            facts.version = value;
        else if (name == "run_id")
            facts.run_id = value;
        else if (name == "valkey_version")
            facts.is_valkey = true;
        else if (name == "maxmemory_policy")
            facts.eviction_policy = value;
        else if (name == "role")
            is_replica = value == "slave";
        else if (name == "slave_read_only")
            replica_read_only = value == "1";
    }
    facts.is_read_only = is_replica && replica_read_only;
    return facts;
}

verdict judge(const server_facts& facts, bool accept_eviction)
{
    int major = 0;
    std::from_chars(facts.version.data(), facts.version.data() + facts.version.size(), major);
    // A server that does not tell its version is a service that hides it; the scripts will show.
    if (!facts.version.empty() && major < 7)
        return {errc::server_too_old, "it is version " + facts.version};
    if (facts.is_read_only)
        return {errc::read_only_server, "its role is replica"};
    // Jobs have no time to live, so the volatile-* policies spare them.
    if (facts.eviction_policy.starts_with("allkeys") && !accept_eviction)
        return {errc::evicting_server, "maxmemory-policy is " + facts.eviction_policy};
    return {};
}

verdict judge_layout(std::string_view told)
{
    const auto number = to_number<int>(told);
    if (told.empty() || (number && *number <= known_layout))
        return {};
    return {errc::newer_layout, std::string{layout_key} + " is " + std::string{told} +
                                    ", and this release knows up to " + std::to_string(known_layout)};
}

} // namespace coworker::detail
