#include "program/commands/queue_sizes.hpp"

namespace coworker::program {

void add_sizes(json_line& line, const queue_look& look)
{
    line.text("kind", look.queue.managed ? "managed" : "list").boolean("paused", look.paused);
    line.number("waiting", look.waiting).number("scheduled", look.scheduled).number("running", look.running);
    const auto add = [&](const char* name, const std::optional<std::uint64_t>& count) {
        if (count)
            line.number(name, *count);
    };
    add("overdue", look.overdue);
    add("stalled", look.stalled);
    add("depends", look.depends);
    add("failed", look.failed);
    add("broken", look.broken);
    add("workers", look.workers);
    if (look.oldest_waiting)
        line.number("oldest_waiting_seconds", static_cast<double>(look.oldest_waiting->count()) / 1000);
    else
        line.null("oldest_waiting_seconds");
}

} // namespace coworker::program
