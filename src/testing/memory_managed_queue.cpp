// SPDX-License-Identifier: MIT
#include "coworker/testing/memory_managed_queue.hpp"

#include "coworker/payload_codec.hpp"
#include "managed/managed_queue/put_request.hpp"
#include "managed/unique_key.hpp"
#include "testing/memory_store.hpp"

namespace coworker::testing {
using detail::memory_store;

memory_managed_queue::memory_managed_queue(std::string name, manual_clock time)
    : queue_in_memory{std::move(name), std::move(time)}
{
    memory_store::of(raw()).count_attempts();
}

memory_managed_queue memory_managed_queue::with(push_middleware another) const
{
    auto copy = *this;
    if (another.target<payload_codecs>() == nullptr)
        copy.around_.push_back(std::move(another));
    return copy;
}

void memory_managed_queue::prepare(new_managed_job& job) const
{
    for (const auto& each : around_)
        each(job);
    if (!job.options.jid)
        job.options.jid = memory_store::of(raw()).make_id();
    constexpr std::size_t no_limit = 0;
    detail::check_put({job.kind, job.data, *job.options.jid, job.options}, no_limit);
}

std::string memory_managed_queue::push(new_managed_job job)
{
    prepare(job);
    return memory_store::of(raw()).push(job);
}

std::vector<std::string> memory_managed_queue::push_many(std::vector<new_managed_job> jobs)
{
    for (auto& job : jobs)
        prepare(job);
    std::vector<std::string> jids;
    for (const auto& job : jobs)
        jids.push_back(memory_store::of(raw()).push(job));
    return jids;
}

effect memory_managed_queue::effect_of(new_managed_job job) const
{
    prepare(job);
    if (detail::is_given(job.options.unique) && job.options.unique.conflict == on_conflict::refuse)
        throw explained_error{errc::invalid_option, "a job that is pushed as an effect cannot be refused"};
    effect what;
    what.pushed = effect::pushed_job{name(), job.options.jid->str(), job.kind, raw_json{job.data}};
    what.in_memory = [to = memory_store::of(raw()).weak_from_this(), job = std::move(job)] {
        if (const auto alive = to.lock())
            alive->push(job);
    };
    return what;
}

const std::vector<new_managed_job>& memory_managed_queue::pushed() const noexcept
{
    return memory_store::of(raw()).pushed_managed();
}

} // namespace coworker::testing
