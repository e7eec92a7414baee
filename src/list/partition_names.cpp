// SPDX-License-Identifier: MIT
#include "list/partition_names.hpp"

#include <charconv>

namespace coworker::detail {

namespace {

constexpr unsigned most = 1024;
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

bool may_have_partitions(std::string_view queue) noexcept
{
    constexpr std::size_t longest = 500; // with the number, the name is one of a list queue
    return !queue.empty() && queue.size() <= longest && queue.find_first_of("{}") == queue.npos;
}

std::string name_of_partition(const std::string& queue, unsigned index)
{
    return '{' + queue + ':' + std::to_string(index) + '}';
}

std::optional<partition_place> read_partition_name(std::string_view name) noexcept
{
    const auto colon = name.rfind(':');
    if (colon == name.npos || colon < 2 || !name.starts_with('{') || !name.ends_with('}'))
        return std::nullopt;
    const auto queue = name.substr(1, colon - 1);
    const auto index = read_plain_number(name.substr(colon + 1, name.size() - colon - 2));
    if (!index || *index >= most || !may_have_partitions(queue))
        return std::nullopt;
    return partition_place{queue, *index};
}

std::string number_key(const std::string& queue)
{
    return std::string{number_prefix} + queue;
}

std::string_view queue_of_number_key(std::string_view key) noexcept
{
    if (!key.starts_with(number_prefix))
        return {};
    const auto queue = key.substr(number_prefix.size());
    return may_have_partitions(queue) ? queue : std::string_view{};
}

unsigned read_number_of_partitions(std::string_view text) noexcept
{
    const auto number = read_plain_number(text);
    return number && *number <= most ? *number : 0;
}

} // namespace coworker::detail
