// SPDX-License-Identifier: MIT
#include "redis/effect_words.hpp"

#include "coworker/error.hpp"
#include "redis/cluster/key_slot.hpp"
#include "redis/connection/connection.hpp"

namespace coworker::detail {

void check_effect_of(const std::shared_ptr<connection>& redis, const effect& what)
{
    if (what.in_memory)
        throw explained_error{errc::not_supported, "an effect cannot push from Redis to a queue in memory"};
    if (what.pushed && what.connection != redis)
        throw explained_error{
            errc::invalid_option,
            redis->in_cluster()
                ? "the queue of the job that is pushed has another slot of the cluster than the worker's"
                : "the queue of the job that is pushed has another client than the worker"};
    if (redis->slot() && !what.pushed && what.words.size() > 1 && what.words[0] != "PUBLISH" &&
        slot_of(what.words[1]) != *redis->slot())
        throw explained_error{errc::invalid_option, "the key '" + what.words[1] +
                                                        "' is in another slot of the cluster than the queue"};
}

std::size_t count_effect_words(const job_effects& effects)
{
    std::size_t count = 1;
    for (const auto& each : effects.all())
        count += each.words.size() + 1;
    return count;
}

} // namespace coworker::detail
