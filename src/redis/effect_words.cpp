// SPDX-License-Identifier: MIT
#include "redis/effect_words.hpp"

#include "coworker/error.hpp"
#include "redis/connection.hpp"

namespace coworker::detail {

void check_effect_of(const std::shared_ptr<connection>& redis, const effect& what)
{
    if (what.in_memory)
        throw system_error{errc::not_supported, "an effect cannot push from Redis to a queue in memory"};
    if (what.pushed && what.connection != redis)
        throw system_error{errc::invalid_option,
                           "the queue of the job that is pushed has another client than the worker"};
}

std::size_t count_effect_words(const job_effects& effects)
{
    std::size_t count = 1;
    for (const auto& each : effects.all())
        count += each.words.size() + 1;
    return count;
}

} // namespace coworker::detail
