// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "coworker/completion.hpp"
#include "coworker/inspect/failure_group.hpp"
#include "coworker/inspect/finding.hpp"
#include "coworker/inspect/job_filter.hpp"
#include "coworker/inspect/job_info.hpp"
#include "coworker/inspect/queue_deletion.hpp"
#include "coworker/inspect/queue_history.hpp"
#include "coworker/inspect/queue_info.hpp"
#include "coworker/inspect/queue_ref.hpp"
#include "coworker/inspect/schedule_info.hpp"
#include "coworker/inspect/server_info.hpp"
#include "coworker/inspect/worker_info.hpp"
#include "coworker/managed_statistics.hpp"
#include "coworker/text.hpp"

#include <chrono>
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

/// Which queues an inspector shows.
struct inspector_options
{
    /// The prefix of the managed queues; see `managed_options::prefix`. Not empty.
    text managed_prefix = "ql:";
};

/// Shows queues, workers and jobs of both kinds of queue, and acts on them. Dashboards, command lines and operators'
/// programs are built on it.
///
/// Lists are read in parts. Begin with an empty cursor, and pass the cursor that is returned to get the next part; an
/// empty one is the end. Each operation names its cost; it reads no more than that, however large the queues are.
///
/// An operation on list queues first asks, in one more request, whether they are divided into partitions. The cost
/// of one that is divided is that of its partitions. A queue whose name has a brace is not, so that this is left
/// out.
///
/// In a Redis Cluster, a node may be away, or not answer within a second. Then the lists of queues and workers show
/// what the others have. They name the node (`queue_page::missing_nodes`), and say of each queue what is not
/// counted (`queue_info::unreachable`). They fail only if no node answers. Other operations on queues of such a
/// node wait for it until `client_options::command_timeout`.
///
/// @par Errors  `errc::invalid_queue_name`: a name is empty or has more than 512 bytes. `errc::invalid_option`: a
///   cursor was not returned by the same operation. Those of the connection (see `errc`). Operations that can be
///   refused in normal use return a `result`, and name its `errc`.
/// @par Cancellation  As completion.hpp says: operations that read obey terminal, partial and total cancellation, those
///   that change something obey terminal and partial.
/// @par Lifetime  An operation owns what it needs once it has been called: the inspector and the arguments may be gone.
///   When the client is destroyed, it fails with `errc::stopped`.
/// @par Thread safety  As `client`.
class inspector
{
public:
    /// @throws system_error  `errc::invalid_option`.
    explicit inspector(const client& redis, inspector_options options = {});

    /// The client's executor.
    asio::any_io_executor get_executor() const;

    // --- queues ---

    /// Shows a part of the queues of a kind, about `count`. Completes with `void(error_code, queue_page)`.
    ///
    /// List queues that peers have filled, and that no worker of coworker's has opened, are found by their keys.
    /// The first part looks at up to 20,000 more keys of the database, at most once a second. So one call finds all
    /// queues in a database of usual size; for larger ones use `async_discover`.
    ///
    /// @par Cost  One script per list queue, 32 of them in a request, and once the list of connections. Managed queues:
    ///   three requests for the whole part, and one script that reads up to 1000 failed jobs. One more request for the
    ///   rates of all of them.
    /// @par Atomicity  Each queue is shown as it was at one moment; a queue made meanwhile may be missing.
    template<class Token = default_token>
    auto async_queues(queue_kind kind, std::string cursor = {}, std::size_t count = 100,
                      Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return queues(kind, std::move(cursor), count); });
    }
    /// The same for the first page.
    template<detail::token_for<void(error_code, queue_page)> Token>
    auto async_queues(queue_kind kind, Token&& token) const
    {
        return async_queues(kind, std::string{}, 100, std::forward<Token>(token));
    }

    /// Shows queues of either kind by their names, in the order given. One that does not exist is shown without jobs, and
    /// so is one that cannot be reached in a cluster (`queue_info::unreachable`). Completes with `void(error_code, std::vector<queue_info>)`.
    ///
    /// @par Cost  As a part of `async_queues` with as many queues; nothing is searched for.
    template<class Token = default_token>
    auto async_queues(std::vector<queue_ref> which, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return named_queues(std::move(which)); });
    }

    /// Finds list queues by their keys, also those that no worker of coworker's has opened, among the next 20,000 or so
    /// keys of the database. Completes with `void(error_code, queue_names)`; a name may be in several parts. After the
    /// last part `async_queues` shows all queues.
    ///
    /// @par Cost  About twenty `SCAN`s of a thousand keys.
    template<class Token = default_token>
    auto async_discover(std::string cursor = {}, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return discover(std::move(cursor)); });
    }

    /// Asks whether a queue is there: whether it has jobs, or is known, or paused. Completes with
    /// `void(error_code, bool)`. One whose node in a cluster does not answer may be there, and counts as such.
    ///
    /// @par Cost  One request.
    template<class Token = default_token>
    auto async_queue_exists(queue_ref queue, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return exists(std::move(queue)); });
    }

    /// Shows one queue. Completes with `void(error_code, result<queue_info>)`; the result may be
    /// `errc::queue_not_found`. Fails with `errc::unavailable` if its node in a cluster does not answer; of a queue with
    /// partitions, if none of their nodes does.
    ///
    /// @par Cost  As one queue of `async_queues`, and one request.
    template<class Token = default_token>
    auto async_queue(queue_ref queue, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return one_queue(std::move(queue)); });
    }

    /// Shows the partitions of a list queue each by itself; see `list_queue_options::partitions`. All other operations
    /// show and act on such a queue as one: `queue_info` is the sum, and lists go through one partition after the
    /// other. Jobs and findings tell which, and a partition's own name, `{emails:3}`, may be given in place of the
    /// queue's. Completes with `void(error_code, std::vector<queue_info>)`: none if the queue is not divided. On one
    /// server the queue has further jobs if programs push to it that know nothing of partitions.
    ///
    /// @par Cost  As a part of `async_queues` with as many queues.
    template<class Token = default_token>
    auto async_partitions(queue_ref queue, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return partitions(std::move(queue)); });
    }

    /// Shows how many jobs of a queue succeeded, failed and were retried in each of the last minutes, and the rates
    /// (`queue_history::rates`). Completes with `void(error_code, queue_history)`; a queue that does not exist has
    /// an empty history.
    ///
    /// Workers and `monitor`s write the history when they look for jobs of dead workers. docs/inspector.md says how
    /// exact it is.
    ///
    /// @param queue  the queue
    /// @param span  how many minutes before the present one: 1 to 1440
    /// @param token  the completion token
    /// @par Cost  One request; about 30 bytes for each minute in which a job ended.
    template<class Token = default_token>
    auto async_history(queue_ref queue,
                       option_duration_of<std::chrono::minutes> span = std::chrono::hours{24},
                       Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return history(std::move(queue), span); });
    }
    /// The same for the last day.
    template<detail::token_for<void(error_code, queue_history)> Token>
    auto async_history(queue_ref queue, Token&& token) const
    {
        return async_history(std::move(queue), std::chrono::hours{24}, std::forward<Token>(token));
    }

    /// Shows the same of several queues together. Completes with `void(error_code, queue_history)`.
    ///
    /// @param queues  of either kind; one that does not exist has an empty history
    /// @param span  how many minutes before the present one: 1 to 1440
    /// @param token  the completion token
    /// @par Cost  Two requests; about 30 bytes for each queue and minute in which a job ended.
    template<class Token = default_token>
    auto async_histories(std::vector<queue_ref> queues,
                         option_duration_of<std::chrono::minutes> span = std::chrono::hours{24},
                         Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return histories(std::move(queues), span); });
    }

    /// While a queue is paused, workers are given nothing from it. Of a list queue only coworker's workers know of
    /// that, and hworker's go on. A queue need not exist. Completes with `void(error_code)`.
    template<class Token = default_token>
    auto async_pause(queue_ref queue, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return pause(std::move(queue), true); });
    }

    /// `managed_queue::async_pause_delays` of a managed queue. For a list queue it fails with `errc::invalid_option`.
    /// Completes with `void(error_code)`.
    template<class Token = default_token>
    auto async_pause_delays(queue_ref queue, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return pause(std::move(queue), true, true); });
    }

    /// Ends what `async_pause` or `async_pause_delays` began. Completes with `void(error_code)`.
    template<class Token = default_token>
    auto async_resume(queue_ref queue, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return pause(std::move(queue), false); });
    }

    /// Lets notices be written about a queue, or ends that; see docs/notices.md. One is of a job that fails for good, one
    /// of jobs that wait while no worker is there. Completes with `void(error_code)`. Fails with `errc::invalid_option`
    /// for a list queue that is divided: its partitions have notices, each of its own. A queue need not exist.
    ///
    /// @par Cost  One request. While there are notices: a job of a list queue for each.
    template<class Token = default_token>
    auto async_set_notices(queue_ref queue, bool wanted, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return set_notices(std::move(queue), wanted); });
    }

    /// Looks whether queues that have notices have workers, and writes a notice about each where that has changed.
    /// Completes with `void(error_code, std::size_t)`: how many these are. `coworker notify` calls it every few
    /// seconds. Redis remembers what it saw, so several programs that call it write no more notices than one.
    ///
    /// @param queues  which ones; those without notices are left out
    /// @param patience  for how long a queue has to be without a worker, rounded up to a second
    /// @param token  the completion token
    /// @par Cost  As `async_queues` for these queues, and one script for each that has notices.
    template<class Token = default_token>
    auto async_watch_notices(std::vector<queue_ref> queues, option_duration patience,
                             Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return watch_notices(std::move(queues), patience); });
    }

    /// Removes all jobs of a queue in a state, each as if it were cancelled. Completes with
    /// `void(error_code, purge_result)`. Those are removed that are there when it begins, by Redis' clock; what is
    /// pushed meanwhile stays. Workers and producers go on.
    ///
    /// @param queue  the queue
    /// @param state  waiting, scheduled or failed; in a list queue also broken, in a managed queue also depends or
    ///   stalled. Others are refused with `errc::invalid_option`: jobs that run are cancelled by `async_act_on_all`,
    ///   and complete ones are in no queue
    /// @param token  the completion token
    /// @par Cost  List queue: one script; if some jobs have been tried before, one per thousand jobs. Managed queue: as
    ///   `async_act_on_all`.
    /// @par Atomicity  List queue: the jobs leave it in one step, those of each partition together. Managed queue: each
    ///   script is one step. After an error or a cancellation, purge again: it goes on.
    template<class Token = default_token>
    auto async_purge(queue_ref queue, job_state state, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return purge(std::move(queue), state); });
    }

    /// Deletes a queue, with its settings, limits, statistics and history, its recurring jobs and the schedules that
    /// push into it. Completes with `void(error_code, result<void>)`; the result may be
    ///  - `errc::queue_not_found`
    ///  - `errc::queue_in_use`: jobs run, or workers of a list queue are connected; see `queue_deletion::while_used`
    ///  - `errc::queue_not_empty`: it has jobs that are not to be deleted, or that jobs of other queues wait for
    ///
    /// Complete jobs of a managed queue are in no queue any more: they stay for as long as such jobs are kept.
    ///
    /// @param queue  the queue
    /// @param how  what else is removed, and when it is refused
    /// @param token  the completion token
    /// @par Cost  List queue: a few requests, and one script. Managed queue, with its jobs: as `async_purge` for each
    ///   state, and about twenty scripts.
    /// @par Atomicity  List queue: one step, or one for each partition. Managed queue: several steps; jobs that are
    ///   pushed meanwhile stay, and then the queue stays as well. After an error or a cancellation, delete it again: it
    ///   goes on.
    template<class Token = default_token>
    auto async_delete_queue(queue_ref queue, queue_deletion how, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return remove_queue(std::move(queue), how); });
    }
    /// The same, also while the queue is used.
    template<class Token = default_token>
    auto async_delete_queue(queue_ref queue, bool with_jobs = false, Token&& token = default_token{}) const
    {
        return async_delete_queue(std::move(queue), queue_deletion{with_jobs, true},
                                  std::forward<Token>(token));
    }

    // --- workers ---

    /// Shows the workers of all queues, by name: those that are connected, and those that still have jobs. Workers
    /// over HTTP, and those of qless' own clients, have no such connection. They are shown if they have taken jobs
    /// or renewed a lease within five minutes. Completes with `void(error_code, worker_list)`.
    ///
    /// @par Cost  One script per list queue, 16 of them in a request; each looks at up to 20,000 start times. One
    ///   script for all managed queues, and the list of connections.
    template<detail::token_for<void(error_code, worker_list)> Token = default_token>
    auto async_workers(Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return workers(std::nullopt); });
    }
    /// The same, but only the workers of queues of one kind, and only their jobs in such queues.
    template<class Token = default_token>
    auto async_workers(queue_kind kind, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [&] { return workers(kind); });
    }

    // --- jobs ---

    /// Shows a part of the jobs of a queue in a state, up to `count`, 1000 at most; fewer if they are large. Completes
    /// with `void(error_code, job_page)`. For failed and complete jobs an empty name stands for all managed queues. A
    /// complete job counts to the queue that it was in last; with a name a page may be empty and have a next one.
    ///
    /// Waiting jobs are in the order in which they will run, scheduled jobs by their due time. Failed and complete jobs
    /// are newest first, failed jobs of a managed queue group by group. Others are in no order.
    ///
    /// Jobs may come and go between two calls: every job that stays is shown, a few of them twice. There is one
    /// exception: waiting jobs of a list queue are counted from the next to run. So for each job that was fetched
    /// between two calls, one is skipped.
    ///
    /// @par Cost  List queue: one script, and a request for where it begins. Managed queue: up to four requests, and
    ///   one per 50 jobs or 4 MB; for failed jobs as `async_find`.
    template<class Token = default_token>
    auto async_jobs(queue_ref queue, job_state state, std::string cursor = {}, std::size_t count = 100,
                    Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return jobs(std::move(queue), state, std::move(cursor), count); });
    }
    /// The same for the first page.
    template<detail::token_for<void(error_code, job_page)> Token>
    auto async_jobs(queue_ref queue, job_state state, Token&& token) const
    {
        return async_jobs(std::move(queue), state, std::string{}, 100, std::forward<Token>(token));
    }

    /// Shows the job with this id. Completes with `void(error_code, result<job_info>)`; the result may be
    /// `errc::job_not_found`. An empty name stands for all managed queues.
    ///
    /// @par Cost  Managed queue: nine requests at most. List queue: reads the queue in steps of up to a thousand jobs
    ///   until it finds the job; for a bounded cost use `async_find`.
    template<class Token = default_token>
    auto async_job(queue_ref queue, std::string id, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return job(std::move(queue), std::move(id)); });
    }

    /// Looks in the next part of the jobs in a state for those that match a filter. Completes with
    /// `void(error_code, job_page)`: the jobs that match, often none, and the cursor to go on with. Failed and waiting
    /// jobs of a list queue come oldest first, without those that are added after the search has begun.
    ///
    /// For failed and complete jobs an empty name stands for all managed queues. A filter that this kind of queue does
    /// not have is refused with `errc::invalid_option`.
    ///
    /// @param queue  the queue
    /// @param which  the state, and what the jobs have to match
    /// @param cursor  empty for the first part
    /// @param limit  about how many jobs to look at; 1000 at most. It also ends when about 100 jobs match and, in a
    ///   list queue, after about 1 MiB.
    /// @param token  the completion token
    /// @par Cost  One script; in a managed queue also the jobs that match.
    template<class Token = default_token>
    auto async_find(queue_ref queue, job_filter which, std::string cursor = {}, std::size_t limit = 1000,
                    Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [&] {
            return find(std::move(queue), std::move(which), std::move(cursor), limit);
        });
    }
    /// The same from the beginning.
    template<detail::token_for<void(error_code, job_page)> Token>
    auto async_find(queue_ref queue, job_filter which, Token&& token) const
    {
        return async_find(std::move(queue), std::move(which), std::string{}, 1000,
                          std::forward<Token>(token));
    }

    /// Groups failed jobs by their message, the largest group first. Completes with `void(error_code, failure_page)`.
    /// An empty name stands for all managed queues.
    ///
    /// @param queue  the queue
    /// @param cursor  empty for the first part
    /// @param limit  how many failed jobs to look at; if there are more, `failure_page::next` is the cursor to go on
    ///   with
    /// @param token  the completion token
    /// @par Cost  One script per thousand jobs.
    template<class Token = default_token>
    auto async_failures(queue_ref queue, std::string cursor = {}, std::size_t limit = 10'000,
                        Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return failures(std::move(queue), std::move(cursor), limit); });
    }
    /// The same from the beginning.
    template<detail::token_for<void(error_code, failure_page)> Token>
    auto async_failures(queue_ref queue, Token&& token) const
    {
        return async_failures(std::move(queue), std::string{}, 10'000, std::forward<Token>(token));
    }

    /// Counts the failed jobs of all managed queues by their group of failures, in the order of the groups' names.
    /// Completes with `void(error_code, failure_page)`; only `failure_group::group` and `failure_group::count` are
    /// known.
    ///
    /// @par Cost  One script, O(number of groups).
    template<class Token = default_token>
    auto async_failure_groups(std::string cursor = {}, std::size_t count = 100,
                              Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return failure_groups(std::move(cursor), count); });
    }

    /// Shows a part of the jobs of a batch that have not ended, in no order. Completes with `void(error_code,
    /// job_page)`, without jobs if there is no such batch. Those that have failed are found by `async_find` with
    /// `job_filter::batch`.
    ///
    /// @param id  the batch: UTF-8, 1 to 200 bytes
    /// @param cursor  empty for the first part
    /// @param count  about how many; 1000 at most
    /// @param token  the completion token
    /// @par Cost  One request, and the records of the jobs.
    template<class Token = default_token>
    auto async_batch_jobs(std::string id, std::string cursor = {}, std::size_t count = 100,
                          Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return batch_jobs(std::move(id), std::move(cursor), count); });
    }

    // --- acting on jobs ---

    /// Acts on jobs that are named. Completes with `void(error_code, std::vector<action_result>)`: what became of each
    /// job, in order.
    ///
    /// @param action  what to do to them
    /// @param queue  their queue
    /// @param keys  `job_info::key` of each; in a managed queue these are the ids
    /// @param token  the completion token
    /// @par Cost  One script per 128 jobs. Finding a waiting or failed job of a list queue takes time in proportion to
    ///   the jobs before it.
    /// @par Atomicity  The jobs of one script in one step. In a managed queue, jobs that wait for each other can be
    ///   removed by one call, in any order.
    template<class Token = default_token>
    auto async_act(job_action action, queue_ref queue, text_list keys, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return act_on_keys(action, std::move(queue), std::move(keys)); });
    }

    /// Acts on those jobs that match a filter, in the next part of the jobs in a state. Completes with
    /// `void(error_code, bulk_result)`: the ids of the jobs that were acted on, and the cursor to go on with. Failed
    /// jobs come oldest first, without those that fail after it has begun: a job that fails again at once is retried
    /// once.
    ///
    /// A filter or an action that this kind of queue does not have is refused with `errc::invalid_option`.
    ///
    /// @param action  what to do to them
    /// @param queue  the queue
    /// @param which  the state, and what the jobs have to match
    /// @param cursor  empty for the first part
    /// @param limit  about how many jobs to look at; 1000 at most. It also ends when about 128 jobs match.
    /// @param token  the completion token
    /// @par Cost  One script.
    /// @par Atomicity  One step.
    template<class Token = default_token>
    auto async_act_on_some(job_action action, queue_ref queue, job_filter which, std::string cursor = {},
                           std::size_t limit = 1000, Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] {
            return act_on_some(action, std::move(queue), std::move(which), std::move(cursor), limit);
        });
    }
    /// The same from the beginning.
    template<detail::token_for<void(error_code, bulk_result)> Token>
    auto async_act_on_some(job_action action, queue_ref queue, job_filter which, Token&& token) const
    {
        return async_act_on_some(action, std::move(queue), std::move(which), std::string{}, 1000,
                                 std::forward<Token>(token));
    }

    /// Acts on all jobs that match a filter, with as many calls of `async_act_on_some` as it takes. Completes with
    /// `void(error_code, std::size_t)`: how many they were.
    ///
    /// @par Cost  One script per thousand jobs in that state, or per 128 that match.
    /// @par Atomicity  Each script is one step. After an error or a cancellation a first part has been done.
    template<class Token = default_token>
    auto async_act_on_all(job_action action, queue_ref queue, job_filter which,
                          Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token),
                                    [&] { return act_on_all(action, std::move(queue), std::move(which)); });
    }

    // --- managed queues ---

    /// Shows a part of the recurring jobs of a managed queue, the next due first. Completes with
    /// `void(error_code, schedule_page)`. A list queue is refused with `errc::invalid_option`.
    ///
    /// @par Cost  Two requests, and one per 50 schedules or 4 MB.
    template<class Token = default_token>
    auto async_schedules(queue_ref queue, std::string cursor = {}, std::size_t count = 100,
                         Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return schedules(std::move(queue), std::move(cursor), count); });
    }
    /// The same for the first page.
    template<detail::token_for<void(error_code, schedule_page)> Token>
    auto async_schedules(queue_ref queue, Token&& token) const
    {
        return async_schedules(std::move(queue), std::string{}, 100, std::forward<Token>(token));
    }

    /// Shows the recurring job with this id. Completes with `void(error_code, result<schedule_info>)`; the result may
    /// be `errc::recurring_job_not_found`.
    ///
    /// @par Cost  Two requests.
    template<class Token = default_token>
    auto async_schedule(std::string id, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return schedule(std::move(id)); });
    }

    /// Shows a part of the tags that are used at least twice, the most used first; see `job_filter::tag`. Completes
    /// with `void(error_code, std::vector<std::string>)`.
    ///
    /// @param offset  how many tags to skip
    /// @param count  how many tags to show, at most
    /// @param token  the completion token
    template<class Token = default_token>
    auto async_tags(std::size_t offset = 0, std::size_t count = 100, Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [&] { return tags(offset, count); });
    }

    /// Shows what happened in a managed queue on the day (UTC) that contains `day`. Default: today. Completes with
    /// `void(error_code, managed_statistics)`. A list queue is refused with `errc::invalid_option`; its totals are in
    /// `queue_info`.
    ///
    /// @par Cost  Two requests.
    template<class Token = default_token>
    auto async_statistics(queue_ref queue, std::optional<timestamp> day = std::nullopt,
                          Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token),
                                     [&] { return statistics(std::move(queue), day); });
    }

    // --- consistency ---

    /// Looks for inconsistencies in the next part of a list queue, or of all managed queues (whichever name is given),
    /// while they are used. No job is removed by a repair. Completes with `void(error_code, finding_page)`.
    ///
    /// @param queue  the queue
    /// @param cursor  empty for the first part
    /// @param repair  also repair what is found
    /// @param count  about how much to look at, 1000 at most
    /// @param token  the completion token
    /// @par Cost  One script.
    template<class Token = default_token>
    auto async_check(queue_ref queue, std::string cursor = {}, bool repair = false, std::size_t count = 200,
                     Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] {
            return check(std::move(queue), std::move(cursor), repair, count);
        });
    }

    // --- the server ---

    /// Shows which Redis it is, and how much memory it uses. Completes with `void(error_code, server_info)`. Fails with
    /// `errc::command_refused` if the user may not call `INFO`.
    ///
    /// @par Cost  One request; in a cluster one to each primary.
    template<class Token = default_token>
    auto async_server(Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [&] { return server(); });
    }

    /// Reads the clock of Redis, by which all times of the inspector are. Completes with `void(error_code, timestamp)`.
    template<class Token = default_token>
    auto async_server_time(Token&& token = default_token{}) const
    {
        return detail::start_reading(*this, std::forward<Token>(token), [&] { return time(); });
    }

private:
    asio::awaitable<queue_page> queues(queue_kind kind, std::string cursor, std::size_t count) const;
    asio::awaitable<std::vector<queue_info>> named_queues(std::vector<queue_ref> which) const;
    asio::awaitable<std::vector<queue_info>> partitions(queue_ref queue) const;
    asio::awaitable<queue_names> discover(std::string cursor) const;
    asio::awaitable<bool> exists(queue_ref queue) const;
    asio::awaitable<result<queue_info>> one_queue(queue_ref queue) const;
    asio::awaitable<queue_history> history(queue_ref queue, std::chrono::minutes span) const;
    asio::awaitable<queue_history> histories(std::vector<queue_ref> queues, std::chrono::minutes span) const;
    asio::awaitable<void> pause(queue_ref queue, bool paused, bool delays = false) const;
    asio::awaitable<void> set_notices(queue_ref queue, bool wanted) const;
    asio::awaitable<std::size_t> watch_notices(std::vector<queue_ref> queues,
                                               std::chrono::milliseconds patience) const;
    asio::awaitable<purge_result> purge(queue_ref queue, job_state state) const;
    asio::awaitable<result<void>> remove_queue(queue_ref queue, queue_deletion how) const;
    asio::awaitable<worker_list> workers(std::optional<queue_kind> kind) const;
    asio::awaitable<job_page> jobs(queue_ref queue, job_state state, std::string cursor,
                                   std::size_t count) const;
    asio::awaitable<result<job_info>> job(queue_ref queue, std::string id) const;
    asio::awaitable<job_page> find(queue_ref queue, job_filter which, std::string cursor,
                                   std::size_t limit) const;
    asio::awaitable<failure_page> failures(queue_ref queue, std::string cursor, std::size_t limit) const;
    asio::awaitable<job_page> batch_jobs(std::string id, std::string cursor, std::size_t count) const;
    asio::awaitable<failure_page> failure_groups(std::string cursor, std::size_t count) const;
    asio::awaitable<std::vector<action_result>> act_on_keys(job_action action, queue_ref queue,
                                                            text_list keys) const;
    asio::awaitable<bulk_result> act_on_some(job_action action, queue_ref queue, job_filter which,
                                             std::string cursor, std::size_t limit) const;
    asio::awaitable<std::size_t> act_on_all(job_action action, queue_ref queue, job_filter which) const;
    asio::awaitable<schedule_page> schedules(queue_ref queue, std::string cursor, std::size_t count) const;
    asio::awaitable<result<schedule_info>> schedule(std::string id) const;
    asio::awaitable<std::vector<std::string>> tags(std::size_t offset, std::size_t count) const;
    asio::awaitable<managed_statistics> statistics(queue_ref queue, std::optional<timestamp> day) const;
    asio::awaitable<finding_page> check(queue_ref queue, std::string cursor, bool repair,
                                        std::size_t count) const;
    asio::awaitable<timestamp> time() const;
    asio::awaitable<server_info> server() const;

    std::shared_ptr<detail::inspection> state_;
};

} // namespace coworker
