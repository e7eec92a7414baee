#pragma once

#include <string>
#include <vector>

namespace coworker {

/// Something in the database that does not fit together.
struct finding
{
    bool broken = false; ///< false: left behind by normal use, by other programs or by deletions
    std::string kind;    ///< such as "unreadable_start"; the pages on the protocols list them
    std::string key;
    std::string member; ///< what in that key
    bool repaired = false;
};

/// A part of a consistency check.
struct finding_page
{
    std::vector<finding> findings;
    std::string next; ///< the cursor to go on with; empty: this was the last part
};

} // namespace coworker
