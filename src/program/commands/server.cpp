// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"
#include "program/commands/queue_list.hpp"
#include "program/terminal/output.hpp"
#include "program/terminal/text_functions.hpp"
#include "program/terminal/time_text.hpp"
#include "json/queue_text.hpp"

#include <cstdio>

/// coworker server
namespace coworker::program {
namespace {

/// Such as "1.5 GiB".
std::string size_text(std::uint64_t bytes)
{
    constexpr const char* units[] = {"B", "KiB", "MiB", "GiB", "TiB"};
    double size = static_cast<double>(bytes);
    std::size_t unit = 0;
    for (; size >= 1024 && unit + 1 != std::size(units); ++unit)
        size /= 1024;
    char text[40];
    std::snprintf(text, sizeof text, unit == 0 ? "%.0f %s" : "%.1f %s", size, units[unit]);
    return text;
}

void write_lines(output& out, const server_info& server)
{
    out.line((server.software.empty() ? "redis" : server.software) + ' ' +
             (server.version.empty() ? "of a version that it does not tell" : server.version) +
             (server.nodes == 1 ? "" : ", " + counted(server.nodes, "node")));
    out.line("memory   " + size_text(server.memory) +
             (server.memory_limit == 0 ? ", no limit" : " of " + size_text(server.memory_limit)));
    out.line("clients  " + std::to_string(server.clients));
    out.line("up       " + format_age(server.uptime));
}

exit_code show_server(surroundings& here)
{
    return with_redis(here.server, [&](client& redis) -> asio::awaitable<exit_code> {
        const auto found = co_await inspect(redis, here.server).async_server();
        if (here.json)
            here.out.line(detail::describe(found, detail::json_for::terminals).str());
        else
            write_lines(here.out, found);
        const node_set missing{found.missing_nodes.begin(), found.missing_nodes.end()};
        co_return judge_missing(missing);
    });
}

} // namespace

void add_server(command_line& line)
{
    line.add_with_json("server", "Show which Redis it is, and how much memory it uses.",
                       "  coworker server\n"
                       "  coworker server --json | jq .memory_bytes",
                       show_server);
}

} // namespace coworker::program
