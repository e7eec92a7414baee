// SPDX-License-Identifier: MIT
#pragma once

#include "comparison.hpp"
#include "managed_redis.hpp"
#include "table.hpp"

#include <string>
#include <vector>

namespace coworker::test {

/// What a call did.
struct call_result
{
    redis_value reply;
    std::vector<std::string> messages; ///< "channel text"
    database state;                    ///< after it
};

/// A server in the state that a table begins with, and calls that are compared with what the table says.
class table_run
{
public:
    /// Throws if one of these calls is refused.
    explicit table_run(const std::vector<table_call>& given);

    /// Everything in the database at the moment.
    database state();

    call_result make(const table_call& what);

    /// Makes a call; false if the reply, the messages or the state after it are others than those of the table.
    bool call(const table_row& row, const database& before, const table_outcome& outcome = {});

    /// What the last call did otherwise than expected.
    const std::string& difference() const noexcept { return difference_; }

private:
    managed_redis redis_;
    number_texts numbers_;
    std::string difference_;
};

} // namespace coworker::test
