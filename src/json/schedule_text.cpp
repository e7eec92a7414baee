// SPDX-License-Identifier: MIT
#include "json/schedule_text.hpp"

#include "text/times.hpp"
#include "json/push_options.hpp"
#include "json/queue_words.hpp"

namespace coworker::detail {

json_object describe(const schedule_status& schedule, json_for reader)
{
    const auto& when = schedule.when;
    json_object out{reader};
    out.text("name", schedule.name).text_if_any("cron", when.cron.str());
    if (when.cron.empty())
        out.null("zone").number("every", when.every.count()).time("anchor", when.anchor);
    else
        out.text("zone", when.zone.str()).null("every").null("anchor");
    std::vector<std::string> next;
    for (const auto time : schedule.next)
        next.push_back(format_rfc3339(time));
    out.text("missed", to_string(when.missed)).time("begin", when.begin).time("end", when.end);
    if (when.most_runs == 0)
        out.null("most_runs");
    else
        out.number("most_runs", when.most_runs);
    out.number("jitter", when.jitter.count())
        .text("queue", schedule.in_list_queue ? schedule.queue : call_managed_queue(schedule.queue))
        .text_if_any("kind", schedule.kind)
        .json_or_null("payload", schedule.data);
    if (!schedule.in_list_queue)
        write_push_options(out, schedule.options);
    return out.boolean("paused", schedule.paused)
        .number("runs", schedule.runs)
        .time("last_at", schedule.last)
        .text_if_any("last_id", schedule.last_jid)
        .text_if_any("problem", schedule.problem)
        .texts("next", next);
}

} // namespace coworker::detail
