// SPDX-License-Identifier: MIT
#include "coworker/outbox_relay.hpp"
#include "text/prometheus.hpp"

namespace coworker {

std::string outbox_relay::prometheus() const
{
    const auto now = counts();
    detail::prometheus_text out;
    const auto add = [&out](std::string_view name, std::string_view type, std::string_view help,
                            double value) {
        out.begin(name, type, help);
        out.add({}, value);
    };
    const auto number = [](std::uint64_t value) { return static_cast<double>(value); };
    const auto& backlog = now.backlog;
    add("coworker_outbox_database_connected", "gauge",
        "0 if there is no connection to the outbox's database.", now.is_database_up ? 1 : 0);
    add("coworker_outbox_lag_seconds", "gauge",
        "How old the first row is that waits in the outbox, as it was seen last; 0: none waits.",
        std::chrono::duration<double>{backlog.oldest_age.value_or(std::chrono::milliseconds{0})}.count());
    add("coworker_outbox_waiting_rows", "gauge", "Rows that wait in the outbox, counted up to 10,000.",
        number(backlog.waiting));
    add("coworker_outbox_rejected_rows", "gauge", "Rows of the outbox that could not be pushed.",
        number(backlog.rejected));
    add("coworker_outbox_pushed_rows_total", "counter", "Rows that this process has pushed and deleted.",
        number(now.pushed));
    add("coworker_outbox_repeated_rows_total", "counter",
        "Of these, rows whose jobs Redis had already: something had died in between.", number(now.repeated));
    out.begin("coworker_outbox_errors_total", "counter",
              "Steps of the outbox that the database or Redis could not do.");
    out.add({{"side", "database"}}, number(now.database_errors));
    out.add({{"side", "redis"}}, number(now.redis_errors));
    return out.text();
}

} // namespace coworker
