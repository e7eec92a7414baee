// SPDX-License-Identifier: MIT
#include "testing/memory_store.hpp"

#include "coworker/codec.hpp"

#include <algorithm>

/// Sleeps, signals, and waits for other jobs, of jobs in memory.
namespace coworker::detail {

std::optional<awaited_job<>> memory_store::end_of(const std::string& id) const
{
    const auto has_id = [&](const entry& each) { return each.job.id == id; };
    const auto is_leased = [&](const auto& each) { return has_id(each.second.what); };
    if (std::ranges::any_of(waiting_, has_id) || std::ranges::any_of(scheduled_, has_id) ||
        std::ranges::any_of(leases_, is_leased))
        return std::nullopt;
    awaited_job<> other;
    other.how = wait_end::not_found;
    for (const auto& run : ended_) { // the last one counts
        if (run.id != id)
            continue;
        const bool is_well = run.result.what() == outcome::kind::success;
        other.how = is_well ? wait_end::succeeded : wait_end::failed;
        other.message = is_well ? std::string{} : run.result.reason();
        other.value.reset();
        if (is_well && run.result.value() != nullptr)
            other.value = *run.result.value();
    }
    return other;
}

wait_state memory_store::begin_wait(std::uint64_t number, const std::string& token, bool in_doubt,
                                    std::uint64_t worker, const job_wait& wait)
{
    const auto place = find(number, token, in_doubt, worker);
    if (place == leases_.end())
        return {};
    auto& what = place->second.what;
    const std::string name = wait.name.str();
    const entry::wait_key key{wait.what, name, wait.turn};
    if (const auto known = what.decided.find(key); known != what.decided.end())
        return known->second;
    const auto wanted = wait.until.get().value_or(time_.now() + wait.length);
    const auto deadline = what.deadlines.emplace(key, wanted).first->second;
    wait_state state;
    const auto decide = [&](wait_state::kind how) {
        state.how = how;
        return what.decided[key] = state;
    };
    auto& read = what.read[name];
    const auto& came = what.job.signals[name];
    if (wait.what == wait_kind::signal && came.size() > read) {
        state.value = came[read++];
        return decide(wait_state::kind::came);
    }
    if (wait.what == wait_kind::job)
        if (auto end = end_of(name)) {
            state.other = std::move(*end);
            return decide(wait_state::kind::ended);
        }
    if (deadline <= time_.now())
        return decide(wait.what == wait_kind::time ? wait_state::kind::over : wait_state::kind::late);
    state.how = wait_state::kind::waits;
    state.left = std::chrono::ceil<std::chrono::milliseconds>(deadline - time_.now());
    state.read = static_cast<unsigned>(read);
    return state;
}

bool memory_store::has_come(const entry& what, const job_wait& wait) const
{
    const std::string name = wait.name.str();
    if (wait.what == wait_kind::job)
        return end_of(name).has_value();
    const auto came = what.job.signals.find(name);
    return wait.what == wait_kind::signal && came != what.job.signals.end() &&
           came->second.size() > wait.after;
}

void memory_store::suspend(entry what, const job_wait& wait)
{
    const auto known = what.deadlines.find({wait.what, wait.name.str(), wait.turn});
    const auto until =
        known != what.deadlines.end() ? known->second : wait.until.get().value_or(time_.now() + wait.length);
    if (until <= time_.now() || has_come(what, wait))
        return let_wait(std::move(what), side::in_front);
    what.sleeps_for = wait;
    what.job.due = until;
    schedule(std::move(what));
}

void memory_store::wake(const std::function<bool(const entry&)>& is_over)
{
    for (auto each = scheduled_.begin(); each != scheduled_.end();) {
        if (!each->sleeps_for || !is_over(*each)) {
            ++each;
            continue;
        }
        entry woken = std::move(*each);
        each = scheduled_.erase(each);
        let_wait(std::move(woken), side::behind);
    }
}

memory_store::entry* memory_store::find_job(std::string_view id)
{
    for (auto& each : waiting_)
        if (each.job.id == id)
            return &each;
    for (auto& each : scheduled_)
        if (each.job.id == id)
            return &each;
    for (auto& [_, held] : leases_)
        if (held.what.job.id == id)
            return &held.what;
    return nullptr;
}

result<void> memory_store::send_signal(std::string_view id, std::string_view name, const raw_json& value)
{
    if (json_error(value.text))
        throw system_error{errc::not_serializable};
    auto* const what = find_job(id);
    if (what == nullptr) {
        const bool was_there = std::ranges::any_of(pushed_, [&](const auto& each) { return each.id == id; });
        return was_there ? errc::job_ended : errc::job_not_found;
    }
    what->job.signals[std::string{name}].push_back(value.text);
    wake([&](const entry& each) {
        return each.job.id == id && each.sleeps_for->what == wait_kind::signal &&
               has_come(each, *each.sleeps_for);
    });
    notify();
    return {};
}

} // namespace coworker::detail
