// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/codec.hpp"
#include "coworker/detail/unnamed_queue.hpp"
#include "coworker/durability.hpp"
#include "coworker/managed_options.hpp"
#include "coworker/testing/memory_queue.hpp"

#include <boost/asio/deferred.hpp>

#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace coworker::testing {

/// A queue in memory in place of a `managed_queue`: it has `async_push`, `async_push_many` and `push_effect`, and
/// `worker::handle` takes it. Copies are the same queue.
///
///     coworker::testing::memory_managed_queue mail;
///     remind(mail, customer); // the code under test
///     BOOST_TEST(mail.pushed().at(0).options.priority.value() == 5);
///
/// It refuses the options that a `managed_queue` refuses. Of the others it carries out `jid`, `priority`, `delay`,
/// `retries`, `timeout` and `backoff`. Handlers find these and `tags`, `expiry`, `metadata`, `batch` and parents in
/// their `managed_details`. What else Redis decides is kept for `pushed` to show, and has no effect here: dependencies,
/// limits, order keys, groups and unique keys. The same holds for batches, and for what happens when a job expires.
class memory_managed_queue : public queue_in_memory
{
public:
    /// What a worker's handler receives unless it asks for another type.
    using job_type = raw_json;
    /// How a job is pushed.
    using push_options_type = managed_push_options;

    /// An empty queue, with a clock of its own unless one is given.
    explicit memory_managed_queue(std::string name = "memory", manual_clock time = {});

    /// A handle of the same queue whose pushes pass through `another`, as those of `managed_queue::with` do. Payload
    /// codecs change nothing: what is in memory is plain.
    memory_managed_queue with(push_middleware another) const;
#ifdef COWORKER_COMPILER_DESTROYS_AGGREGATES_TWICE
    template<class Function>
    requires(detail::crashes_as_temporary<Function>)
        coworker::detail::unnamed_queue<memory_managed_queue> with(Function&& another)
    const
    {
        return coworker::detail::unnamed_queue{with(push_middleware{std::forward<Function>(another)})};
    }
#endif
    /// The same queue, for code that asks for confirmed pushes: all of them are.
    memory_managed_queue with(const durability&) const
    {
        return *this;
    }

    /// Pushes a job and returns its jid. A job that waits under the jid of the new one, or is delayed, is replaced by
    /// it.
    ///
    /// @throws system_error  What `managed_queue::async_push` refuses before it sends anything, such as
    ///   `errc::invalid_option`.
    std::string push(new_managed_job job);
    /// The same with data of any type that `encode` takes.
    template<class Data>
    std::string push(std::string_view kind, const Data& data, const managed_push_options& options = {})
    {
        return push(new_managed_job{kind, encode(data).value(), options});
    }

    /// A push that takes place when a job is acknowledged: `context.effects().push(queue, kind, data, options)` calls
    /// this.
    ///
    /// @throws system_error  As `managed_queue::push_effect`.
    template<class Data>
    effect push_effect(std::string_view kind, const Data& data,
                       const managed_push_options& options = {}) const
    {
        return effect_of({kind, encode(data).value(), options});
    }

    /// Pushes a job, as `managed_queue::async_push` does. Completes with `void(error_code, std::string jid)`, as if
    /// posted to the handler's executor. It cannot be cancelled.
    template<class Data, class Token = asio::deferred_t>
    auto async_push(std::string_view kind, Data&& data, managed_push_options options = {},
                    Token&& token = asio::deferred_t{})
    {
        return detail::complete_with<std::string, Data>(std::forward<Token>(token),
                                                        [&] { return push(kind, data, options); });
    }
    /// The same with default options.
    template<class Data, detail::token_for<void(error_code, std::string)> Token>
    auto async_push(std::string_view kind, Data&& data, Token&& token)
    {
        return async_push(kind, std::forward<Data>(data), managed_push_options{}, std::forward<Token>(token));
    }

    /// Pushes many jobs, as `managed_queue::async_push_many` does: none of them if one is refused. Completes with
    /// `void(error_code, std::vector<std::string>)`, their jids in order, as if posted to the handler's executor. It
    /// cannot be cancelled.
    template<class Token = asio::deferred_t>
    auto async_push_many(std::span<const new_managed_job> jobs, Token&& token = asio::deferred_t{})
    {
        return detail::complete_with<std::vector<std::string>>(std::forward<Token>(token), [&] {
            return push_many({jobs.begin(), jobs.end()});
        });
    }

    /// The same for jobs of one kind, with the same options.
    ///
    /// @param kind  the kind of all jobs
    /// @param range  the data of each job, as `async_push` takes them
    /// @param options  for all of the jobs; a `jid` is refused with `errc::invalid_option`
    /// @param token  the completion token
    template<class Range, class Token = asio::deferred_t>
    auto async_push_many(std::string_view kind, Range&& range, managed_push_options options = {},
                         Token&& token = asio::deferred_t{})
    {
        return detail::complete_with<std::vector<std::string>, Range>(std::forward<Token>(token), [&] {
            if (options.jid)
                throw explained_error{errc::invalid_option, "one jid cannot be given to many jobs"};
            std::vector<new_managed_job> jobs;
            for (const auto& data : range)
                jobs.push_back({kind, encode(data).value(), options});
            return push_many(std::move(jobs));
        });
    }
    /// The same with default options.
    template<class Range, detail::token_for<void(error_code, std::vector<std::string>)> Token>
    auto async_push_many(std::string_view kind, Range&& range, Token&& token)
    {
        return async_push_many(kind, std::forward<Range>(range), managed_push_options{},
                               std::forward<Token>(token));
    }

    /// All jobs that were pushed, in this order, whatever became of them, each with the jid that it got.
    const std::vector<new_managed_job>& pushed() const noexcept;

private:
    std::vector<std::string> push_many(std::vector<new_managed_job> jobs);
    effect effect_of(new_managed_job job) const;
    /// As it is to be pushed.
    void prepare(new_managed_job& job) const;

    std::vector<push_middleware> around_;
};

} // namespace coworker::testing
