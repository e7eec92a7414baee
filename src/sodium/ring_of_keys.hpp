// SPDX-License-Identifier: MIT
#pragma once

#include <sodium.h>

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coworker::detail {

struct secret_end
{
    void operator()(unsigned char* bytes) const noexcept { sodium_free(bytes); }
};

/// A key by its id.
struct named_key
{
    std::string id;
    std::unique_ptr<unsigned char, secret_end> bytes; ///< 32 of them, in guarded memory
};

/// The keys of a ring. The first one writes.
struct ring_of_keys
{
    std::vector<named_key> all;

    /// Null: there is none.
    const named_key* find(std::string_view id) const noexcept;
};

} // namespace coworker::detail
