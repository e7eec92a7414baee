// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"
#include "coworker/managed_options.hpp"
#include "coworker/payload_codec.hpp"
#include "managed/managed_call.hpp"

#include <vector>

/// A job that is to be put, as the scripts put, put_many and requeue take it.
namespace coworker::detail {

struct put_request
{
    std::string_view kind, data, jid;
    const managed_push_options& options; ///< but for its `jid`
    std::string_view stored{};           ///< the data as they are stored; empty: as they are
};

/// @throws system_error  where it cannot be put
void check_put(const put_request& job, std::size_t max_job_size);

/// The same without kind and data, which are as they were found.
void check_put_options(const put_request& job);

/// The codecs that queues are given beside their push middleware (`managed_queue::with`), those given last.
class push_codecs
{
public:
    explicit push_codecs(const std::vector<push_middleware>* around) noexcept;

    /// The data as they are stored; empty: there are no codecs.
    ///
    /// @throws system_error  `errc::job_too_large`, or what a codec throws
    std::string stored(std::string_view kind, std::string_view data, std::size_t max_job_size) const;

private:
    const payload_codecs* codecs_ = nullptr;
};

/// Stands among the push middleware of a queue whose puts are confirmed, to say where they go. Changes no job.
struct confirmed_puts
{
    std::shared_ptr<connection> redis;

    void operator()(new_managed_job&) const noexcept {}

    /// Where a queue's puts go: to what it was given last of these, or to its own connection.
    static const std::shared_ptr<connection>& of(const std::vector<push_middleware>* around,
                                                 const std::shared_ptr<connection>& own) noexcept;
};

/// Adds the arguments of `put`.
void add_put(managed_call& call, const std::string& worker, const std::string& queue, const put_request& job);

/// Adds what follows the delay in them.
void add_put_options(managed_call& call, const put_request& job);

/// What follows the delay, for a job that scripts put later.
/// @throws system_error  where it has an id, a delay or dependencies; `what` says of whom the job is
std::vector<std::string> words_for_later(const std::string& prefix, const put_request& job, const char* what);

/// The answer to one put. Its error is set where `on_conflict::refuse` has kept the job away.
push_result read_put(const reply::answer& answer);

} // namespace coworker::detail
