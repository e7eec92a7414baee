// SPDX-License-Identifier: MIT
#include "redis/cluster/key_slot.hpp"

#include <array>

namespace coworker::detail {
namespace {

/// CRC-16/XMODEM, a byte at a time.
constexpr std::array<std::uint16_t, 256> make_crc_table()
{
    std::array<std::uint16_t, 256> table{};
    for (unsigned byte = 0; byte != 256; ++byte) {
        unsigned value = byte << 8U;
        for (int bit = 0; bit != 8; ++bit)
            value = ((value & 0x8000U) != 0 ? (value << 1U) ^ 0x1021U : value << 1U) & 0xFFFFU;
        table[byte] = static_cast<std::uint16_t>(value);
    }
    return table;
}

constexpr auto crc_table = make_crc_table();

} // namespace

std::string_view hashed_part(std::string_view key) noexcept
{
    const auto open = key.find('{');
    if (open == key.npos)
        return key;
    const auto close = key.find('}', open + 1);
    return close == key.npos || close == open + 1 ? key : key.substr(open + 1, close - open - 1);
}

bool has_hash_tag(std::string_view name) noexcept
{
    return hashed_part(name).data() != name.data() || hashed_part(name).size() != name.size();
}

std::uint16_t slot_of(std::string_view key) noexcept
{
    unsigned crc = 0;
    for (const char each : hashed_part(key))
        crc = ((crc << 8U) ^ crc_table[((crc >> 8U) ^ static_cast<unsigned char>(each)) & 0xFFU]) & 0xFFFFU;
    return static_cast<std::uint16_t>(crc % slot_count);
}

} // namespace coworker::detail
