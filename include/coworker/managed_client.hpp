#pragma once

#include "coworker/client.hpp"
#include "coworker/managed_job.hpp"
#include "coworker/managed_options.hpp"
#include "coworker/managed_queue.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace coworker {

/// A job that the caller was handed, as the calls need it that end or prolong that. Made of a `managed_job` by
/// itself.
struct held_job
{
    text jid, worker, queue;
    text data; ///< JSON text; what `async_complete` stores unless it is given something else

    held_job(const managed_job& job) : held_job{job.jid, job.worker, job.queue, job.data} {}
    held_job(std::string_view id, std::string_view holder, std::string_view in_queue,
             std::string_view present_data = "{}")
        : jid{id}, worker{holder}, queue{in_queue}, data{present_data}
    {}
};

/// For `async_complete_many`.
struct completion
{
    held_job job;
    complete_options options{};
};

/// For `async_fail_many`.
struct failing
{
    held_job job;
    text group;
    text message;
    std::optional<text> data{}; ///< JSON text. Default: stays as it is.
};

/// For `async_retry_many`.
struct retrying
{
    held_job job;
    retry_options options{};
};

/// A part of a list of jobs.
struct managed_page
{
    std::uint64_t total = 0; ///< how many there are altogether
    std::vector<std::string> jids;
};

/// The jobs that somebody wants to be told about.
struct tracked_jobs
{
    std::vector<managed_job> jobs;
    std::vector<std::string> expired; ///< jids of jobs that do not exist any more
};

/// A worker, with how many jobs it holds.
struct managed_worker_counts
{
    std::string name;
    std::uint64_t running = 0;
    std::uint64_t stalled = 0; ///< held for longer than they may be
};

/// Jids of the jobs that a worker holds.
struct managed_worker_jobs
{
    std::vector<std::string> running;
    std::vector<std::string> stalled; ///< held for longer than they may be
};

/// What to change of a recurring job. What is empty stays.
struct recurring_changes
{
    std::optional<text> klass{};
    std::optional<text> data{}; ///< JSON text
    std::optional<text> queue{};
    std::optional<std::chrono::seconds> interval{}; ///< greater than zero
    std::optional<double> priority{};
    std::optional<unsigned> retries{};
    std::optional<unsigned> backlog{};
};

/// Something in the database that does not fit together.
struct managed_finding
{
    bool broken = false; ///< false: left behind by normal use, which qless' own scripts do as well
    std::string kind;    ///< such as "job_nowhere"; the page on the protocol lists them
    std::string key;
    std::string member; ///< what in that key: a jid, a tag, a group, a field
    bool repaired = false;
};

/// A part of a consistency check. Pass `next` to go on, until it is "0".
struct managed_findings
{
    std::vector<managed_finding> items;
    std::string next;
};

/// What concerns the jobs, workers and settings of all managed queues that share a prefix.
///
/// Everything that is said of `managed_queue` counts: errors, cancellation, lifetime, thread safety. In
/// addition an empty jid is refused with `errc::invalid_job_id`.
class managed_client
{
public:
    using executor_type = asio::any_io_executor;

    /// @throws system_error  `errc::invalid_option`.
    explicit managed_client(const client& redis, managed_options options = {});

    const managed_options& options() const noexcept { return options_; }
    /// The client's executor.
    executor_type get_executor() const;

    // --- jobs ---

    /// `errc::job_not_found`.
    template<class Token = default_token>
    auto async_get(std::string_view jid, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [&] { return get(jid); }, std::forward<Token>(token));
    }

    /// Those that exist, in the order asked for.
    template<class Token = default_token>
    auto async_multiget(text_list jids, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [&] { return multiget(std::move(jids)); },
            std::forward<Token>(token));
    }

    /// Removes jobs, as one step; a worker that holds one is told. Unknown ones and complete ones are passed
    /// over. `errc::still_depended_on`: a job that waits for one of them is not among them; nothing was done.
    template<class Token = default_token>
    auto async_cancel(text_list jids, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return cancel(std::move(jids)); },
            std::forward<Token>(token));
    }

    /// Takes running jobs from their workers, as one step. They are handed out next, before any other.
    /// `errc::job_not_found`, `errc::job_not_running`: nothing was done.
    template<class Token = default_token>
    auto async_timeout(text_list jids, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return timeout(std::move(jids)); },
            std::forward<Token>(token));
    }

    /// Larger runs first. Finite. A waiting job comes before all others of its new priority.
    /// `errc::job_not_found`.
    template<class Token = default_token>
    auto async_set_priority(std::string_view jid, double priority, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return set_priority(jid, priority); },
            std::forward<Token>(token));
    }

    /// Adds a line to a job's history. `errc::job_not_found`.
    /// @param details  text of a JSON object; empty: none
    template<class Token = default_token>
    auto async_log(std::string_view jid, std::string_view message, std::string_view details = {},
                   Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return log(jid, message, details); },
            std::forward<Token>(token));
    }

    // --- jobs that the caller holds: for consumers that are not a `worker` ---
    //
    // `errc::job_not_found`; `errc::job_not_running`; `errc::lease_lost`: another worker holds it. The batches
    // answer for each job, in order, and one no does not stop the others.

    /// The job is done, or goes on to another queue. Returns its new state. Also
    /// `errc::job_in_another_queue`.
    template<class Token = default_token>
    auto async_complete(held_job job, complete_options options = {}, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt,
            [&] { return complete(std::move(job), std::move(options)); }, std::forward<Token>(token));
    }
    template<asio::completion_token_for<void(error_code, result<managed_state>)> Token>
    auto async_complete(held_job job, Token&& token) const
    {
        return async_complete(std::move(job), complete_options{}, std::forward<Token>(token));
    }
    template<class Token = default_token>
    auto async_complete_many(std::span<const completion> jobs, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return complete_many(jobs); },
            std::forward<Token>(token));
    }

    /// The job is given up, and filed under `group`.
    /// @param data  JSON text. Default: stays as it is.
    template<class Token = default_token>
    auto async_fail(held_job job, std::string_view group, std::string_view message,
                    std::optional<std::string_view> data = std::nullopt,
                    Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt,
            [&] { return fail(std::move(job), group, message, data); }, std::forward<Token>(token));
    }
    template<class Token = default_token>
    auto async_fail_many(std::span<const failing> jobs, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return fail_many(jobs); },
            std::forward<Token>(token));
    }

    /// The job goes back to a queue. Returns how many retries remain; -1: none did, so it has failed.
    template<class Token = default_token>
    auto async_retry(held_job job, retry_options options = {}, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt,
            [&] { return retry(std::move(job), std::move(options)); }, std::forward<Token>(token));
    }
    template<asio::completion_token_for<void(error_code, result<int>)> Token>
    auto async_retry(held_job job, Token&& token) const
    {
        return async_retry(std::move(job), retry_options{}, std::forward<Token>(token));
    }
    template<class Token = default_token>
    auto async_retry_many(std::span<const retrying> jobs, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return retry_many(jobs); },
            std::forward<Token>(token));
    }

    /// Prolongs the lock from now. Returns when it ends, in whole seconds.
    /// @param data  JSON text. Default: stays as it is.
    template<class Token = default_token>
    auto async_heartbeat(held_job job, std::optional<std::string_view> data = std::nullopt,
                         Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return heartbeat(std::move(job), data); },
            std::forward<Token>(token));
    }
    template<class Token = default_token>
    auto async_heartbeat_many(std::span<const held_job> jobs, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return heartbeat_many(jobs); },
            std::forward<Token>(token));
    }

    // --- dependencies, of a job in the state `depends`: `errc::not_waiting_for_dependencies` ---

    /// Lets a job wait for more jobs. Those that do not exist, or are complete, do not count.
    template<class Token = default_token>
    auto async_add_dependencies(std::string_view jid, text_list others, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return add_dependencies(jid, std::move(others)); },
            std::forward<Token>(token));
    }
    /// Without any left, the job waits to be popped.
    template<class Token = default_token>
    auto async_remove_dependencies(std::string_view jid, text_list others,
                                   Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt,
            [&] { return remove_dependencies(jid, std::move(others)); }, std::forward<Token>(token));
    }
    template<class Token = default_token>
    auto async_remove_all_dependencies(std::string_view jid, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return remove_all_dependencies(jid); },
            std::forward<Token>(token));
    }

    // --- tags ---

    /// Return the tags that the job has then. `errc::job_not_found`.
    template<class Token = default_token>
    auto async_tag(std::string_view jid, text_list tags, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return tag(jid, std::move(tags)); },
            std::forward<Token>(token));
    }
    template<class Token = default_token>
    auto async_untag(std::string_view jid, text_list tags, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return untag(jid, std::move(tags)); },
            std::forward<Token>(token));
    }

    /// The jobs that have a tag, the one tagged first first.
    template<class Token = default_token>
    auto async_tagged(std::string_view tag, std::size_t offset = 0, std::size_t count = 25,
                      Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [&] { return tagged(tag, offset, count); },
            std::forward<Token>(token));
    }
    /// The tags used at least twice, the most used first.
    template<class Token = default_token>
    auto async_top_tags(std::size_t offset = 0, std::size_t count = 25, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [&] { return top_tags(offset, count); },
            std::forward<Token>(token));
    }

    // --- tracking: `managed_events` tells what happens to tracked jobs ---

    /// Return whether that changed anything. `errc::job_not_found`.
    template<class Token = default_token>
    auto async_track(std::string_view jid, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return track(jid); }, std::forward<Token>(token));
    }
    template<class Token = default_token>
    auto async_untrack(std::string_view jid, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return untrack(jid); },
            std::forward<Token>(token));
    }
    template<class Token = default_token>
    auto async_tracked(Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return tracked(); }, std::forward<Token>(token));
    }

    // --- failed and complete jobs ---

    /// How many jobs have failed in each group.
    template<class Token = default_token>
    auto async_failed_groups(Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return failed_groups(); },
            std::forward<Token>(token));
    }
    /// The failed jobs of a group, newest first.
    template<class Token = default_token>
    auto async_failed(std::string_view group, std::size_t offset = 0, std::size_t count = 25,
                      Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [&] { return failed(group, offset, count); },
            std::forward<Token>(token));
    }
    /// Jids of complete jobs, newest first.
    template<class Token = default_token>
    auto async_completed(std::size_t offset = 0, std::size_t count = 25,
                         Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [&] { return completed(offset, count); },
            std::forward<Token>(token));
    }

    // --- queues and workers ---

    /// All queues in which anything was ever pushed, unless they were forgotten.
    template<class Token = default_token>
    auto async_queues(Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return queues(); }, std::forward<Token>(token));
    }

    /// The workers that have popped or sent a heartbeat within `max-worker-age`, the latest first.
    template<class Token = default_token>
    auto async_workers(Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return workers(); }, std::forward<Token>(token));
    }
    /// The jobs of one worker, which need not be known.
    template<class Token = default_token>
    auto async_worker(std::string_view name, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [&] { return worker(name); }, std::forward<Token>(token));
    }
    /// Takes workers off the list of known ones, until they do something. Their jobs stay with them.
    template<class Token = default_token>
    auto async_deregister_workers(text_list names, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return deregister_workers(std::move(names)); },
            std::forward<Token>(token));
    }

    // --- recurring jobs ---

    /// `errc::recurring_job_not_found`.
    template<class Token = default_token>
    auto async_recurring(std::string_view jid, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [&] { return recurring(jid); },
            std::forward<Token>(token));
    }
    /// `errc::recurring_job_not_found`. A new interval moves the next turn by the difference.
    template<class Token = default_token>
    auto async_update_recurring(std::string_view jid, recurring_changes changes,
                                Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt,
            [&] { return update_recurring(jid, std::move(changes)); }, std::forward<Token>(token));
    }
    /// Tags for the jobs to be spawned. Return those it has then. `errc::recurring_job_not_found`.
    template<class Token = default_token>
    auto async_tag_recurring(std::string_view jid, text_list tags, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return tag_recurring(jid, std::move(tags)); },
            std::forward<Token>(token));
    }
    template<class Token = default_token>
    auto async_untag_recurring(std::string_view jid, text_list tags, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return untag_recurring(jid, std::move(tags)); },
            std::forward<Token>(token));
    }
    /// Ends a recurring job, if there is one. Jobs it has spawned stay.
    template<class Token = default_token>
    auto async_unrecur(std::string_view jid, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return unrecur(jid); },
            std::forward<Token>(token));
    }

    // --- settings, which are kept in Redis and hold for all clients ---

    /// All, defaults included. Numbers are texts here.
    template<class Token = default_token>
    auto async_config(Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [this] { return config(); }, std::forward<Token>(token));
    }
    /// What is set, or the default; empty if there is neither.
    template<class Token = default_token>
    auto async_get_config(std::string_view option, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_nothing, [&] { return get_config(option); },
            std::forward<Token>(token));
    }
    template<class Token = default_token>
    auto async_set_config(std::string_view option, std::string_view value,
                          Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return set_config(option, value); },
            std::forward<Token>(token));
    }
    /// The default counts again.
    template<class Token = default_token>
    auto async_unset_config(std::string_view option, Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return unset_config(option); },
            std::forward<Token>(token));
    }

    // --- consistency ---

    /// Looks for what does not fit together in a part of the database, while it is used. Begin with "0" and
    /// go on with what is returned.
    /// @param repair  put it right as well
    /// @param count  how much to look at, 1 to 1000
    template<class Token = default_token>
    auto async_check(std::string_view cursor = "0", bool repair = false, std::size_t count = 100,
                     Token&& token = default_token{}) const
    {
        return detail::start(
            get_executor(), detail::leaves_in_doubt, [&] { return check(cursor, repair, count); },
            std::forward<Token>(token));
    }

private:
    asio::awaitable<result<void>> log(std::string_view jid, std::string_view message,
                                      std::string_view details) const;
    asio::awaitable<result<managed_state>> complete(held_job job, complete_options options) const;
    asio::awaitable<result<int>> retry(held_job job, retry_options options) const;
    asio::awaitable<result<managed_job>> get(std::string_view jid) const;
    asio::awaitable<std::vector<managed_job>> multiget(text_list jids) const;
    asio::awaitable<result<void>> cancel(text_list jids) const;
    asio::awaitable<result<void>> timeout(text_list jids) const;
    asio::awaitable<result<void>> set_priority(std::string_view jid, double priority) const;
    asio::awaitable<std::vector<result<managed_state>>> complete_many(std::span<const completion> jobs) const;
    asio::awaitable<result<void>> fail(held_job job, std::string_view group, std::string_view message,
                                       std::optional<std::string_view> data) const;
    asio::awaitable<std::vector<result<void>>> fail_many(std::span<const failing> jobs) const;
    asio::awaitable<std::vector<result<int>>> retry_many(std::span<const retrying> jobs) const;
    asio::awaitable<result<timestamp>> heartbeat(held_job job, std::optional<std::string_view> data) const;
    asio::awaitable<std::vector<result<timestamp>>> heartbeat_many(std::span<const held_job> jobs) const;
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
    asio::awaitable<std::optional<std::string>> get_config(std::string_view option) const;
    asio::awaitable<void> set_config(std::string_view option, std::string_view value) const;
    asio::awaitable<void> unset_config(std::string_view option) const;
    asio::awaitable<managed_findings> check(std::string_view cursor, bool repair, std::size_t count) const;

    std::shared_ptr<detail::connection> redis_;
    managed_options options_;
};

} // namespace coworker
