// SPDX-License-Identifier: MIT
#include "program/commands/queue_sizes.hpp"

#include <chrono>

namespace coworker::program {

void add_sizes(json_line& line, const queue_info& queue)
{
    const bool is_managed = queue.queue.is_managed();
    line.text("kind", to_string(queue.queue.kind())).boolean("paused", queue.paused);
    line.number("waiting", queue.waiting)
        .number("scheduled", queue.scheduled)
        .number("running", queue.running);
    if (is_managed)
        line.number("stalled", queue.stalled).number("depends", queue.depends);
    else
        line.number("overdue", queue.overdue);
    if (queue.failed)
        line.number("failed", *queue.failed);
    if (!is_managed)
        line.number("broken", queue.broken);
    if (queue.partitions != 0)
        line.number("partitions", queue.partitions);
    if (queue.unreachable != 0)
        line.number("unreachable", queue.unreachable);
    if (queue.workers)
        line.number("workers", *queue.workers);
    if (queue.latency)
        line.number(
            "oldest_waiting_seconds",
            std::chrono::duration<double>{std::chrono::floor<std::chrono::milliseconds>(*queue.latency)}
                .count());
    else
        line.null("oldest_waiting_seconds");
}

} // namespace coworker::program
