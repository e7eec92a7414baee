// SPDX-License-Identifier: MIT
#include "redis/server_connection/former_connections.hpp"

#include <algorithm>
#include <utility>

namespace coworker::detail {
namespace {

/// Servers that have gone for good close nothing any more. What would be so old has been given up by the network, too.
constexpr std::size_t most_kept = 128;

} // namespace

void former_connections::add(std::int64_t id, std::string run_id)
{
    all_.push_back({id, std::move(run_id)});
    if (all_.size() > most_kept)
        all_.pop_front();
}

std::vector<std::int64_t> former_connections::at(std::string_view run_id) const
{
    std::vector<std::int64_t> ids;
    for (const auto& each : all_)
        if (each.run_id == run_id)
            ids.push_back(each.id);
    return ids;
}

void former_connections::remove(const std::vector<std::int64_t>& ids, std::string_view run_id)
{
    std::erase_if(all_, [&](const auto& each) {
        return each.run_id == run_id && std::find(ids.begin(), ids.end(), each.id) != ids.end();
    });
}

} // namespace coworker::detail
