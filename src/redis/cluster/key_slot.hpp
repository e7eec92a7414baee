// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string_view>

/// Which part of a Redis Cluster a key belongs to.
namespace coworker::detail {

/// The parts into which a cluster divides its keys. Each is served by one primary at a time.
constexpr std::uint16_t slot_count = 16384;

/// The part of a key that decides about its slot: what stands in its first braces, unless that is nothing; else all of
/// it.
std::string_view hashed_part(std::string_view key) noexcept;

/// Whether a name has a hash tag, so that keys which contain it once, and no brace before it, are in one slot.
bool has_hash_tag(std::string_view name) noexcept;

std::uint16_t slot_of(std::string_view key) noexcept;

} // namespace coworker::detail
