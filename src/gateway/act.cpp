// SPDX-License-Identifier: MIT
#include "coworker/managed_client.hpp"

#include "gateway/api.hpp"

#include "gateway/page.hpp"
#include "text/json_object.hpp"
#include "json/error_sentence.hpp"
#include "json/job_selection.hpp"
#include "json/members.hpp"

#include <algorithm>

/// What can be done to queues and their jobs through the gateway.
namespace coworker::detail {
namespace {

constexpr std::size_t jobs_in_a_step = 1000;

/// What became of the jobs that were meant.
struct tally
{
    std::size_t done = 0, missing = 0, refused = 0;

    void count(action_result result)
    {
        if (result == action_result::done)
            ++done;
        else
            ++(result == action_result::not_found ? missing : refused);
    }

    answer text() const
    {
        json_object out;
        out.number("done", done).number("missing", missing).number("refused", refused);
        return {.body = out.str() + '\n'};
    }
};

/// @param keys  the inspector's
asio::awaitable<tally> act_on_each(const inspector& jobs, job_action what, queue_ref queue,
                                   std::vector<std::string> keys)
{
    tally outcome;
    if (keys.empty())
        co_return outcome;
    const auto results = co_await jobs.async_act(what, std::move(queue), std::move(keys), awaited);
    for (const auto result : results)
        outcome.count(result);
    co_return outcome;
}

asio::awaitable<tally> act_on_all(const inspector& jobs, job_action what, queue_ref queue, job_filter which)
{
    tally outcome;
    std::string cursor;
    do {
        auto part =
            co_await jobs.async_act_on_some(what, queue, which, std::move(cursor), jobs_in_a_step, awaited);
        outcome.done += part.ids.size();
        outcome.refused += part.refused;
        cursor = std::move(part.next);
    } while (!cursor.empty());
    co_return outcome;
}

/// Those that are there when it begins, in one step where that can be.
asio::awaitable<tally> purge(const inspector& jobs, queue_ref queue, job_state state)
{
    const auto done = co_await jobs.async_purge(std::move(queue), state, awaited);
    tally outcome;
    outcome.done = done.purged;
    outcome.refused = done.kept;
    co_return outcome;
}

/// Whether all jobs in a state are to be deleted that is not one of running or ended jobs.
bool is_purge(job_action what, const queue_ref& queue, const job_selection& selected)
{
    const auto state = selected.which.state;
    const bool is_there = queue.is_managed() ? state == job_state::depends || state == job_state::stalled
                                             : state == job_state::broken;
    return what == job_action::remove && selected.is_whole_state &&
           (is_there || state == job_state::waiting || state == job_state::scheduled ||
            state == job_state::failed);
}

/// Whether `?delays=true` says that the countdown of delayed jobs stops, too.
bool wants_delays_paused(const routed& where)
{
    const auto found = where.query.find("delays");
    if (found == where.query.end() || found->second == "false")
        return false;
    if (found->second != "true")
        throw refusal{400, "The parameter 'delays' is true or false."};
    if (!where.queue.is_managed())
        throw refusal{400, "Only a managed queue is paused with its delayed jobs."};
    return true;
}

const member_readers<std::optional<bool>>& notices_members()
{
    static const member_readers<std::optional<bool>> readers{
        {"notices", [](std::optional<bool>& into, member_name name,
                       json_text json) { into = member_boolean(name, json); }},
    };
    return readers;
}

const member_readers<queue_deletion>& deletion_members()
{
    static const member_readers<queue_deletion> readers{
        {"with_jobs", [](queue_deletion& into, member_name name,
                         json_text json) { into.with_jobs = member_boolean(name, json); }},
        {"while_used", [](queue_deletion& into, member_name name,
                          json_text json) { into.while_used = member_boolean(name, json); }},
    };
    return readers;
}

/// In which states of a list queue there may be jobs for an action.
std::vector<job_state> states_for(job_action what)
{
    switch (what) {
    case job_action::retry:
        return {job_state::failed, job_state::broken};
    case job_action::run_now:
        return {job_state::scheduled};
    case job_action::cancel:
        return {job_state::running};
    default:
        return {job_state::failed, job_state::broken, job_state::scheduled, job_state::waiting};
    }
}

/// A list queue has no index of ids: it is read, state by state.
asio::awaitable<tally> act_on_list_ids(const inspector& jobs, job_action what, queue_ref queue,
                                       std::vector<std::string> ids)
{
    tally outcome;
    for (const auto state : states_for(what)) {
        job_filter which;
        which.state = state;
        for (const auto& id : ids)
            which.ids.push_back(id);
        const auto part = co_await act_on_all(jobs, what, queue, std::move(which));
        outcome.done += part.done;
    }
    outcome.missing = ids.size() - std::min(ids.size(), outcome.done);
    co_return outcome;
}

/// Those of other queues are missing in this one.
asio::awaitable<tally> act_on_managed_ids(const inspector& jobs, job_action what, queue_ref queue,
                                          std::vector<std::string> ids)
{
    std::vector<std::string> here;
    for (const auto& id : ids) {
        const auto job = co_await jobs.async_job(queue, id, awaited);
        if (job)
            here.push_back(id);
    }
    const auto missing = ids.size() - here.size();
    auto outcome = co_await act_on_each(jobs, what, std::move(queue), std::move(here));
    outcome.missing += missing;
    co_return outcome;
}

/// @throws refusal  for what a queue of this kind, or a job in that state, cannot do
asio::awaitable<tally> act_on_matching(const inspector& jobs, job_action what, queue_ref queue,
                                       job_filter which)
{
    try {
        co_return co_await act_on_all(jobs, what, std::move(queue), std::move(which));
    } catch (const system_error& error) {
        if (error.code() != errc::invalid_option)
            throw;
        throw refusal{409, sentence_of(error)};
    }
}

} // namespace

asio::awaitable<answer> api::set_notices(const routed& where)
{
    const auto wanted = read_object(where.request.body, "the body", notices_members());
    if (!wanted)
        refuse_body("The member 'notices' is missing; it is true or false.");
    co_await inspector_.async_set_notices(where.queue, *wanted, awaited);
    co_return answer{.body = *wanted ? "{\"notices\":true}\n" : "{\"notices\":false}\n"};
}

asio::awaitable<answer> api::set_paused(const routed& where, bool paused)
{
    const bool delays = paused && wants_delays_paused(where);
    if (delays)
        co_await inspector_.async_pause_delays(where.queue, awaited);
    else if (paused)
        co_await inspector_.async_pause(where.queue, awaited);
    else
        co_await inspector_.async_resume(where.queue, awaited);
    co_return answer{.body = paused ? "{\"paused\":true}\n" : "{\"paused\":false}\n"};
}

asio::awaitable<answer> api::delete_queue(const routed& where)
{
    const auto how = read_object(where.request.body, "how a queue is deleted", deletion_members());
    const auto done = co_await inspector_.async_delete_queue(where.queue, how, awaited);
    if (done)
        co_return answer{.body = "{\"deleted\":true}\n"};
    if (done.error() == errc::queue_in_use)
        throw refusal{409,
                      "Jobs of '" + where.name +
                          "' run, or workers are connected to it; stop them, or say 'while_used': true."};
    if (done.error() == errc::queue_not_empty)
        throw refusal{
            409, "'" + where.name +
                     "' has jobs; say 'with_jobs': true. Those that jobs of other queues wait for stay."};
    throw system_error{done.error()};
}

asio::awaitable<answer> api::act(const routed& where, job_action action)
{
    auto selected = read_selection(where.request.body);
    const bool is_managed = where.queue.is_managed();
    if (is_managed && !selected.keys.empty())
        throw refusal{409, "'" + where.name +
                               "' is a managed queue, whose jobs have no keys; name them by their 'ids'."};
    tally outcome;
    if (selected.all && is_purge(action, where.queue, selected))
        outcome = co_await purge(inspector_, where.queue, selected.which.state);
    else if (selected.all)
        outcome = co_await act_on_matching(inspector_, action, where.queue, std::move(selected.which));
    else if (!selected.keys.empty())
        outcome = co_await act_on_each(inspector_, action, where.queue, std::move(selected.keys));
    else if (is_managed)
        outcome = co_await act_on_managed_ids(inspector_, action, where.queue, std::move(selected.ids));
    else
        outcome = co_await act_on_list_ids(inspector_, action, where.queue, std::move(selected.ids));
    co_return outcome.text();
}

asio::awaitable<answer> api::act_anywhere(const routed& where, job_action action)
{
    auto selected = read_selection_anywhere(where.request.body);
    tally outcome;
    const auto everywhere = queue_ref::managed({});
    if (selected.all)
        outcome = co_await act_on_matching(inspector_, action, everywhere, std::move(selected.which));
    else
        outcome = co_await act_on_each(inspector_, action, everywhere, std::move(selected.ids));
    co_return outcome.text();
}

asio::awaitable<answer> api::send_signal(const routed& where)
{
    const auto& body = where.request.body;
    check_body(body);
    const managed_client jobs{redis_, {.prefix = options_.managed_prefix}};
    const raw_json value{body};
    result<void> sent;
    try {
        sent = co_await jobs.async_signal(where.name, where.inner, value, awaited);
    } catch (const system_error& error) {
        refuse_unusable(error);
    }
    if (sent)
        co_return answer{.body = "{\"sent\":true}\n"};
    if (sent.error() == errc::job_not_found)
        throw refusal{404, "There is no job of this id in a managed queue; /v1/queues lists the queues."};
    if (sent.error() == errc::too_many_signals)
        throw refusal{409, "The job has as many signals as it may have; let it read them first."};
    if (sent.error() == errc::job_ended)
        throw refusal{409, "The job has ended, so no signal reaches it."};
    throw system_error{sent.error()};
}

} // namespace coworker::detail
