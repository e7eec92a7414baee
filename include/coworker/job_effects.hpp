// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"
#include "coworker/text.hpp"

#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

/// @file
/// What a handler wants to be carried out in the step that acknowledges its job.
namespace coworker {

/// One effect: a Redis command, or a job that is pushed. Made by `job_effects` and by queues (`push_effect`).
struct effect
{
    /// A job that is pushed.
    struct pushed_job
    {
        std::string queue;  ///< the name of its queue
        std::string id;     ///< its id
        std::string kind{}; ///< its kind; empty in list queues
        raw_json job{};     ///< the job
    };

    /// What Redis is told: a command with its arguments; for a job of a managed queue, `put` and the arguments of that
    /// script. Empty for a job of a queue in memory.
    std::vector<std::string> words{};

    std::optional<pushed_job> pushed{}; ///< empty: a command

    /// The connection of the queue to which a job is pushed. It has to be that of the acknowledgement. Null: any.
    std::shared_ptr<const void> connection{};
    std::string prefix{}; ///< of the managed queue to which a job is pushed

    std::function<void()> in_memory{}; ///< pushes a job to a queue in memory
};

/// What a handler wants to be carried out in Redis in the very step that acknowledges its job: `job_context::effects`.
///
///     context.effects().add({"HINCRBY", "stats", "orders", "1"});
///     context.effects().push(receipts, "Receipt", receipt);
///
/// All effects are carried out if the handler's outcome is a success or `forward`, and the lease still holds. Otherwise
/// none is. So in the Redis of the queue, they happen exactly once. Pushes come first, then commands; each keep their
/// order. If one cannot be carried out, none is, and the job fails with the reason. In managed queues, it fails in the
/// group `<kind>:effects`.
///
/// @par Thread safety  As `job_context`.
class job_effects
{
public:
    /// Checks an effect before it is taken; throws if it is refused.
    using checker = std::function<void(const effect&)>;

    /// No effects. None that is added is refused.
    job_effects() = default;
    /// No effects. `check` is called with each that is added.
    explicit job_effects(checker check) : check_{std::move(check)} {}

    /// Adds a Redis command, a text for each word: `add({"INCRBY", "sum", std::to_string(n)})`.
    ///
    /// These are permitted, in capital letters:
    ///
    ///     DECR DECRBY DEL EXPIRE HDEL HINCRBY HINCRBYFLOAT HSET INCR INCRBY INCRBYFLOAT LPUSH LTRIM
    ///     PERSIST PEXPIRE PUBLISH RPUSH SADD SET SREM UNLINK XADD ZADD ZINCRBY ZREM
    ///
    /// Redis has no rollback, and the success of these can be checked before. docs/effects.md has
    /// the forms of each.
    ///
    /// @throws system_error  `errc::invalid_option`: the command is not permitted, its key belongs to the queue, or
    ///   there are too many words. A command has at most 1000, all effects of a job together at most 4000.
    ///   `errc::job_too_large`: more than 8 MiB.
    void add(const text_list& words);

    /// Adds an effect that a queue has made.
    /// @throws system_error  as above, and `errc::not_supported`: the job's queue cannot carry this out.
    void add(effect what);

    /// Pushes a job: `push(queue, "Kind", job, options)` to a managed queue with the same prefix, `push(queue, job,
    /// options)` to a list queue. The queue belongs to the client of the worker. Returns the job's id.
    ///
    /// Jobs of list queues can only push to list queues, and those only what may run at once.
    ///
    /// @throws system_error  what `async_push` of the queue refuses before it sends anything. `errc::invalid_option`:
    ///   the queue has another client or prefix, or it is a unique job with `on_conflict::refuse`.
    ///   `errc::not_supported`.
    template<class Queue, class Data>
    requires requires(const Queue& queue, std::string_view kind, const Data& data)
    {
        queue.push_effect(kind, data);
    }
    std::string push(const Queue& queue, std::string_view kind, const Data& data,
                     const typename Queue::push_options_type& options = {})
    {
        return add_push(queue.push_effect(kind, data, options));
    }
    /// The same for queues whose jobs have no kinds.
    template<class Queue, class Data>
    requires requires(const Queue& queue, const Data& data) { queue.push_effect(data); }
    std::string push(const Queue& queue, const Data& data,
                     const typename Queue::push_options_type& options = {})
    {
        return add_push(queue.push_effect(data, options));
    }

    /// What was added, in this order.
    const std::vector<effect>& all() const noexcept { return all_; }
    /// Nothing was added.
    bool empty() const noexcept { return all_.empty(); }
    /// How many bytes the words have.
    std::size_t bytes() const noexcept { return bytes_; }
    /// Forgets what was added.
    void clear();

private:
    std::string add_push(effect what)
    {
        std::string id = what.pushed->id;
        add(std::move(what));
        return id;
    }

    checker check_;
    std::vector<effect> all_;
    std::size_t bytes_ = 0, words_ = 0;
};

} // namespace coworker
