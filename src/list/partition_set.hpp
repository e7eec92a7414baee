// SPDX-License-Identifier: MIT
#pragma once

#include "list/list_queue/list_queue_state.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <vector>

namespace coworker {

/// The partitions of a queue, as one who pushes jobs sees them: which one is the next, and what is done with all of
/// them. Until Redis has said how many there are, a call asks first. After half a minute it is asked again beside the
/// calls, and after a whole one before them. While that is not answered, since the node that knows is away, all go on
/// with what they know: the number never sinks.
struct raw_list_queue::partition_set : std::enable_shared_from_this<partition_set>
{
    using parts = std::shared_ptr<const std::vector<std::shared_ptr<state>>>;
    using shared = std::shared_ptr<partition_set>;

    /// @param redis  the client's connection, not that of a part of a cluster
    partition_set(std::shared_ptr<detail::connection> redis, std::string queue, list_queue_options options);

    /// The same partitions, for pushes that are confirmed like that.
    shared with(const durability& wanted);

    static detail::single_push make_push(const shared& self, std::string id, std::string payload,
                                         push_options how);
    static asio::awaitable<void> send(shared self, detail::many_pushes& all);
    /// For a job that another one pushes with its acknowledgement. Throws `errc::not_supported` if the number of
    /// partitions is not known yet and the job has a key.
    std::shared_ptr<state> part_for_effect(const push_options& how);

    static asio::awaitable<list_queue_sizes> sizes(shared self);
    static asio::awaitable<void> on_each(shared self, asio::awaitable<void> (*act)(std::shared_ptr<state>));
    /// Of a queue, which on one server others may have divided, though this program does not. Null: nobody can have.
    static shared of(const std::shared_ptr<state>& queue);
    /// Does it with each part of a queue.
    static asio::awaitable<void> on_all_of(const std::shared_ptr<state>& queue,
                                           asio::awaitable<void> (*act)(std::shared_ptr<state>));
    /// @param by  the queue that was asked to do it
    static asio::awaitable<void> destroy(shared self, std::shared_ptr<state> by);

    std::unique_ptr<job_source> make_source() const;

private:
    /// Asks Redis how many there are, if that is not known or may have changed.
    static asio::awaitable<parts> know(shared self);
    /// Asks in any case.
    static asio::awaitable<parts> learn(shared self);
    /// Those that there are at this moment, with the queue that is not divided, where there can be one.
    static asio::awaitable<parts> all(shared self);
    static asio::awaitable<std::string> push_when_known(shared self, std::string id, std::string payload,
                                                        push_options how);
    /// Null: Redis has to be asked first.
    parts known_parts();
    std::size_t known_count();
    /// A question has failed. Returns whether to go on with what is known.
    bool goes_on_after(error_code why);
    /// Asks beside the calls.
    void ask_again();
    std::shared_ptr<state> part_of(const parts& among, const push_options& how, std::string_view id);
    std::shared_ptr<state> make_part(const std::string& name) const;

    std::shared_ptr<detail::connection> redis_;
    std::string queue_;
    list_queue_options options_; ///< of the parts
    unsigned asked_;
    durability wanted_ = durability::memory(); ///< what pushes wait for
    std::atomic<unsigned> turn_;
    std::mutex mutex_;
    parts parts_ = std::make_shared<parts::element_type>(); ///< as many as are known
    std::chrono::steady_clock::time_point known_until_{};   ///< when to ask again
    bool is_asking_ = false;                                ///< beside the calls
    bool is_failing_ = false; ///< the last question was not answered; all of these are under the mutex
};

} // namespace coworker
