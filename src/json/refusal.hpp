// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coworker::detail {

/// Thrown where something that came from outside cannot be used, or must not be done.
struct refusal
{
    unsigned status;    ///< as HTTP counts them
    std::string detail; ///< what is wrong and what to do, for people: one sentence or more
    std::vector<std::pair<std::string, std::string>>
        fields{}; ///< what HTTP's answer has in its header beside

    refusal(unsigned code, std::string_view why) : status{code}, detail{why} {}
};

} // namespace coworker::detail
