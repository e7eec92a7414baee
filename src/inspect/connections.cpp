// SPDX-License-Identifier: MIT
#include "inspect/connections.hpp"

#include "redis/server_time.hpp"
#include "text/bounded_time.hpp"

#include <boost/redis/request.hpp>

#include <algorithm>

namespace coworker::detail {

namespace {

/// The value of a field in a line of "name=value" pairs.
std::string_view field_of(std::string_view line, std::string_view field)
{
    for (auto at = line.find(field); at != line.npos; at = line.find(field, at + 1))
        if (at == 0 || line[at - 1] == ' ') {
            const auto begin = at + field.size();
            return line.substr(begin, std::min(line.find(' ', begin), line.size()) - begin);
        }
    return {};
}

} // namespace

std::map<std::string, connection_line> read_connections(std::string_view client_list, timestamp now)
{
    std::map<std::string, connection_line> connections;
    const std::int64_t seconds = std::chrono::floor<std::chrono::seconds>(now).time_since_epoch().count();
    const auto oldest = std::max<std::int64_t>(seconds, 0); // since 1970
    while (!client_list.empty()) {
        const auto line = client_list.substr(0, client_list.find('\n'));
        client_list.remove_prefix(std::min(line.size() + 1, client_list.size()));
        const auto name = field_of(line, "name=");
        if (name.empty())
            continue;
        const auto age = std::clamp<std::int64_t>(to_integer(field_of(line, "age=")), 0, oldest);
        connections[std::string{name}] = {std::string{field_of(line, "addr=")}, bounded_time(oldest - age)};
    }
    return connections;
}

asio::awaitable<std::optional<std::map<std::string, connection_line>>> list_connections(survey& nodes)
{
    boost::redis::request list;
    list.push("CLIENT", "LIST");
    list.push("TIME");
    const auto answers = co_await nodes.exec_on_each(list);
    std::optional<std::map<std::string, connection_line>> connections;
    for (const auto& answer : answers)
        if (!answer[0].is_error()) {
            throw_if_refused(answer[1]);
            auto some = read_connections(answer[0].text(), read_time(answer[1]));
            if (!some.contains(nodes.redis().name()))
                co_return std::nullopt;
            if (connections)
                connections->merge(some);
            else
                connections = std::move(some);
        }
    co_return connections;
}

} // namespace coworker::detail
