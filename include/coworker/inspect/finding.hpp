// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

namespace coworker {

/// An inconsistency in the database.
struct finding
{
    bool broken = false; ///< false: left behind by normal use, by other programs or by deletions
    std::string kind; ///< such as "unreadable_start"; docs/list-protocol.md and managed-protocol.md list them
    std::string key;  ///< the key in Redis
    std::string member;    ///< what in that key
    bool repaired = false; ///< it was repaired
};

/// A part of a consistency check.
struct finding_page
{
    std::vector<finding> findings; ///< what this part has found
    std::string next;              ///< the cursor to go on with; empty: this was the last part
};

} // namespace coworker
