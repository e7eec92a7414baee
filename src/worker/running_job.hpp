#pragma once

#include "coworker/job_context.hpp"
#include "coworker/job_source.hpp"
#include "worker/conclusion.hpp"
#include "worker/lease_table.hpp"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>

#include <list>
#include <memory>
#include <optional>

namespace coworker::detail {

struct queue_worker;
class worker_state;

/// A job between being taken and being settled.
struct running_job : held_lease
{
    using clock = std::chrono::steady_clock;

    running_job(worker_state& owner, queue_worker& on, taken_job&& what)
        : worker{&owner}, queue{&on}, job{std::move(what)}, context{*this}
    {}

    worker_state* worker;
    queue_worker* queue;
    taken_job job;
    job_context context;
    asio::cancellation_signal handler_signal; ///< ends the handler's coroutine
    asio::cancellation_signal context_signal; ///< for the handler's own use
    end_reason told_to_end = end_reason::none;
    std::optional<asio::steady_timer> limit; ///< time limit or deadline, whichever comes first
    std::shared_ptr<char> limit_token;       ///< gone when the timer's end means nothing any more
    end_reason limit_reason = end_reason::none;
    clock::time_point started{};
    std::list<std::unique_ptr<running_job>>::iterator position{};

    bool has_ended = false; ///< the handler has; the job waits for a renewal's answer, or to be settled
    std::optional<outcome> result; ///< what is to be stored
    bool repeated = false;         ///< a settlement was sent before and not answered
};

} // namespace coworker::detail
