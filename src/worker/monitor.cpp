#include "worker/worker_state.hpp"

#include <boost/asio/steady_timer.hpp>

namespace coworker::detail {

asio::awaitable<void> worker_state::monitor_loop(queue_worker& queue)
{
    asio::steady_timer timer{get_executor()};
    for (;;) {
        std::optional<system_error> error;
        try {
            const auto found =
                co_await queue.source->recover(queue.options.lease, queue.options.worker_grace);
            if (found.recovered != 0)
                emit({.kind = event_kind::recovered,
                      .queue = queue.source->name(),
                      .message = found.reason,
                      .count = found.recovered});
            if (found.idle) {
                co_await queue.source->wait_for_leases();
            } else {
                timer.expires_after(found.pause);
                co_await timer.async_wait(asio::use_awaitable);
            }
        } catch (const system_error& caught) {
            error = caught;
        }
        if (error)
            co_await recover_from(*error, queue, event_kind::warning, 0);
    }
}

} // namespace coworker::detail
