// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

/// What the partitions of a list queue are called, and their number.
namespace coworker::detail {

/// Whether a list queue with this name can be divided.
bool may_have_partitions(std::string_view queue) noexcept;

std::string name_of_partition(const std::string& queue, unsigned index);

/// A partition as its name tells.
struct partition_place
{
    std::string_view queue; ///< a part of the name
    unsigned index = 0;
};

/// Nothing for a name that no partition can have.
std::optional<partition_place> read_partition_name(std::string_view name) noexcept;

/// The key of the number of partitions.
std::string number_key(const std::string& queue);

/// The queue that the key of a number of partitions belongs to; empty: another key.
std::string_view queue_of_number_key(std::string_view key) noexcept;

/// What stands in that key; 0 for anything but a number of partitions.
unsigned read_number_of_partitions(std::string_view text) noexcept;

} // namespace coworker::detail
