// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

/// Partitions of list queues as what stands in Redis tells of them.
namespace coworker::detail {

/// A partition as its name tells.
struct partition_place
{
    std::string_view queue; ///< a part of the name
    unsigned index = 0;
};

/// Nothing for a name that no partition can have.
std::optional<partition_place> read_partition_name(std::string_view name) noexcept;

/// The queue that the key of a number of partitions belongs to; empty: another key.
std::string_view queue_of_partitions_key(std::string_view key) noexcept;

/// What stands in that key; 0 for anything but a number of partitions.
unsigned read_number_of_partitions(std::string_view text) noexcept;

} // namespace coworker::detail
