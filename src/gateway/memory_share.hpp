// SPDX-License-Identifier: MIT
#pragma once

#include "json/refusal.hpp"

#include <algorithm>
#include <cstddef>

/// What requests and answers may hold of the memory, all together.
namespace coworker::detail {

/// The bound for all connections of a gateway.
class memory_bound
{
public:
    explicit memory_bound(std::size_t most) noexcept : most_{most} {}

    std::size_t used() const noexcept { return used_; }

private:
    friend class memory_share;
    std::size_t most_;
    std::size_t used_ = 0; ///< more than there may be, if somebody holds what cannot be refused any more
};

/// The answer to a request for which there is no room.
inline refusal refuse_for_want_of_memory()
{
    refusal refused{503,
                    "The gateway holds as many bytes of requests and answers as it may; try again later, "
                    "or ask for less at a time. Nothing has been done."};
    refused.fields.emplace_back("Retry-After", "1");
    return refused;
}

/// What one request holds, until this is destroyed.
class memory_share
{
public:
    explicit memory_share(memory_bound& all) noexcept : all_{all} {}
    ~memory_share() { all_.used_ -= held_; }
    memory_share(const memory_share&) = delete;
    memory_share& operator=(const memory_share&) = delete;

    /// Holds so many bytes from now on. False, and as before, if there is no room for that.
    bool resize(std::size_t bytes) noexcept
    {
        if (bytes > held_ && bytes - held_ > all_.most_ - std::min(all_.used_, all_.most_))
            return false;
        insist(bytes);
        return true;
    }

    /// The same, whether there is room or not.
    void insist(std::size_t bytes) noexcept
    {
        all_.used_ = all_.used_ - held_ + bytes;
        held_ = bytes;
    }

    /// Holds more.
    /// @throws refusal  503
    void add(std::size_t bytes)
    {
        if (!resize(held_ + bytes))
            throw refuse_for_want_of_memory();
    }

    std::size_t held() const noexcept { return held_; }

private:
    memory_bound& all_;
    std::size_t held_ = 0;
};

} // namespace coworker::detail
