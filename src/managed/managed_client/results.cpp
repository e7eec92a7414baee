// SPDX-License-Identifier: MIT
#include "managed/managed_client/results.hpp"

#include "coworker/managed_client.hpp"
#include "managed/checks.hpp"
#include "managed/json_fields.hpp"
#include "redis/key_watch.hpp"
#include "redis/poll_schedule.hpp"
#include "text/bounded_time.hpp"

#include <boost/asio/this_coro.hpp>
#include <boost/json/object.hpp>
#include <boost/json/serialize.hpp>

namespace coworker {
namespace detail {
namespace {

std::string result_key(const std::string& prefix, const std::string& jid)
{
    return prefix + "coworker:result:" + jid;
}

/// What status.lua answers.
struct seen_job
{
    std::string state, failure, progress;
    bool has_result = false;
    std::string result;

    bool is_gone() const noexcept { return state.empty(); }
};

seen_job read_seen(const reply::answer& words)
{
    if (words.size() != 5)
        throw_unexpected_answer("a status that is not complete");
    seen_job job;
    job.state = words[0];
    job.failure = words[1];
    job.progress = words[2];
    job.has_result = words.integer(3) != 0;
    job.result = words[4];
    return job;
}

/// Group and message of a failure; empty where other clients have stored something else.
std::pair<std::string, std::string> read_failure(const std::string& text)
{
    try {
        const auto value = parse_answer(text);
        const json_fields fields{value, "a failure"};
        return {fields.text("group"), fields.text("message")};
    } catch (const system_error&) {
        return {};
    }
}

std::optional<managed_state> read_state(std::string_view name)
{
    for (const auto state :
         {managed_state::waiting, managed_state::scheduled, managed_state::depends, managed_state::running,
          managed_state::stalled, managed_state::failed, managed_state::complete})
        if (to_string(state) == name)
            return state;
    return std::nullopt;
}

/// The result if the job has ended well; nothing if it has not ended. Throws why there will be none.
std::optional<std::string> look_for_end(const seen_job& job, const std::string& jid, bool was_there,
                                        bool wants_result)
{
    if (job.has_result)
        return job.result;
    if (job.is_gone())
        throw system_error{was_there ? errc::job_gone : errc::job_not_found, jid};
    if (job.state == "failed") {
        const auto [group, message] = read_failure(job.failure);
        throw explained_error{errc::job_failed,
                              "the job '" + jid + "' has failed with '" + group + ": " + message + '\''};
    }
    if (job.state != "complete")
        return std::nullopt;
    if (wants_result)
        throw system_error{errc::no_result, jid};
    return std::string{};
}

asio::awaitable<seen_job> look(kept_connection redis, const std::string& prefix, const std::string& jid,
                               bool tracked)
{
    redis->pushes().send(redis); // they began before
    const auto job = prefix + "j:" + jid, kept = result_key(prefix, jid);
    script_arguments arguments{prefix, job, kept};
    arguments.add("server");
    arguments.add(jid);
    const auto& script = find_script("managed/status");
    reply answers;
    if (tracked)
        answers = co_await redis->call_tracked(script, arguments);
    else
        answers = co_await redis->call(script, arguments);
    co_return read_seen(answers.back());
}

/// Redis announces any change of the job or of its result behind the look: so nothing is missed between the two, and
/// nothing is asked meanwhile. A running job changes when its lease is renewed as well.
asio::awaitable<std::string> wait_for_end(kept_connection redis, const std::string& prefix,
                                          const std::string& jid, bool wants_result)
{
    std::vector<std::string> keys{prefix + "j:" + jid, result_key(prefix, jid)};
    key_watch watch{redis->watches(), redis->get_executor(), std::move(keys)};
    poll_schedule polls;
    for (bool was_there = false;; was_there = true) {
        watch.arm();
        std::optional<seen_job> seen;
        try {
            seen = co_await look(redis, prefix, jid, true);
        } catch (const system_error& error) {
            if (error.code() != errc::in_doubt) // a question can be asked again
                throw;
        }
        if (!seen)
            continue;
        if (auto end = look_for_end(*seen, jid, was_there, wants_result))
            co_return std::move(*end);
        co_await watch.wait_until(polls.next(redis, redis->options().poll_interval));
    }
}

} // namespace

std::string progress_text(const job_progress& progress)
{
    boost::json::object object;
    object["fraction"] = progress.fraction;
    object["message"] = progress.message;
    return boost::json::serialize(object);
}

std::optional<job_progress> read_progress(std::string_view json)
{
    if (json.empty())
        return std::nullopt;
    try {
        const auto value = parse_answer(json);
        const json_fields fields{value, "progress"};
        job_progress progress;
        progress.fraction = fields.number("fraction");
        progress.message = fields.text("message");
        progress.told_at = bounded_time(fields.number("when"));
        return progress;
    } catch (const system_error&) {
        return std::nullopt;
    }
}

std::string result_of(const reply::answer& status, const std::string& jid, bool needed)
{
    auto end = look_for_end(read_seen(status), jid, false, needed);
    if (!end)
        throw explained_error{errc::no_result, "the job '" + jid + "' has not ended, so it has no result"};
    return std::move(*end);
}

awaited_job<> end_of_job(std::string_view how, std::string_view json)
{
    awaited_job<> other;
    if (how == "failed") {
        other.how = wait_end::failed;
        std::tie(other.group, other.message) = read_failure(std::string{json});
    } else if (how == "complete") {
        other.how = wait_end::succeeded;
        if (!json.empty())
            other.value = raw_json{std::string{json}};
    } else if (how == "gone" || how == "not_found") {
        other.how = how == "gone" ? wait_end::gone : wait_end::not_found;
    } else {
        throw_unexpected_answer("an unknown end of a job");
    }
    return other;
}

asio::awaitable<result<job_status>> read_status(kept_connection redis, std::string prefix, std::string jid)
{
    auto seen = co_await look(redis, prefix, jid, false);
    if (seen.is_gone() && !seen.has_result)
        co_return errc::job_not_found;
    job_status status;
    status.state = read_state(seen.state);
    if (seen.has_result)
        status.value = raw_json{std::move(seen.result)};
    status.progress = read_progress(seen.progress);
    std::tie(status.group, status.message) = read_failure(seen.failure);
    co_return status;
}

asio::awaitable<std::string> wait_for_job(kept_connection redis, std::string prefix, std::string jid,
                                          wait_options options, bool wants_result)
{
    std::exception_ptr cancelled;
    try {
        co_return co_await wait_for_end(redis, prefix, jid, wants_result);
    } catch (const system_error& error) {
        if (!options.cancel_job || error.code() != asio::error::operation_aborted)
            throw;
        cancelled = std::current_exception();
    }
    co_await asio::this_coro::reset_cancellation_state(asio::disable_cancellation());
    managed_call call{prefix, "cancel"};
    call.add(jid);
    try {
        (void)co_await try_managed(redis, std::move(call));
    } catch (const system_error&) { // the caller asked for the end of the wait first of all
    }
    std::rethrow_exception(cancelled);
}

} // namespace detail

asio::awaitable<std::string> managed_queue::wait_for(std::string_view jid, wait_options options,
                                                     bool wants_result) const
{
    detail::check_jid(jid);
    return detail::wait_for_job(*redis_, options_.prefix, std::string{jid}, options, wants_result);
}

asio::awaitable<std::string> managed_client::wait_for(std::string_view jid, wait_options options,
                                                      bool wants_result) const
{
    detail::check_jid(jid);
    return detail::wait_for_job(*redis_, options_.prefix, std::string{jid}, options, wants_result);
}

asio::awaitable<result<job_status>> managed_client::status(std::string_view jid) const
{
    detail::check_jid(jid);
    return detail::read_status(*redis_, options_.prefix, std::string{jid});
}

} // namespace coworker
