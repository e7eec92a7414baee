// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"
#include "coworker/event.hpp"
#include "signal.hpp"

#include <boost/asio/any_io_executor.hpp>

#include <exception>
#include <memory>
#include <utility>
#include <vector>

namespace coworker::detail {

/// What the parts of a worker share: whether it goes on, whom they tell of what happens, and what wakes its loops.
class worker_life
{
public:
    worker_life(asio::any_io_executor executor, const std::vector<observer>& observers);

    const asio::any_io_executor& get_executor() const noexcept { return executor_; }

    /// Who owns all parts, this one too.
    void belongs_to(std::weak_ptr<void> owner) noexcept { owner_ = std::move(owner); }
    /// Held by what is under way, so that the parts are still there when it ends.
    std::shared_ptr<void> keep() const { return std::shared_ptr<void>{owner_}; }

    bool is_observed() const noexcept { return !observers_.empty(); }
    void emit(const event& what) const;

    // --- the end ---

    /// Nothing more is taken.
    void stop();
    /// And handlers are cancelled at once. If the worker was stopping already, it does not wait for its source either.
    void stop_at_once();
    /// Something happened after which the worker cannot go on.
    void die(std::exception_ptr why);
    /// What `async_run` ends with; the first one counts.
    void fail(std::exception_ptr why) noexcept;

    bool stops() const noexcept { return stops_; }
    bool stops_at_once() const noexcept { return stops_at_once_; }
    /// It was told twice: a source that does not answer is not waited for.
    bool hurries() const noexcept { return hurries_; }
    /// No outcome can be stored any more.
    bool source_has_ended() const noexcept { return source_has_ended_; }
    const std::exception_ptr& failure() const noexcept { return failure_; }

    // --- what loops wait for ---

    /// For the pumps: there may be a step to take. One of those that wait looks for it; when it has found one, it calls
    /// this for the next. A worker with many queues has many pumps, and it would cost more to wake all each time.
    void there_is_work()
    {
        if (!std::exchange(one_looks_, true))
            work_.notify_one();
    }
    asio::awaitable<void> wait_for_work();

    /// For the supervisor: stop, or a job or an acknowledgement has ended.
    void has_changed() { changed_.notify(); }
    asio::awaitable<void> wait_for_change() { return changed_.wait(); }

private:
    asio::any_io_executor executor_;
    std::vector<observer> observers_;
    std::weak_ptr<void> owner_;
    signal work_;
    signal changed_;
    bool one_looks_ = false; ///< a pump was woken, or none waits
    bool stops_ = false;
    bool stops_at_once_ = false;
    bool hurries_ = false;
    bool source_has_ended_ = false;
    std::exception_ptr failure_;
};

} // namespace coworker::detail
