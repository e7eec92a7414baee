// SPDX-License-Identifier: MIT
#include "json/limit_text.hpp"

#include "json/job_text.hpp"

namespace coworker::detail {

json_object describe(const limit_state& limit, json_for reader)
{
    const auto& settings = limit.settings;
    json_object out{reader};
    out.text("name", limit.name).boolean("set", limit.is_set);
    if (settings.max_running)
        out.number("max_running", *settings.max_running);
    else
        out.null("max_running");
    if (settings.rate)
        out.number("rate", *settings.rate)
            .number("period", in_seconds(settings.period))
            .number("burst", settings.burst);
    else
        out.null("rate").null("period").null("burst");
    return out.number("used", limit.used)
        .number("held_back", limit.waiting)
        .number("opens_in_seconds", in_seconds(limit.opens_in))
        .number("held_for_seconds", in_seconds(limit.held_for));
}

json_object describe(const limit_use& limit, json_for reader)
{
    return json_object{reader}.text("name", limit.name()).number("units", limit.units());
}

json_object describe(const group_weight& one, json_for reader)
{
    return json_object{reader}.text("group", one.group).number("weight", one.weight);
}

json_object describe(const managed_queue_settings& settings, json_for reader)
{
    json_object out{reader};
    if (settings.heartbeat)
        out.number("heartbeat", in_seconds(*settings.heartbeat));
    else
        out.null("heartbeat");
    return out.number("max_concurrency", settings.max_concurrency)
        .number("max_waiting", settings.max_waiting)
        .number("ageing", in_seconds(settings.ageing))
        .number("held_for_seconds", in_seconds(settings.held_for));
}

} // namespace coworker::detail
