// SPDX-License-Identifier: MIT
#include "program/commands/failed_jobs.hpp"

#include "program/commands/job_listing.hpp"
#include "program/terminal/text_functions.hpp"

#include <algorithm>
#include <iterator>

namespace coworker::program {
namespace {

/// Jobs that are to be acted on: what people call them, and what the inspector does.
struct found_jobs
{
    std::vector<std::string> names, keys;

    void add(std::string name, std::string key)
    {
        names.push_back(std::move(name));
        keys.push_back(std::move(key));
    }
};

/// Looks through all jobs of a list queue in a state for those that are called so.
asio::awaitable<void> find_in_list(const inspector& all, queue_ref queue, job_state state,
                                   const std::vector<std::string>& ids, found_jobs& found)
{
    const std::set<std::string> wanted{ids.begin(), ids.end()};
    std::string cursor;
    do {
        auto page = co_await all.async_jobs(queue, state, std::move(cursor));
        for (auto& job : page.jobs)
            if (auto name = name_of(job); wanted.contains(name))
                found.add(std::move(name), std::move(job.key));
        cursor = std::move(page.next);
    } while (!cursor.empty());
}

asio::awaitable<found_jobs> find_jobs(const inspector& all, queue_ref queue, const failed_choice& choice,
                                      const std::vector<std::string>& ids)
{
    found_jobs found;
    if (!queue.is_managed()) {
        if (choice.state) {
            co_await find_in_list(all, queue, *choice.state, ids, found);
            co_return found;
        }
        if (choice.failed)
            co_await find_in_list(all, queue, job_state::failed, ids, found);
        if (choice.broken)
            co_await find_in_list(all, queue, job_state::broken, ids, found);
        co_return found;
    }
    for (const auto& id : ids) {
        const auto job = co_await all.async_job(queue, id);
        if (job && (choice.state || job->state == job_state::failed))
            found.add(id, id);
    }
    co_return found;
}

/// Why an action was refused, if not because of jobs that wait for this one; empty: the job is not known.
std::string why_refused(job_action action, bool is_managed)
{
    switch (action) {
    case job_action::cancel:
        return is_managed ? "it has ended, or does not exist any more"
                          : "a program with another library runs it, and would not notice";
    case job_action::run_now:
        return "it is not scheduled";
    case job_action::release:
        return "it does not run";
    default:
        return {};
    }
}

/// Acts on what was found. A name is unknown if no job of that name was there any more.
asio::awaitable<acted_on> act_on(const inspector& all, queue_ref queue, job_action action,
                                 const found_jobs& found)
{
    const auto why = why_refused(action, queue.is_managed());
    const auto results = co_await all.async_act(action, std::move(queue), found.keys);
    acted_on outcome;
    std::set<std::string> done, left;
    for (std::size_t i = 0; i != results.size(); ++i) {
        const auto& name = found.names[i];
        if (results[i] == action_result::done) {
            ++outcome.done;
            done.insert(name);
        } else if (results[i] == action_result::depended_on) {
            ++outcome.refused;
            outcome.complaints.push_back(name + ": " + depended_on());
        } else if (results[i] == action_result::refused && !why.empty()) {
            ++outcome.refused;
            outcome.complaints.push_back(name + ": " + why);
        } else {
            left.insert(name);
        }
    }
    std::set_difference(left.begin(), left.end(), done.begin(), done.end(),
                        std::back_inserter(outcome.unknown));
    co_return outcome;
}

asio::awaitable<void> act_on_all_of(const inspector& all, queue_ref queue, job_action action,
                                    job_filter which, acted_on& outcome)
{
    std::string cursor;
    do {
        auto part = co_await all.async_act_on_some(action, queue, which, std::move(cursor));
        outcome.done += part.ids.size();
        outcome.refused += part.refused;
        cursor = std::move(part.next);
    } while (!cursor.empty());
}

} // namespace

std::string depended_on()
{
    return make_error_code(errc::still_depended_on).message();
}

asio::awaitable<acted_on> act_on_jobs(const inspector& all, queue_ref queue, job_action action,
                                      const failed_choice& choice, const std::vector<std::string>& ids)
{
    const auto found = co_await find_jobs(all, queue, choice, ids);
    auto outcome = co_await act_on(all, queue, action, found);
    for (const auto& id : ids)
        if (std::find(found.names.begin(), found.names.end(), id) == found.names.end())
            outcome.unknown.push_back(id);
    co_return outcome;
}

asio::awaitable<acted_on> act_on_all(const inspector& all, queue_ref queue, job_action action,
                                     const failed_choice& choice)
{
    acted_on outcome;
    job_filter which;
    which.group = choice.group;
    if (choice.state) {
        which.state = *choice.state;
        co_await act_on_all_of(all, queue, action, which, outcome);
        co_return outcome;
    }
    if (choice.failed)
        co_await act_on_all_of(all, queue, action, which, outcome);
    which.state = job_state::broken;
    if (choice.broken && !queue.is_managed())
        co_await act_on_all_of(all, queue, action, which, outcome);
    if (outcome.refused != 0)
        outcome.complaints.push_back(counted(outcome.refused, "job") + ": " + depended_on());
    co_return outcome;
}

} // namespace coworker::program
