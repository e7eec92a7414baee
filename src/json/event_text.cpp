// SPDX-License-Identifier: MIT
#include "json/event_text.hpp"

#include "json/queue_words.hpp"

namespace coworker::detail {

json_object describe(const managed_event& what)
{
    json_object out;
    out.text("event", to_string(what.kind));
    const auto add = [&](std::string_view member, const std::string& value) {
        if (!value.empty())
            out.text(member, value);
    };
    add("id", what.jid);
    add("queue", call_managed_queue(what.queue));
    add("worker", what.worker);
    add("group", what.group);
    add("message", what.message);
    add("to", call_managed_queue(what.to));
    add("option", what.option);
    add("value", what.value);
    if (what.kind == managed_event_kind::missed)
        out.number("count", what.count);
    return out;
}

} // namespace coworker::detail
