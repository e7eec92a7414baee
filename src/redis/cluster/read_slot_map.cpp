// SPDX-License-Identifier: MIT
#include "redis/cluster/read_slot_map.hpp"

#include <optional>

namespace coworker::detail {
namespace {

/// The value of a field in a map, which RESP2 writes as an array.
std::optional<reply::answer> field_of(const std::vector<reply::answer>& fields, std::string_view name)
{
    for (std::size_t i = 0; i + 1 < fields.size(); i += 2)
        if (fields[i].text() == name)
            return fields[i + 1];
    return std::nullopt;
}

std::string text_of(const std::vector<reply::answer>& fields, std::string_view name)
{
    const auto value = field_of(fields, name);
    return value ? std::string{value->text()} : std::string{};
}

/// Where a node is reached that announces `endpoint`: nothing stands for the host that was asked, and a question mark
/// for a host name that it does not know.
std::string host_of(std::string endpoint, std::string ip, const node_address& asked)
{
    if (endpoint == "?")
        endpoint = std::move(ip);
    return endpoint.empty() ? asked.host : endpoint;
}

std::uint16_t slot_number(std::int64_t number)
{
    if (number < 0 || number >= slot_count)
        throw_unexpected_answer("a slot that no cluster has");
    return static_cast<std::uint16_t>(number);
}

void assign_range(slot_map& to, std::int64_t first, std::int64_t last, const node_address& where)
{
    if (first > last)
        throw_unexpected_answer("a range of slots whose end is before its beginning");
    to.assign(slot_number(first), slot_number(last), where);
}

node_address read_node(const std::vector<reply::answer>& fields, const node_address& asked, bool over_tls)
{
    auto port = text_of(fields, over_tls ? "tls-port" : "port");
    if (port.empty() || port == "0")
        port = text_of(fields, over_tls ? "port" : "tls-port");
    return {host_of(text_of(fields, "endpoint"), text_of(fields, "ip"), asked), std::move(port)};
}

/// The primary among the nodes of a shard: one that is well, if there are several while another takes its place.
std::optional<node_address> read_primary(const reply::answer& nodes, const node_address& asked, bool over_tls)
{
    std::optional<node_address> found;
    for (const auto& node : reply::parts(nodes)) {
        const auto fields = reply::parts(node);
        const auto role = text_of(fields, "role");
        if (role != "master" && role != "primary")
            continue;
        const bool is_well = text_of(fields, "health") == "online";
        if (is_well || !found)
            found = read_node(fields, asked, over_tls);
        if (is_well)
            break;
    }
    return found;
}

} // namespace

slot_map read_shards(const reply::answer& shards, const node_address& asked, bool over_tls)
{
    slot_map found;
    for (const auto& shard : reply::parts(shards)) {
        const auto fields = reply::parts(shard);
        const auto slots = field_of(fields, "slots");
        const auto nodes = field_of(fields, "nodes");
        if (!slots || !nodes)
            throw_unexpected_answer("a shard without slots or nodes");
        const auto primary = read_primary(*nodes, asked, over_tls);
        for (std::size_t i = 0; primary && i + 1 < slots->size(); i += 2)
            assign_range(found, slots->integer(i), slots->integer(i + 1), *primary);
    }
    return found;
}

slot_map read_slots(const reply::answer& slots, const node_address& asked)
{
    slot_map found;
    for (const auto& range : reply::parts(slots)) {
        const auto primary = reply::parts(reply::part(range, 2));
        if (primary.size() < 2)
            throw_unexpected_answer("a node without a port");
        const auto about = primary.size() < 4 ? std::vector<reply::answer>{} : reply::parts(primary[3]);
        const node_address where{host_of(std::string{primary[0].text()}, text_of(about, "ip"), asked),
                                 std::string{primary[1].text()}};
        assign_range(found, reply::part(range, 0).integer(), reply::part(range, 1).integer(), where);
    }
    return found;
}

} // namespace coworker::detail
