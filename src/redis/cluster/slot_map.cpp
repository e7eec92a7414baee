// SPDX-License-Identifier: MIT
#include "redis/cluster/slot_map.hpp"

#include <algorithm>

namespace coworker::detail {

const node_address* slot_map::owner(std::uint16_t slot) const noexcept
{
    if (owners_.empty() || owners_[slot] == 0)
        return nullptr;
    return &nodes_[owners_[slot] - 1U];
}

void slot_map::assign(std::uint16_t first, std::uint16_t last, const node_address& where)
{
    owners_.resize(slot_count);
    auto place = std::find(nodes_.begin(), nodes_.end(), where);
    if (place == nodes_.end())
        place = nodes_.insert(place, where);
    const auto number = static_cast<std::uint16_t>(place - nodes_.begin() + 1);
    std::fill(owners_.begin() + first, owners_.begin() + last + 1, number);
}

void slot_map::keep_missing(const slot_map& before)
{
    for (std::uint16_t slot = 0; slot != slot_count; ++slot)
        if (const auto* earlier = before.owner(slot); earlier != nullptr && owner(slot) == nullptr)
            assign(slot, slot, *earlier);
}

std::size_t slot_map::served() const noexcept
{
    return owners_.size() - static_cast<std::size_t>(std::count(owners_.begin(), owners_.end(), 0));
}

std::vector<node_address> slot_map::primaries() const
{
    std::vector<bool> is_used(nodes_.size() + 1);
    for (const auto number : owners_)
        is_used[number] = true;
    std::vector<node_address> found;
    for (std::size_t i = 0; i != nodes_.size(); ++i)
        if (is_used[i + 1])
            found.push_back(nodes_[i]);
    return found;
}

} // namespace coworker::detail
