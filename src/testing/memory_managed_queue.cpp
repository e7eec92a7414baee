// SPDX-License-Identifier: MIT
#include "coworker/testing/memory_managed_queue.hpp"

#include "managed/put_request.hpp"
#include "managed/unique_key.hpp"
#include "testing/memory_store.hpp"

namespace coworker::testing {
namespace {

/// Gives it a jid if it has none. Throws what a `managed_queue` does before it sends anything.
void check(new_managed_job& job, detail::memory_store& store)
{
    if (!job.options.jid)
        job.options.jid = store.make_id();
    constexpr std::size_t no_limit = 0;
    detail::check_put({job.kind, job.data, *job.options.jid, job.options}, no_limit);
}

} // namespace

using detail::memory_store;

memory_managed_queue::memory_managed_queue(std::string name, manual_clock time)
    : raw_{std::move(name), std::move(time)}
{
    memory_store::of(raw_).count_attempts();
}

std::string memory_managed_queue::push(new_managed_job job)
{
    auto& store = memory_store::of(raw_);
    check(job, store);
    return store.push(job);
}

std::vector<std::string> memory_managed_queue::push_many(std::vector<new_managed_job> jobs)
{
    auto& store = memory_store::of(raw_);
    for (auto& job : jobs)
        check(job, store);
    std::vector<std::string> jids;
    for (const auto& job : jobs)
        jids.push_back(store.push(job));
    return jids;
}

effect memory_managed_queue::effect_of(new_managed_job job) const
{
    auto& store = memory_store::of(raw_);
    check(job, store);
    if (detail::is_given(job.options.unique) && job.options.unique.conflict == on_conflict::refuse)
        throw system_error{errc::invalid_option, "a job that is pushed as an effect cannot be refused"};
    effect what;
    what.pushed = effect::pushed_job{name(), job.options.jid->str(), job.kind, raw_json{job.data}};
    what.in_memory = [to = store.weak_from_this(), job = std::move(job)] {
        if (const auto alive = to.lock())
            alive->push(job);
    };
    return what;
}

const std::vector<new_managed_job>& memory_managed_queue::pushed() const noexcept
{
    return memory_store::of(raw_).pushed_managed();
}

} // namespace coworker::testing
