#pragma once

#include "coworker/client.hpp"
#include "coworker/completion.hpp"
#include "coworker/inspect/failure_group.hpp"
#include "coworker/inspect/finding.hpp"
#include "coworker/inspect/job_filter.hpp"
#include "coworker/inspect/job_info.hpp"
#include "coworker/inspect/queue_info.hpp"
#include "coworker/inspect/queue_ref.hpp"
#include "coworker/inspect/schedule_info.hpp"
#include "coworker/inspect/worker_info.hpp"
#include "coworker/managed_statistics.hpp"
#include "coworker/text.hpp"

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace coworker {

namespace detail {
struct inspection;
}

/// What an inspector looks at.
struct inspector_options
{
    /// All keys of the managed queues begin with it; see `managed_options`. Not empty.
    text managed_prefix = "ql:";
};

/// Looks at queues, workers and jobs of both kinds, and acts on them: what a dashboard, a command line or an operator's
/// program is built on.
///
/// Operations take a completion token as their last argument; without one they can be awaited (see `completion.hpp`).
/// Where the answer can be no, it is a `result`. Lists are read in parts: an operation that takes a cursor begins with
/// an empty one, and goes on with the one that it returned; an empty one is the end.
///
/// What an operation reads is said at each; none reads more than is said there, however large the queues are.
///
/// @par Errors  `errc::invalid_queue_name` for a name that is empty or has more than 512 bytes, `errc::invalid_option`
///   for a cursor that is none, and what Redis or the connection makes impossible (see `errc`).
/// @par Cancellation  total, partial, terminal for what only looks; partial, terminal for what acts: it may or may not
///   have been carried out then.
/// @par Lifetime  The inspector keeps the client's connection, which ends with the client. An operation owns what it needs: the inspector and the
///   arguments may be gone when it is awaited.
/// @par Thread safety  Distinct objects: safe if their clients are distinct. Shared objects: unsafe.
class inspector
{
public:
    /// @throws system_error  `errc::invalid_option`
    explicit inspector(const client& redis, inspector_options options = {});

    /// The executor of the client; operations run there.
    asio::any_io_executor get_executor() const;

    // --- queues ---

    /// Shows a part of the queues of a kind, about `count`.
    ///
    /// List queues that were filled by others and that nobody has worked on are found by their keys: the first part
    /// looks at up to 20,000 more keys of the database, at most once a second. So a database of usual size is known
    /// after one call; `async_discover` makes sure of larger ones.
    ///
    /// @par Cost  Per list queue one script that reads sizes; once the list of connections. Managed queues: three
    ///   requests for all of the part.
    /// @par Atomicity  Each queue is as it was at one moment; a queue made meanwhile may be missing.
    template<class Token = default_token>
    auto async_queues(queue_kind kind, std::string cursor = {}, std::size_t count = 100,
                      Token&& token = default_token{}) const
    {
        return look([&] { return queues(kind, std::move(cursor), count); }, std::forward<Token>(token));
    }

    /// Looks for list queues that nobody has worked on, among the next 20,000 or so keys of the database. Returns the
    /// cursor to go on with; after the last part `async_queues` shows all.
    ///
    /// @par Cost  About twenty `SCAN`s of a thousand keys.
    template<class Token = default_token>
    auto async_discover(std::string cursor = {}, Token&& token = default_token{}) const
    {
        return look([&] { return discover(std::move(cursor)); }, std::forward<Token>(token));
    }

    /// Shows one queue. `errc::queue_not_found`.
    ///
    /// @par Cost  As one queue of `async_queues`, and one request.
    template<class Token = default_token>
    auto async_queue(queue_ref queue, Token&& token = default_token{}) const
    {
        return look([&] { return one_queue(std::move(queue)); }, std::forward<Token>(token));
    }

    /// While a queue is paused, workers are given nothing from it. Of a list queue only coworker's workers know of that,
    /// and hworker's go on. A queue need not exist.
    template<class Token = default_token>
    auto async_pause(queue_ref queue, Token&& token = default_token{}) const
    {
        return act([&] { return pause(std::move(queue), true); }, std::forward<Token>(token));
    }

    /// Ends what `async_pause` began.
    template<class Token = default_token>
    auto async_resume(queue_ref queue, Token&& token = default_token{}) const
    {
        return act([&] { return pause(std::move(queue), false); }, std::forward<Token>(token));
    }

    /// Deletes a queue. `errc::queue_not_found`; `errc::queue_not_empty`: it has jobs, and they are not to be deleted, or
    /// jobs of other queues wait for one of them.
    ///
    /// @param with_jobs  all that is in it as well. A worker of a list queue that runs one goes on, and what comes of
    ///   it is dropped; one of a managed queue is told.
    /// @par Cost  Of a list queue one script. Of a managed queue, with its jobs, as `async_act_on_all` for each state.
    /// @par Atomicity  Of a list queue one step. Of a managed queue several: what is put meanwhile stays, and so does the
    ///   queue then.
    template<class Token = default_token>
    auto async_delete_queue(queue_ref queue, bool with_jobs = false, Token&& token = default_token{}) const
    {
        return act([&] { return remove_queue(std::move(queue), with_jobs); }, std::forward<Token>(token));
    }

    // --- workers ---

    /// Shows the workers of all queues, by name: those that are connected, and those that still hold jobs. Of qless'
    /// other clients also those that were heard of within `max-worker-age`.
    ///
    /// @par Cost  Per list queue one script, which looks at up to 20,000 start times; the list of connections.
    template<class Token = default_token>
    auto async_workers(Token&& token = default_token{}) const
    {
        return look([&] { return workers(); }, std::forward<Token>(token));
    }

    // --- jobs ---

    /// Shows a part of the jobs of a queue in a state, up to `count`, 1000 at most; fewer when they are large.
    ///
    /// The order: waiting jobs as they will run, scheduled ones by their time, failed ones of a list queue newest first,
    /// those of a managed queue by group and oldest first, complete ones newest first; others have none.
    ///
    /// Cursors stay where they are while jobs come and go: no job that stays is missing from the parts, and few are
    /// twice. Of the waiting jobs of a list queue, those next to run are counted: when jobs are taken between two calls,
    /// as many are passed over. An empty name stands for all managed queues for failed and complete jobs.
    ///
    /// @par Cost  List queue: one script, and a request for where it begins. Managed queue: up to four requests, and one
    ///   per 50 jobs or 4 MB. Failed jobs of a managed queue as `async_find`.
    template<class Token = default_token>
    auto async_jobs(queue_ref queue, job_state state, std::string cursor = {}, std::size_t count = 100,
                    Token&& token = default_token{}) const
    {
        return look([&] { return jobs(std::move(queue), state, std::move(cursor), count); },
                    std::forward<Token>(token));
    }

    /// Shows the job with this id. `errc::job_not_found`.
    ///
    /// @par Cost  Managed queue (its name may be empty): two requests. List queue: reads the queue in steps of up to a
    ///   thousand jobs until the job is found; for a bounded cost use `async_find`.
    template<class Token = default_token>
    auto async_job(queue_ref queue, std::string id, Token&& token = default_token{}) const
    {
        return look([&] { return job(std::move(queue), std::move(id)); }, std::forward<Token>(token));
    }

    /// Looks for jobs in the next part of those in a state: by id, text, message, group or tag. Returns those that fit
    /// (often none) and the cursor to go on with. Failed and waiting jobs of a list queue come oldest first, those that
    /// came after the search began do not.
    ///
    /// An empty name stands for all managed queues for failed and complete jobs. `errc::invalid_option` for what a kind
    /// of queue does not have.
    ///
    /// @param limit  how many to look at, about; 1000 at most. It ends as well with about 100 found and, in a list
    ///   queue, with about 1 MiB looked at.
    /// @par Cost  One script; in a managed queue, the jobs found.
    template<class Token = default_token>
    auto async_find(queue_ref queue, job_filter which, std::string cursor = {}, std::size_t limit = 1000,
                    Token&& token = default_token{}) const
    {
        return look([&] { return find(std::move(queue), std::move(which), std::move(cursor), limit); },
                    std::forward<Token>(token));
    }

    /// Groups failed jobs by their message, the largest group first. Of a managed queue with an empty name: of all.
    ///
    /// @param limit  how many failed jobs to look at; `next` is where to go on if there are more
    /// @par Cost  One script per thousand jobs.
    template<class Token = default_token>
    auto async_failures(queue_ref queue, std::string cursor = {}, std::size_t limit = 10'000,
                        Token&& token = default_token{}) const
    {
        return look([&] { return failures(std::move(queue), std::move(cursor), limit); },
                    std::forward<Token>(token));
    }

    // --- acting on jobs ---

    /// Does something to jobs, and says for each, in order, what became of it.
    ///
    /// @param keys  `job_info::key` of each; of a managed queue these are the ids
    /// @par Cost  One script per 128 jobs. Naming a waiting or failed job of a list queue takes time in proportion to how
    ///   many are before it.
    /// @par Atomicity  Each job in one step; the jobs of one script together. In a managed queue jobs that wait for each
    ///   other can be removed by one call, in any order.
    template<class Token = default_token>
    auto async_act(job_action action, queue_ref queue, text_list keys, Token&& token = default_token{}) const
    {
        return act([&] { return act_on_keys(action, std::move(queue), std::move(keys)); },
                   std::forward<Token>(token));
    }

    /// Does something to those jobs that fit, among the next part of the jobs in a state: one script. Begin with an
    /// empty cursor. Failed jobs are gone through oldest first, and those that fail after it began are not looked at, so
    /// that a job that fails again at once is retried once.
    ///
    /// @param limit  how many to look at, about; 1000 at most. It ends as well with about 128 that fit.
    /// @par Cost  One script. An `errc` is as for `async_find`; a list queue has no `release`.
    /// @par Atomicity  One step.
    template<class Token = default_token>
    auto async_act_on_some(job_action action, queue_ref queue, job_filter which, std::string cursor = {},
                           std::size_t limit = 1000, Token&& token = default_token{}) const
    {
        return act(
            [&] { return act_on_some(action, std::move(queue), std::move(which), std::move(cursor), limit); },
            std::forward<Token>(token));
    }

    /// The same for all of them, in as many steps as it takes. Returns to how many it was done.
    ///
    /// @par Cost  One script per thousand jobs looked at or 128 done.
    /// @par Atomicity  Each step; when it is cancelled or fails, a first part has been done.
    template<class Token = default_token>
    auto async_act_on_all(job_action action, queue_ref queue, job_filter which,
                          Token&& token = default_token{}) const
    {
        return act([&] { return act_on_all(action, std::move(queue), std::move(which)); },
                   std::forward<Token>(token));
    }

    // --- managed queues ---

    /// Shows the recurring jobs of a managed queue with when the next job is due, the next due first. `errc::invalid_option`
    /// for a list queue.
    ///
    /// @par Cost  One request, and one per schedule.
    template<class Token = default_token>
    auto async_schedules(queue_ref queue, std::string cursor = {}, std::size_t count = 100,
                         Token&& token = default_token{}) const
    {
        return look([&] { return schedules(std::move(queue), std::move(cursor), count); },
                    std::forward<Token>(token));
    }

    /// The tags of jobs that are used at least twice, the most used first. See `job_filter::tag`.
    template<class Token = default_token>
    auto async_tags(std::size_t offset = 0, std::size_t count = 100, Token&& token = default_token{}) const
    {
        return look([&] { return tags(offset, count); }, std::forward<Token>(token));
    }

    /// What happened in a managed queue on the day (UTC) in which `day` lies; empty: today. `errc::invalid_option` for
    /// a list queue, whose totals are in `queue_info`.
    ///
    /// @par Cost  Two requests.
    template<class Token = default_token>
    auto async_statistics(queue_ref queue, std::optional<timestamp> day = std::nullopt,
                          Token&& token = default_token{}) const
    {
        return look([&] { return statistics(std::move(queue), day); }, std::forward<Token>(token));
    }

    // --- consistency ---

    /// Looks for what does not fit together, in the next part of a list queue, or of all managed queues (whatever name
    /// is given), while they are used. No job is ever taken away by a repair.
    ///
    /// @param repair  put it right as well
    /// @param count  about how much to look at, 1000 at most
    /// @par Cost  One script.
    template<class Token = default_token>
    auto async_check(queue_ref queue, std::string cursor = {}, bool repair = false, std::size_t count = 200,
                     Token&& token = default_token{}) const
    {
        return act([&] { return check(std::move(queue), std::move(cursor), repair, count); },
                   std::forward<Token>(token));
    }

    // --- the server ---

    /// The time by the clock of Redis, which all times here are of.
    template<class Token = default_token>
    auto async_server_time(Token&& token = default_token{}) const
    {
        return look([&] { return time(); }, std::forward<Token>(token));
    }

private:
    template<class Work, class Token>
    auto look(Work&& work, Token&& token) const
    {
        return detail::start(get_executor(), detail::leaves_nothing, std::forward<Work>(work),
                             std::forward<Token>(token));
    }
    template<class Work, class Token>
    auto act(Work&& work, Token&& token) const
    {
        return detail::start(get_executor(), detail::leaves_in_doubt, std::forward<Work>(work),
                             std::forward<Token>(token));
    }

    asio::awaitable<queue_page> queues(queue_kind kind, std::string cursor, std::size_t count) const;
    asio::awaitable<std::string> discover(std::string cursor) const;
    asio::awaitable<result<queue_info>> one_queue(queue_ref queue) const;
    asio::awaitable<void> pause(queue_ref queue, bool paused) const;
    asio::awaitable<result<void>> remove_queue(queue_ref queue, bool with_jobs) const;
    asio::awaitable<std::vector<worker_info>> workers() const;
    asio::awaitable<job_page> jobs(queue_ref queue, job_state state, std::string cursor,
                                   std::size_t count) const;
    asio::awaitable<result<job_info>> job(queue_ref queue, std::string id) const;
    asio::awaitable<job_page> find(queue_ref queue, job_filter which, std::string cursor,
                                   std::size_t limit) const;
    asio::awaitable<failure_page> failures(queue_ref queue, std::string cursor, std::size_t limit) const;
    asio::awaitable<std::vector<action_result>> act_on_keys(job_action action, queue_ref queue,
                                                            text_list keys) const;
    asio::awaitable<bulk_result> act_on_some(job_action action, queue_ref queue, job_filter which,
                                             std::string cursor, std::size_t limit) const;
    asio::awaitable<std::size_t> act_on_all(job_action action, queue_ref queue, job_filter which) const;
    asio::awaitable<schedule_page> schedules(queue_ref queue, std::string cursor, std::size_t count) const;
    asio::awaitable<std::vector<std::string>> tags(std::size_t offset, std::size_t count) const;
    asio::awaitable<managed_statistics> statistics(queue_ref queue, std::optional<timestamp> day) const;
    asio::awaitable<finding_page> check(queue_ref queue, std::string cursor, bool repair,
                                        std::size_t count) const;
    asio::awaitable<timestamp> time() const;

    std::shared_ptr<detail::inspection> state_;
};

} // namespace coworker
