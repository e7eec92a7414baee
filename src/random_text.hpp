// SPDX-License-Identifier: MIT
#pragma once

#include <random>
#include <string>

namespace coworker::detail {

/// 32 hexadecimal digits: 128 bits, each of them from the system. No generator stands between: the number of its
/// states, or what it was begun with, would be all that tells two programs apart.
inline std::string random_digits()
{
    constexpr int draws = 4, digits_of_each = 8;
    std::random_device system;
    std::string text;
    for (int i = 0; i != draws; ++i) {
        auto bits = system();
        for (int j = 0; j != digits_of_each; ++j, bits >>= 4)
            text += "0123456789abcdef"[bits & 15];
    }
    return text;
}

} // namespace coworker::detail
