// SPDX-License-Identifier: MIT
#pragma once

#include "support/raw_redis.hpp"

#include <string>

namespace coworker::test {

/// What a managed queue's script answered. `ack_and_fetch` may answer shortly: how long locks last, and of a job
/// that was taken the time and the ten words. That is made what it would answer otherwise.
inline redis_value in_full(const std::string& script, redis_value answer)
{
    auto& parts = answer.elements;
    if (script != "ack_and_fetch" || (parts.size() != 1 && parts.size() != 12))
        return answer;
    redis_value list;
    list.type = redis_value::kind::array;
    redis_value zero;
    zero.type = redis_value::kind::integer;
    auto taken = list;
    if (parts.size() == 12)
        taken.elements.assign(parts.begin() + 2, parts.end());
    auto full = list;
    full.elements = {list, list, parts[0], zero, taken};
    if (parts.size() == 12)
        full.elements.push_back(parts[1]);
    return full;
}

} // namespace coworker::test
