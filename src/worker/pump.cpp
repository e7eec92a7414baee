// SPDX-License-Identifier: MIT
#include "worker/pump.hpp"

namespace coworker::detail {

asio::awaitable<void> pump(worker_life& life, dispatcher& dispatch, late_calls& late, running_jobs& jobs,
                           const std::vector<std::unique_ptr<queue_runner>>& queues)
{
    for (;;) {
        jobs.let_go_of_dropped();
        if (life.stops())
            dispatch.stop_taking();
        if (const auto step = dispatch.next(std::chrono::steady_clock::now())) {
            life.there_is_work(); // perhaps there is another step beside this one
            co_await queues[step->queue]->carry_out(*step);
            if (life.stops()) // which may be all that the supervisor has waited for
                life.has_changed();
        } else {
            late.look_later();
            co_await life.wait_for_work();
        }
    }
}

} // namespace coworker::detail
