// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "coworker/managed_queue.hpp"
#include "coworker/option_duration.hpp"

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace coworker {

/// What the jobs of a flow have in common, where their own options do not say otherwise.
struct flow_options
{
    /// What becomes of a job when one that it waits for fails for good or is cancelled.
    parent_failure on_parent_failure = parent_failure::fail;

    /// How long results are kept, for the jobs that wait for them. Greater than zero.
    option_duration result_retention{std::chrono::hours{24}};
};

/// Jobs of managed queues that wait for each other: a chain, or any graph without cycles. They are added first, and
/// then pushed together.
///
///     coworker::flow album{redis};
///     const auto fetched = album.add(work, "Fetch", page);
///     const auto small = album.add(work, "Resize", to_small, fetched);
///     const auto large = album.add(work, "Resize", to_large, fetched);
///     album.add(work, "Publish", page, {small, large});
///     co_await album.async_push();
///
/// Each job is one like others, of any managed queue of the client. Its handler may read what the jobs returned for
/// which it waited: `job_context::async_parent_result`, with the ids in `managed_details::parents`. Make it part of a
/// batch (`managed_push_options::batch`) to hear of the end of them all.
///
/// @par Thread safety  Use one object from one thread at a time.
class flow
{
public:
    /// The type of executors, as Asio's adapters look for it.
    using executor_type = asio::any_io_executor;

    /// Sends nothing.
    ///
    /// @throws system_error  `errc::invalid_option`.
    explicit flow(const client& redis, flow_options options = {});

    /// The client's executor.
    executor_type get_executor() const;

    /// Adds a job, and returns its id. Sends nothing.
    ///
    /// @param queue  the job's queue, of the same client and with the same prefix as those of the jobs before
    /// @param kind  the kind of job
    /// @param data  anything that `encode` takes, as with `managed_queue::async_push`
    /// @param after  the ids of the jobs for which it waits: of jobs that were added before, or exist already. At most
    ///   1000
    /// @param options  how to push it; `depends` and unique jobs are refused
    /// @throws system_error  `errc::invalid_option`, and what `managed_queue::async_push` throws before it sends
    ///   anything.
    template<class Data>
    std::string add(const managed_queue& queue, std::string_view kind, const Data& data,
                    const text_list& after = {}, managed_push_options options = {})
    {
        prepare(options, after);
        return keep(queue.push_effect(kind, data, options));
    }

    /// Adds a job that waits for the one that was added last, if there is one: so a chain is made. Otherwise as `add`.
    template<class Data>
    std::string then(const managed_queue& queue, std::string_view kind, const Data& data,
                     const managed_push_options& options = {})
    {
        return ids_.empty() ? add(queue, kind, data, {}, options)
                            : add(queue, kind, data, text_list{ids_.back()}, options);
    }

    /// The ids of the jobs, in the order in which they were added.
    const std::vector<std::string>& ids() const noexcept { return ids_; }

    /// Pushes the jobs. Up to 128 of them, and 1 MB, are pushed in one step, so all or none. More are pushed in
    /// several steps, those first for which others wait. Jobs run as soon as they may, also while others are yet to
    /// be pushed. Completes with `void(error_code)`.
    ///
    /// A job that exists stays as it is, whatever its state. So after an error, or a cancellation, push the same object
    /// again: it pushes what is missing. The object may go when the call has begun.
    ///
    /// @par Cancellation  terminal, partial. A first part of the jobs may have been pushed.
    /// @par Errors  Those of `managed_queue::async_push_many`. If a job was refused: `errc::batch_ended` and the like.
    ///   The jobs behind it in the same step were pushed all the same.
    template<class Token = default_token>
    auto async_push(Token&& token = default_token{}) const
    {
        return detail::start_change(*this, std::forward<Token>(token), [&] { return push(); });
    }

private:
    void prepare(managed_push_options& options, const text_list& after) const;
    std::string keep(effect job);
    asio::awaitable<void> push() const;

    std::shared_ptr<detail::connection> redis_;
    flow_options options_;
    std::string prefix_;
    std::vector<std::string> ids_;
    std::vector<std::vector<std::string>> puts_; ///< the arguments of `put` for each job
};

} // namespace coworker
