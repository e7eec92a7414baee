// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace coworker {

/// What a command of qless' protocol answered; see `managed_client::async_call`.
struct qless_reply
{
    /// The kinds of value; each says which other member is set.
    enum class type
    {
        nil,    ///< nothing
        number, ///< `number`
        text,   ///< `text`
        list,   ///< `list`
        error   ///< the command was refused; `text` says why
    };

    type kind = type::nil;         ///< the kind of value
    std::int64_t number = 0;       ///< a whole number
    std::string text;              ///< a text, often JSON; it need not be UTF-8
    std::vector<qless_reply> list; ///< the elements of a list
};

} // namespace coworker
