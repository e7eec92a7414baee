// SPDX-License-Identifier: MIT
#pragma once

#include <stdexcept>
#include <string>

namespace coworker {

/// Why a stored job cannot be decoded. See `payload_codec`.
class payload_error : public std::runtime_error
{
public:
    /// What another worker may be able to decode.
    enum class hope
    {
        none,      ///< Nobody can: it was changed, or is not what it says.
        elsewhere, ///< A program that has another key or codec can.
    };

    /// @param why  for people; it must not contain anything of the job or of a key
    /// @param chance  whether another program may be able to
    explicit payload_error(const std::string& why, hope chance = hope::none)
        : std::runtime_error{why}, chance_{chance}
    {}

    /// Whether another program may be able to decode it.
    hope chance() const noexcept { return chance_; }

private:
    hope chance_;
};

} // namespace coworker
