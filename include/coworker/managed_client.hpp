// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "coworker/job_signals.hpp"
#include "coworker/managed_counts.hpp"
#include "coworker/managed_job.hpp"
#include "coworker/managed_options.hpp"
#include "coworker/managed_queue.hpp"
#include "coworker/qless_reply.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace coworker {

/// Jobs by their id, workers and settings of all managed queues that share a prefix.
///
/// Errors, cancellation, lifetime and thread safety are those of `managed_queue`. An empty jid is refused with
/// `errc::invalid_job_id`.
class managed_client
{
public:
    /// The type of executors, as Asio's adapters look for it.
    using executor_type = asio::any_io_executor;

    /// @throws system_error  `errc::invalid_option`.
    explicit managed_client(const client& redis, managed_options options = {});

    /// The options that the constructor was given.
    const managed_options& options() const noexcept { return options_; }
    /// The client's executor.
    executor_type get_executor() const;

    // --- jobs ---

    /// Reads a job. Completes with `void(error_code, result<managed_job>)`; the result may be `errc::job_not_found`, or
    /// `errc::job_too_large` for a job that is too large for a connection.
    template<class Token = default_token>
    auto async_get(std::string_view jid, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [&] { return get(jid); });
    }

    /// Reads many jobs, 128 in a script: those that exist, in the order of `jids`. Completes with
    /// `void(error_code, std::vector<managed_job>)`.
    template<class Token = default_token>
    auto async_multiget(text_list jids, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return multiget(std::move(jids)); });
    }

    /// Reads what has become of a job, what its handler has returned and how far it is. Completes with
    /// `void(error_code, result<job_status>)`; the result may be `errc::job_not_found`.
    template<class Token = default_token>
    auto async_status(std::string_view jid, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [&] { return status(jid); });
    }

    /// Does what `managed_queue::async_wait_for` does.
    template<class T = void, class Token = default_token>
    auto async_wait_for(std::string_view jid, wait_options options = {},
                        Token&& token = default_token{}) const
    {
        static_assert(detail::decodable_type<T>::value, COWORKER_JOB_IS_NOT_DESCRIBED);
        constexpr bool wants_result = !std::is_void_v<T> && !detail::is_optional<T>;
        return detail::start(
            get_executor(), options.cancel_job ? detail::leaves_in_doubt : detail::leaves_nothing,
            [&] { return detail::decoded_work<T>{wait_for(jid, options, wants_result)}; },
            std::forward<Token>(token));
    }
    /// The same with default options.
    template<class T = void, class Token>
    requires(!std::convertible_to<Token, wait_options>) auto async_wait_for(std::string_view jid,
                                                                            Token&& token) const
    {
        return async_wait_for<T>(jid, wait_options{}, std::forward<Token>(token));
    }

    /// Removes jobs, in one step. A worker that runs one of them is notified, and cancels its handler. Jobs that do not
    /// exist or are complete are ignored. Completes with `void(error_code, result<void>)`; the result is
    /// `errc::still_depended_on`, and nothing was done, if a job waits for one of them that is not among them.
    template<class Token = default_token>
    auto async_cancel(text_list jids, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return cancel(std::move(jids)); });
    }

    /// Takes running jobs from their workers, in one step; each runs again before all waiting jobs of its queue.
    /// Completes with `void(error_code, result<void>)`; the result may be `errc::job_not_found` or
    /// `errc::job_not_running`, and nothing was done then.
    template<class Token = default_token>
    auto async_timeout(text_list jids, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return timeout(std::move(jids)); });
    }

    /// Sends a signal to a job, for which its handler waits with `job_context::signal`, now or later. A job that sleeps
    /// for it may run at once. A job keeps up to 100 signals of a name that no run has read, and 1 MiB of all names.
    /// Completes with `void(error_code, result<void>)`; the result may be `errc::job_not_found`, `errc::job_ended` or
    /// `errc::too_many_signals`, and nothing was stored then.
    ///
    /// @param jid  the job
    /// @param name  of the signal; UTF-8 of 1 to 256 bytes
    /// @param value  anything that `encode` takes; `raw_json` for JSON text
    /// @param token  the completion token
    template<class Signal, class Token = default_token>
    auto async_signal(std::string_view jid, std::string_view name, Signal&& value,
                      Token&& token = default_token{}) const
    {
        return detail::start_change<Signal>(*this, std::forward<Token>(token),
                                            [&] { return signal(jid, name, encode(value).value()); });
    }

    /// Reads the signals of a job, and what it has waited for. Completes with `void(error_code, job_signals)`: nothing of
    /// a job that does not exist.
    template<class Token = default_token>
    auto async_signals(std::string_view jid, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [&] { return signals(jid); });
    }

    /// Changes the priority of a job: a finite number, larger runs first. A waiting job comes before all others of its
    /// new priority. Completes with `void(error_code, result<void>)`; the result may be `errc::job_not_found`.
    template<class Token = default_token>
    auto async_set_priority(std::string_view jid, double priority, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return set_priority(jid, priority); });
    }

    /// Adds an entry to a job's history. Completes with `void(error_code, result<void>)`; the result may be
    /// `errc::job_not_found`.
    ///
    /// @param jid  the job
    /// @param message  becomes `managed_history_entry::what`; not empty
    /// @param details  the text of a JSON object; empty: no details
    /// @param token  the completion token
    template<class Token = default_token>
    auto async_log(std::string_view jid, std::string_view message, std::string_view details = {},
                   Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return log(jid, message, details); });
    }

    // --- dependencies ---

    /// Lets a job in the state `depends` wait for more jobs. Ids of jobs that do not exist or are complete are ignored.
    /// Completes with `void(error_code, result<void>)`; the result may be `errc::job_not_found` or
    /// `errc::not_waiting_for_dependencies`.
    template<class Token = default_token>
    auto async_add_dependencies(std::string_view jid, text_list others, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return add_dependencies(jid, std::move(others)); });
    }
    /// Removes dependencies of a job in the state `depends`. If none is left, the job may run at once, without the
    /// delay that it may have. Completes with `void(error_code, result<void>)`; the result may be `errc::job_not_found`
    /// or `errc::not_waiting_for_dependencies`.
    template<class Token = default_token>
    auto async_remove_dependencies(std::string_view jid, text_list others,
                                   Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return remove_dependencies(jid, std::move(others)); });
    }
    /// The same for all dependencies of the job.
    template<class Token = default_token>
    auto async_remove_all_dependencies(std::string_view jid, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return remove_all_dependencies(jid); });
    }

    // --- tags ---

    /// Adds tags to a job. Completes with `void(error_code, result<std::vector<std::string>>)`: the tags that it has
    /// then, or `errc::job_not_found`.
    template<class Token = default_token>
    auto async_tag(std::string_view jid, text_list tags, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return tag(jid, std::move(tags)); });
    }
    /// Removes tags from a job. Completes as `async_tag`.
    template<class Token = default_token>
    auto async_untag(std::string_view jid, text_list tags, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return untag(jid, std::move(tags)); });
    }

    /// Reads a part of the jobs that have a tag, in the order in which they were tagged. Completes with
    /// `void(error_code, managed_page)`.
    ///
    /// @param tag  the tag
    /// @param offset  how many jobs to skip
    /// @param count  how many jobs to read, at most
    /// @param token  the completion token
    template<class Token = default_token>
    auto async_tagged(std::string_view tag, std::size_t offset = 0, std::size_t count = 25,
                      Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return tagged(tag, offset, count); });
    }
    /// Reads a part of the tags that are used at least twice, the most used first; `offset` and `count` as for
    /// `async_tagged`. Completes with `void(error_code, std::vector<std::string>)`.
    template<class Token = default_token>
    auto async_top_tags(std::size_t offset = 0, std::size_t count = 25, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return top_tags(offset, count); });
    }

    // --- tracking ---

    /// Tracks a job: `managed_events` receives more of what happens to it. Completes with
    /// `void(error_code, result<bool>)`: false if it was tracked already, or `errc::job_not_found`.
    template<class Token = default_token>
    auto async_track(std::string_view jid, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] { return track(jid); });
    }
    /// Ends what `async_track` began. Completes with `void(error_code, result<bool>)`: false if the job was not
    /// tracked, or `errc::job_not_found`.
    template<class Token = default_token>
    auto async_untrack(std::string_view jid, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] { return untrack(jid); });
    }
    /// Reads the tracked jobs. Completes with `void(error_code, tracked_jobs)`.
    template<class Token = default_token>
    auto async_tracked(Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [this] { return tracked(); });
    }

    // --- failed and complete jobs ---

    /// Counts the failed jobs of each group. Completes with `void(error_code, std::map<std::string, std::uint64_t>)`.
    template<class Token = default_token>
    auto async_failed_groups(Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [this] { return failed_groups(); });
    }
    /// Reads a part of the failed jobs of a group, the newest first; `offset` and `count` as for `async_tagged`.
    /// Completes with `void(error_code, managed_page)`.
    template<class Token = default_token>
    auto async_failed(std::string_view group, std::size_t offset = 0, std::size_t count = 25,
                      Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return failed(group, offset, count); });
    }
    /// Reads the jids of a part of the complete jobs, the newest first; `offset` and `count` as for `async_tagged`.
    /// Completes with `void(error_code, std::vector<std::string>)`.
    template<class Token = default_token>
    auto async_completed(std::size_t offset = 0, std::size_t count = 25,
                         Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return completed(offset, count); });
    }

    // --- queues and workers ---

    /// Counts the jobs of all known queues: those to which a job was ever pushed, but for forgotten ones. Completes
    /// with `void(error_code, std::vector<managed_queue_counts>)`.
    ///
    /// @par Cost  One script, O(number of queues).
    template<class Token = default_token>
    auto async_queues(Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [this] { return queues(); });
    }

    /// Reads the workers that have popped or sent a heartbeat within the setting `max-worker-age`, the latest first.
    /// Completes with `void(error_code, std::vector<managed_worker_counts>)`.
    template<class Token = default_token>
    auto async_workers(Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [this] { return workers(); });
    }
    /// Reads the jobs of one worker; it need not be a known one. Completes with
    /// `void(error_code, managed_worker_jobs)`.
    template<class Token = default_token>
    auto async_worker(std::string_view name, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [&] { return worker(name); });
    }
    /// Removes workers from the list of known workers, until they pop or send a heartbeat again. They keep their jobs.
    /// Completes with `void(error_code)`.
    template<class Token = default_token>
    auto async_deregister_workers(text_list names, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return deregister_workers(std::move(names)); });
    }

    // --- recurring jobs ---

    /// Reads a recurring job. Completes with `void(error_code, result<recurring_job>)`; the result may be
    /// `errc::recurring_job_not_found`.
    template<class Token = default_token>
    auto async_recurring(std::string_view jid, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [&] { return recurring(jid); });
    }
    /// Changes a recurring job. A new interval moves the next due time by the difference. Completes with
    /// `void(error_code, result<void>)`; the result may be `errc::recurring_job_not_found`.
    template<class Token = default_token>
    auto async_update_recurring(std::string_view jid, recurring_changes changes,
                                Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return update_recurring(jid, std::move(changes)); });
    }
    /// Adds tags to a recurring job; its next jobs have them. Completes with
    /// `void(error_code, result<std::vector<std::string>>)`: the tags that it has then, or
    /// `errc::recurring_job_not_found`.
    template<class Token = default_token>
    auto async_tag_recurring(std::string_view jid, text_list tags, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return tag_recurring(jid, std::move(tags)); });
    }
    /// Removes tags from a recurring job. Completes as `async_tag_recurring`.
    template<class Token = default_token>
    auto async_untag_recurring(std::string_view jid, text_list tags, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return untag_recurring(jid, std::move(tags)); });
    }
    /// Removes a recurring job, if it exists. The jobs that it has made stay. Completes with `void(error_code)`.
    template<class Token = default_token>
    auto async_unrecur(std::string_view jid, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] { return unrecur(jid); });
    }

    // --- settings, which are kept in Redis and hold for all clients ---

    /// Reads all settings, including defaults. Numbers are texts. Completes with
    /// `void(error_code, std::map<std::string, std::string>)`.
    template<class Token = default_token>
    auto async_config(Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [this] { return config(); });
    }
    /// Changes a setting. A heartbeat that is no number greater than zero is refused with `errc::invalid_option`; other
    /// values are not checked. Completes with `void(error_code)`.
    template<class Token = default_token>
    auto async_set_config(std::string_view option, std::string_view value,
                          Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return set_config(option, value); });
    }
    /// Removes a setting: its default applies again. Completes with `void(error_code)`.
    template<class Token = default_token>
    auto async_unset_config(std::string_view option, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] { return unset_config(option); });
    }

    // --- limits, which are kept in Redis and hold for all coworker programs ---

    /// Sets a limit, or changes it. It holds for the jobs that name it (`managed_push_options::limits`) and for
    /// those of the queues that name it (`managed_queue::async_set_limits`). Jobs that may run now are fetched at once.
    /// Running jobs go on: if more of them run than a lower limit allows, no others begin until enough have ended.
    /// Completes with `void(error_code)`.
    ///
    /// @param name  its name. One that ends with ":*", such as "tenant:*", holds for every limit whose name begins like
    ///   it, unless that limit is set itself. Each of these limits counts on its own.
    /// @param settings  what it lets through: `max_running`, `rate` or both; they replace all that was set before
    /// @param token  the completion token
    template<class Token = default_token>
    auto async_set_limit(std::string_view name, limit_settings settings,
                         Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return set_limit(name, settings); });
    }
    /// Removes a limit: jobs that name it are subject to it no longer. Completes with `void(error_code)`.
    template<class Token = default_token>
    auto async_remove_limit(std::string_view name, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] { return remove_limit(name); });
    }
    /// Reads a limit, what running jobs hold of it and how many jobs it holds back; it need not be set. Completes with
    /// `void(error_code, limit_state)`.
    template<class Token = default_token>
    auto async_limit(std::string_view name, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [&] { return limit(name); });
    }
    /// Reads all limits that are set, by name. Completes with `void(error_code, std::vector<limit_state>)`.
    template<class Token = default_token>
    auto async_limits(Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [this] { return limits(); });
    }

    /// Holds something for a time, by Redis' clock: until it is over, no worker of coworker's fetches a job of it.
    /// Running jobs go on. A former hold of the same is replaced. It ends by itself, and the workers that wait wake up
    /// then. Completes with `void(error_code)`.
    ///
    ///     co_await jobs.async_hold({.kind = hold_kind::queue, .name = "mails"}, 30s);
    ///
    /// @param what  a queue, limit, order key or group; it need not have jobs
    /// @param time  how long, at most 400 days; zero or less ends a hold
    /// @param token  the completion token
    template<class Token = default_token>
    auto async_hold(const hold_target& what, option_duration time, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] { return hold(what, time); });
    }
    /// Reads how much longer something is held; zero: it is not. Completes with
    /// `void(error_code, std::chrono::milliseconds)`.
    template<class Token = default_token>
    auto async_held_for(const hold_target& what, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [&] { return held_for(what); });
    }

    // --- qless' protocol ---

    /// Calls a command as qless' clients do, by its name in the protocol, such as "put" or "config.get". Completes with
    /// `void(error_code, qless_reply)`; a refusal, also of an unknown command, is an error inside of the reply.
    ///
    /// The arguments are not checked. docs/managed-protocol.md describes them.
    /// @param command  the name of the command
    /// @param arguments  the time in seconds, or "server" for the clock of Redis; then those of the command
    /// @param token  the completion token
    template<class Token = default_token>
    auto async_call(std::string_view command, text_list arguments, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return call(command, std::move(arguments)); });
    }

private:
    asio::awaitable<std::string> wait_for(std::string_view jid, wait_options options,
                                          bool wants_result) const;
    asio::awaitable<result<job_status>> status(std::string_view jid) const;
    asio::awaitable<qless_reply> call(std::string_view command, text_list arguments) const;
    asio::awaitable<result<void>> log(std::string_view jid, std::string_view message,
                                      std::string_view details) const;
    asio::awaitable<result<managed_job>> get(std::string_view jid) const;
    asio::awaitable<std::vector<managed_job>> multiget(text_list jids) const;
    asio::awaitable<result<void>> cancel(text_list jids) const;
    asio::awaitable<result<void>> timeout(text_list jids) const;
    asio::awaitable<result<void>> signal(std::string_view jid, std::string_view name,
                                         const std::string& value) const;
    asio::awaitable<job_signals> signals(std::string_view jid) const;
    asio::awaitable<result<void>> set_priority(std::string_view jid, double priority) const;
    asio::awaitable<result<void>> add_dependencies(std::string_view jid, text_list others) const;
    asio::awaitable<result<void>> remove_dependencies(std::string_view jid, text_list others) const;
    asio::awaitable<result<void>> remove_all_dependencies(std::string_view jid) const;
    asio::awaitable<result<std::vector<std::string>>> tag(std::string_view jid, text_list tags) const;
    asio::awaitable<result<std::vector<std::string>>> untag(std::string_view jid, text_list tags) const;
    asio::awaitable<managed_page> tagged(std::string_view tag, std::size_t offset, std::size_t count) const;
    asio::awaitable<std::vector<std::string>> top_tags(std::size_t offset, std::size_t count) const;
    asio::awaitable<result<bool>> track(std::string_view jid) const;
    asio::awaitable<result<bool>> untrack(std::string_view jid) const;
    asio::awaitable<tracked_jobs> tracked() const;
    asio::awaitable<std::map<std::string, std::uint64_t>> failed_groups() const;
    asio::awaitable<managed_page> failed(std::string_view group, std::size_t offset, std::size_t count) const;
    asio::awaitable<std::vector<std::string>> completed(std::size_t offset, std::size_t count) const;
    asio::awaitable<std::vector<managed_queue_counts>> queues() const;
    asio::awaitable<std::vector<managed_worker_counts>> workers() const;
    asio::awaitable<managed_worker_jobs> worker(std::string_view name) const;
    asio::awaitable<void> deregister_workers(text_list names) const;
    asio::awaitable<result<recurring_job>> recurring(std::string_view jid) const;
    asio::awaitable<result<void>> update_recurring(std::string_view jid, recurring_changes changes) const;
    asio::awaitable<result<std::vector<std::string>>> tag_recurring(std::string_view jid,
                                                                    text_list tags) const;
    asio::awaitable<result<std::vector<std::string>>> untag_recurring(std::string_view jid,
                                                                      text_list tags) const;
    asio::awaitable<void> unrecur(std::string_view jid) const;
    asio::awaitable<std::map<std::string, std::string>> config() const;
    asio::awaitable<void> set_config(std::string_view option, std::string_view value) const;
    asio::awaitable<void> unset_config(std::string_view option) const;
    asio::awaitable<void> set_limit(std::string_view name, limit_settings settings) const;
    asio::awaitable<void> remove_limit(std::string_view name) const;
    asio::awaitable<void> hold(const hold_target& what, std::chrono::milliseconds time) const;
    asio::awaitable<std::chrono::milliseconds> held_for(const hold_target& what) const;
    asio::awaitable<limit_state> limit(std::string_view name) const;
    asio::awaitable<std::vector<limit_state>> limits() const;

    std::shared_ptr<detail::connection> redis_;
    managed_options options_;
};

} // namespace coworker
