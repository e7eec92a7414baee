#pragma once

#include "coworker/managed_job.hpp"
#include "coworker/managed_options.hpp"
#include "coworker/managed_queue.hpp"
#include "coworker/session.hpp"

#include <cstdint>
#include <map>
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
    text data; ///< JSON text; what `complete` stores unless it is given something else

    held_job(const managed_job& job) : held_job{job.jid, job.worker, job.queue, job.data} {}
    held_job(std::string_view id, std::string_view holder, std::string_view in_queue,
             std::string_view present_data = "{}")
        : jid{id}, worker{holder}, queue{in_queue}, data{present_data}
    {}
};

/// For `complete_many`.
struct completion
{
    held_job job;
    complete_options options{};
};

/// For `fail_many`.
struct failing
{
    held_job job;
    text group;
    text message;
    std::optional<text> data{}; ///< JSON text. Default: stays as it is.
};

/// For `retry_many`.
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
    /// @throws system_error  `errc::invalid_option`.
    explicit managed_client(coworker::session& session, managed_options options = {});

    coworker::session& session() const noexcept { return *session_; }
    const managed_options& options() const noexcept { return options_; }

    // --- jobs ---

    /// `errc::job_not_found`.
    asio::awaitable<result<managed_job>> get(std::string_view jid);

    /// Those that exist, in the order asked for.
    asio::awaitable<std::vector<managed_job>> multiget(text_list jids);

    /// Removes jobs, as one step; a worker that holds one is told. Unknown ones and complete ones are passed
    /// over. `errc::still_depended_on`: a job that waits for one of them is not among them; nothing was done.
    asio::awaitable<result<void>> cancel(text_list jids);

    /// Takes running jobs from their workers, as one step. They are handed out next, before any other.
    /// `errc::job_not_found`, `errc::job_not_running`: nothing was done.
    asio::awaitable<result<void>> timeout(text_list jids);

    /// Larger runs first. Finite. A waiting job comes before all others of its new priority.
    /// `errc::job_not_found`.
    asio::awaitable<result<void>> set_priority(std::string_view jid, double priority);

    /// Adds a line to a job's history. `errc::job_not_found`.
    /// @param details  text of a JSON object; empty: none
    asio::awaitable<result<void>> log(std::string_view jid, std::string_view message,
                                      std::string_view details = {});

    // --- jobs that the caller holds: for consumers that are not a `worker` ---
    //
    // `errc::job_not_found`; `errc::job_not_running`; `errc::lease_lost`: another worker holds it. The batches
    // answer for each job, in order, and one no does not stop the others.

    /// The job is done, or goes on to another queue. Returns its new state. Also
    /// `errc::job_in_another_queue`.
    asio::awaitable<result<managed_state>> complete(held_job job, complete_options options = {});
    asio::awaitable<std::vector<result<managed_state>>> complete_many(std::span<const completion> jobs);

    /// The job is given up, and filed under `group`.
    /// @param data  JSON text. Default: stays as it is.
    asio::awaitable<result<void>> fail(held_job job, std::string_view group, std::string_view message,
                                       std::optional<std::string_view> data = std::nullopt);
    asio::awaitable<std::vector<result<void>>> fail_many(std::span<const failing> jobs);

    /// The job goes back to a queue. Returns how many retries remain; -1: none did, so it has failed.
    asio::awaitable<result<int>> retry(held_job job, retry_options options = {});
    asio::awaitable<std::vector<result<int>>> retry_many(std::span<const retrying> jobs);

    /// Prolongs the lock from now. Returns when it ends, in whole seconds.
    /// @param data  JSON text. Default: stays as it is.
    asio::awaitable<result<timestamp>> heartbeat(held_job job,
                                                 std::optional<std::string_view> data = std::nullopt);
    asio::awaitable<std::vector<result<timestamp>>> heartbeat_many(std::span<const held_job> jobs);

    // --- dependencies, of a job in the state `depends`: `errc::not_waiting_for_dependencies` ---

    /// Lets a job wait for more jobs. Those that do not exist, or are complete, do not count.
    asio::awaitable<result<void>> add_dependencies(std::string_view jid, text_list others);
    /// Without any left, the job waits to be popped.
    asio::awaitable<result<void>> remove_dependencies(std::string_view jid, text_list others);
    asio::awaitable<result<void>> remove_all_dependencies(std::string_view jid);

    // --- tags ---

    /// Return the tags that the job has then. `errc::job_not_found`.
    asio::awaitable<result<std::vector<std::string>>> tag(std::string_view jid, text_list tags);
    asio::awaitable<result<std::vector<std::string>>> untag(std::string_view jid, text_list tags);

    /// The jobs that have a tag, the one tagged first first.
    asio::awaitable<managed_page> tagged(std::string_view tag, std::size_t offset = 0,
                                         std::size_t count = 25);
    /// The tags used at least twice, the most used first.
    asio::awaitable<std::vector<std::string>> top_tags(std::size_t offset = 0, std::size_t count = 25);

    // --- tracking: `managed_events` tells what happens to tracked jobs ---

    /// Return whether that changed anything. `errc::job_not_found`.
    asio::awaitable<result<bool>> track(std::string_view jid);
    asio::awaitable<result<bool>> untrack(std::string_view jid);
    asio::awaitable<tracked_jobs> tracked();

    // --- failed and complete jobs ---

    /// How many jobs have failed in each group.
    asio::awaitable<std::map<std::string, std::uint64_t>> failed_groups();
    /// The failed jobs of a group, newest first.
    asio::awaitable<managed_page> failed(std::string_view group, std::size_t offset = 0,
                                         std::size_t count = 25);
    /// Jids of complete jobs, newest first.
    asio::awaitable<std::vector<std::string>> completed(std::size_t offset = 0, std::size_t count = 25);

    // --- queues and workers ---

    /// All queues in which anything was ever put, unless they were forgotten.
    asio::awaitable<std::vector<managed_queue_counts>> queues();

    /// The workers that have popped or sent a heartbeat within `max-worker-age`, the latest first.
    asio::awaitable<std::vector<managed_worker_counts>> workers();
    /// The jobs of one worker, which need not be known.
    asio::awaitable<managed_worker_jobs> worker(std::string_view name);
    /// Takes workers off the list of known ones, until they do something. Their jobs stay with them.
    asio::awaitable<void> deregister_workers(text_list names);

    // --- recurring jobs ---

    /// `errc::recurring_job_not_found`.
    asio::awaitable<result<recurring_job>> recurring(std::string_view jid);
    /// `errc::recurring_job_not_found`. A new interval moves the next turn by the difference.
    asio::awaitable<result<void>> update_recurring(std::string_view jid, recurring_changes changes);
    /// Tags for the jobs to be spawned. Return those it has then. `errc::recurring_job_not_found`.
    asio::awaitable<result<std::vector<std::string>>> tag_recurring(std::string_view jid, text_list tags);
    asio::awaitable<result<std::vector<std::string>>> untag_recurring(std::string_view jid, text_list tags);
    /// Ends a recurring job, if there is one. Jobs it has spawned stay.
    asio::awaitable<void> unrecur(std::string_view jid);

    // --- settings, which are kept in Redis and hold for all clients ---

    /// All, defaults included. Numbers are texts here.
    asio::awaitable<std::map<std::string, std::string>> config();
    /// What is set, or the default; empty if there is neither.
    asio::awaitable<std::optional<std::string>> config(std::string_view option);
    asio::awaitable<void> set_config(std::string_view option, std::string_view value);
    /// The default counts again.
    asio::awaitable<void> unset_config(std::string_view option);

    // --- consistency ---

    /// Looks for what does not fit together in a part of the database, while it is used. Begin with "0" and
    /// go on with what is returned.
    /// @param repair  put it right as well
    /// @param count  how much to look at, 1 to 1000
    asio::awaitable<managed_findings> check(std::string_view cursor = "0", bool repair = false,
                                            std::size_t count = 100);

private:
    coworker::session* session_;
    managed_options options_;
};

} // namespace coworker
