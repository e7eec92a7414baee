// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"
#include "coworker/inspect/failure_group.hpp"
#include "coworker/inspect/job_filter.hpp"
#include "coworker/inspect/schedule_info.hpp"
#include "coworker/managed_statistics.hpp"
#include "inspect/inspection.hpp"

#include <optional>

/// Jobs of managed queues. An empty name of a queue means all, where that makes sense.
namespace coworker::detail {

asio::awaitable<job_page> show_managed_jobs(shared_inspection self, std::string queue, job_state state,
                                            std::string cursor, std::size_t count);
/// Those that have not ended. The cursor is one of Redis'.
asio::awaitable<job_page> show_batch_jobs(shared_inspection self, std::string id, std::string cursor,
                                          std::size_t count);
asio::awaitable<result<job_info>> find_managed_job(shared_inspection self, std::string queue, std::string id);

// One step of managed/search each.
/// @param most  how many jobs to show
asio::awaitable<job_page> find_managed_jobs(shared_inspection self, std::string queue, job_filter which,
                                            std::string cursor, std::size_t limit, std::size_t most);
asio::awaitable<failure_page> count_managed_failures(shared_inspection self, std::string queue,
                                                     std::string cursor, std::size_t limit);
asio::awaitable<failure_page> show_failure_groups(shared_inspection self, std::string cursor,
                                                  std::size_t count);
asio::awaitable<bulk_result> act_on_managed_jobs(shared_inspection self, job_action action, std::string queue,
                                                 job_filter which, std::string cursor, std::size_t limit);

/// Deletes only those that were there, or there again, before a time.
asio::awaitable<bulk_result> delete_managed_jobs(shared_inspection self, std::string queue, job_filter which,
                                                 std::string cursor, std::size_t limit, timestamp there);

asio::awaitable<std::vector<action_result>> act_on_managed_ids(shared_inspection self, job_action action,
                                                               std::vector<std::string> ids);

/// The jobs that exist, in the order asked for. Those that are too large to be sent have no data.
/// @param state  where they were found, if that is known
asio::awaitable<std::vector<job_info>> read_managed_jobs(shared_inspection self, std::vector<std::string> ids,
                                                         std::optional<job_state> state);

/// What a job was pushed with. What other clients may have stored is read as far as it makes sense.
asio::awaitable<job_options> read_job_options(shared_inspection self, std::string queue, std::string id);

/// How many bytes of data each has.
/// @param kind  "j:" for jobs, "r:" for recurring ones
asio::awaitable<std::vector<std::size_t>> sizes_of_data(shared_inspection self, std::string kind,
                                                        const std::vector<std::string>& ids);

asio::awaitable<schedule_page> show_schedules(shared_inspection self, std::string queue, std::string cursor,
                                              std::size_t count);
asio::awaitable<result<schedule_info>> find_schedule(shared_inspection self, std::string id);
asio::awaitable<std::vector<std::string>> show_tags(shared_inspection self, std::size_t offset,
                                                    std::size_t count);
asio::awaitable<managed_statistics> show_statistics(shared_inspection self, std::string queue,
                                                    std::optional<timestamp> day);

/// When something in a sorted set of a queue is due; nothing if it is not there.
/// @param set  its name behind "q:", such as "mail-scheduled"
asio::awaitable<std::optional<timestamp>> read_time_in(shared_inspection self, std::string set,
                                                       std::string id);

/// A part of a sorted set, and the cursor behind it, which holds a score: it stays where it is while members come and
/// go.
struct sorted_part
{
    std::vector<std::string> members;
    std::vector<double> scores;
    std::string next;
};

/// @param least,greatest  bounds of scores, as Redis takes them
asio::awaitable<sorted_part> read_sorted(shared_inspection self, std::string key, std::string least,
                                         std::string greatest, bool descending, std::string cursor,
                                         std::size_t count);

} // namespace coworker::detail
