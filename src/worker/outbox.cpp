// SPDX-License-Identifier: MIT
#include "worker/outbox.hpp"

#include "bounds.hpp"

#include <iterator>

namespace coworker::detail {

/// Each names its job by all its bytes.
std::size_t outbox::fitting(std::size_t most, bool backwards) const
{
    std::size_t count = 0, bytes = 0;
    for (auto job = backwards ? jobs_.end() : jobs_.begin(); count != most; ++count) {
        const auto& next = backwards ? *--job : *job++;
        bytes +=
            next.job.body.size() + next.result.reason().size() + (next.effects ? next.effects->bytes() : 0);
        if (count != 0 && bytes > max_batch_bytes)
            break;
    }
    return count;
}

std::list<running_job> outbox::take(std::size_t count, bool backwards)
{
    const auto distance = static_cast<std::ptrdiff_t>(count);
    const auto begin = backwards ? std::prev(jobs_.end(), distance) : jobs_.begin();
    std::list<running_job> batch;
    batch.splice(batch.end(), jobs_, begin, std::next(begin, distance));
    return batch;
}

void outbox::put_back(std::list<running_job>& sent, bool backwards)
{
    for (auto& job : sent)
        job.repeated = true;
    jobs_.splice(backwards ? jobs_.end() : jobs_.begin(), sent);
}

std::list<running_job>::iterator outbox::place_of(const running_job& job, bool in_order_of_taking)
{
    auto place = jobs_.end();
    if (in_order_of_taking)
        while (place != jobs_.begin() && std::prev(place)->number > job.number)
            --place;
    return place;
}

} // namespace coworker::detail
