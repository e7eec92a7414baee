// SPDX-License-Identifier: MIT
#include "list/partition_names.hpp"

#include "list/partitions.hpp"

#include <charconv>

namespace coworker::detail {

namespace {

constexpr std::string_view number_prefix = "hworker-partitions-";

/// Nothing for any other text than the one that the number is written as.
std::optional<unsigned> read_plain_number(std::string_view digits) noexcept
{
    unsigned number = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    const bool is_plain = !digits.empty() && (digits.front() != '0' || digits.size() == 1);
    if (error != std::errc{} || end != digits.data() + digits.size() || !is_plain)
        return std::nullopt;
    return number;
}

} // namespace

std::optional<partition_place> read_partition_name(std::string_view name) noexcept
{
    const auto colon = name.rfind(':');
    if (colon == name.npos || colon < 2 || !name.starts_with('{') || !name.ends_with('}'))
        return std::nullopt;
    const auto queue = name.substr(1, colon - 1);
    const auto index = read_plain_number(name.substr(colon + 1, name.size() - colon - 2));
    if (!index || *index >= most_partitions || !can_be_divided(queue))
        return std::nullopt;
    return partition_place{queue, *index};
}

std::string_view queue_of_partitions_key(std::string_view key) noexcept
{
    if (!key.starts_with(number_prefix))
        return {};
    const auto queue = key.substr(number_prefix.size());
    return !queue.empty() && can_be_divided(queue) ? queue : std::string_view{};
}

unsigned read_number_of_partitions(std::string_view text) noexcept
{
    const auto number = read_plain_number(text);
    return number && *number <= most_partitions ? *number : 0;
}

} // namespace coworker::detail
