// SPDX-License-Identifier: MIT
#include "inspect/server_look.hpp"

#include "redis/info_lines.hpp"
#include "text/numbers.hpp"

#include <algorithm>
#include <set>

/// What Redis tells of itself.
namespace coworker::detail {

namespace {

std::uint64_t number_in(std::string_view info, std::string_view name)
{
    return static_cast<std::uint64_t>(std::max<std::int64_t>(to_integer(line_of_info(info, name)), 0));
}

void add_versions(std::string_view info, server_info& server, std::set<std::string>& versions)
{
    const auto of_valkey = line_of_info(info, "valkey_version");
    const auto version = of_valkey.empty() ? line_of_info(info, "redis_version") : of_valkey;
    if (version.empty())
        return;
    server.software = of_valkey.empty() ? "redis" : "valkey";
    versions.emplace(version);
}

} // namespace

asio::awaitable<server_info> show_server(shared_inspection self)
{
    boost::redis::request ask;
    ask.push("INFO");
    survey nodes{*self->redis};
    const auto answers = co_await nodes.exec_on_each(ask);
    co_await expect_some_node(nodes);
    server_info server;
    std::set<std::string> versions;
    bool is_limited = !answers.empty();
    for (const auto& answer : answers) {
        throw_if_refused(answer[0]);
        const auto info = answer[0].text();
        add_versions(info, server, versions);
        server.memory += number_in(info, "used_memory");
        const auto limit = number_in(info, "maxmemory");
        is_limited = is_limited && limit != 0;
        server.memory_limit += limit;
        server.clients += number_in(info, "connected_clients");
        const std::chrono::seconds uptime{number_in(info, "uptime_in_seconds")};
        server.uptime = ++server.nodes == 1 ? uptime : std::min(server.uptime, uptime);
    }
    if (!is_limited)
        server.memory_limit = 0;
    for (const auto& version : versions)
        server.version += (server.version.empty() ? "" : ", ") + version;
    server.missing_nodes = nodes.missing();
    co_return server;
}

} // namespace coworker::detail
