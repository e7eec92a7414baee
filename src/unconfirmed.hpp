// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"

#include <algorithm>
#include <string>

namespace coworker::detail {

/// What an error says of a missing confirmation, without what its code says of pushes.
inline std::string reason_of_missing(const system_error& error)
{
    std::string text = error.what();
    if (error.code() == errc::unconfirmed)
        text.resize(std::min(text.size(), text.find(": " + error.code().message())));
    return text;
}

} // namespace coworker::detail
