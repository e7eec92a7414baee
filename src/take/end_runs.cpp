// SPDX-License-Identifier: MIT
#include "take/holders.hpp"
#include "take/taker_state.hpp"
#include "worker/conclusion.hpp"

/// How jobs that were taken are acknowledged.
namespace coworker::detail {
namespace {

using many_runs = std::vector<finished_run>;
using many_ends = std::vector<result<acknowledged_job>>;

/// What the run wants to be carried out, if it ended so that it is.
const job_effects* effects_of(const finished_run& run)
{
    const auto what = run.result.what();
    const bool counts = what == outcome::kind::success || what == outcome::kind::forward;
    return counts && !run.effects.empty() ? &run.effects : nullptr;
}

/// The runs that one holder of jobs has ended.
struct runs_of_holder
{
    std::unique_ptr<job_source> source;
    std::vector<std::size_t> places;
};

asio::awaitable<void> end_part(job_source& source, std::span<const std::size_t> places, const many_runs& runs,
                               many_ends& ends)
{
    std::vector<acknowledgement> acks;
    for (const auto place : places)
        acks.push_back({&runs[place].of.job, &runs[place].result, false, effects_of(runs[place])});
    auto told = co_await source.ack_and_fetch(acks, 0);
    for (auto& failed : told.failed)
        ends[places[failed.index]]->failure = std::move(failed.reason);
    for (const auto i : told.lost)
        ends[places[i]] = errc::lease_lost;
}

} // namespace

outcome taker_state::conclude_run(const finished_run& run, const job_source& source) const
{
    auto rules = rules_of(run.of.job, source);
    rules.backoff = [delay = run.of.retry_delay](unsigned) { return delay; };
    handler_end end;
    end.result = check_answer(run.result, source.can());
    return conclude(end, end_reason::none, run.of.job.attempt, rules);
}

asio::awaitable<std::vector<result<acknowledged_job>>>
taker_state::acknowledge(std::shared_ptr<taker_state> self, queue_ref name, std::vector<finished_run> runs)
{
    const auto queue = self->find(name);
    const auto sorted = sort_by_holder(
        name, runs, [](const auto& each) -> auto& { return each.of; });
    std::vector<runs_of_holder> holders;
    for (const auto& [who, all] : sorted) {
        runs_of_holder one{queue->part(who.partition)->source_for(who.worker), all};
        for (const auto place : all) {
            runs[place].result = self->conclude_run(runs[place], *one.source);
            if (const auto* const effects = effects_of(runs[place])) // before anything is sent
                for (const auto& each : effects->all())
                    one.source->check_effect(each);
        }
        holders.push_back(std::move(one));
    }
    many_ends ends(runs.size());
    for (const auto& one : holders) {
        std::span<const std::size_t> rest{one.places};
        while (!rest.empty()) {
            const auto part = rest.first(batch_size(rest, [&](std::size_t place) {
                return runs[place].of.job.body.size() + runs[place].effects.bytes();
            }));
            co_await end_part(*one.source, part, runs, ends);
            rest = rest.subspan(part.size());
        }
    }
    co_return ends;
}

} // namespace coworker::detail
