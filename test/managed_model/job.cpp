// SPDX-License-Identifier: MIT
#include "job.hpp"

#include <cmath>

namespace coworker::test::model {
namespace {

std::string list_text(const strings& texts)
{
    if (texts.empty())
        return "{}";
    std::string result;
    for (const auto& text : texts)
        result += (result.empty() ? '[' : ',') + in_quotes(text);
    return result + ']';
}

} // namespace

std::string failure::text() const
{
    return R"({"group":)" + in_quotes(group) + R"(,"message":)" + in_quotes(message) + R"(,"when":)" +
           text14(when) + R"(,"worker":)" + in_quotes(worker) + '}';
}

std::map<std::string, std::string> job::fields() const
{
    std::map<std::string, std::string> result{
        {"jid", jid},
        {"klass", klass},
        {"queue", queue},
        {"data", data},
        {"state", state},
        {"worker", worker},
        {"expires", expires ? text17(*expires) : ""},
        {"priority", text17(priority)},
        {"tags", list_text(tags)},
        {"retries", text17(retries)},
        {"remaining", text17(remaining)},
        {"time", text_of_time(time)},
    };
    if (failed_with)
        result["failure"] = failed_with->text();
    else if (has_empty_failure)
        result["failure"] = "{}";
    if (spawned_from)
        result["spawned_from_jid"] = *spawned_from;
    if (scheduled)
        result["scheduled"] = text17(*scheduled);
    if (grace)
        result["grace"] = "1";
    if (crashes != 0)
        result["crashes"] = std::to_string(crashes);
    return result;
}

json::object job::document() const
{
    json::array entries;
    for (const auto& entry : history) {
        auto shown = entry.extra.is_object() ? entry.extra.get_object() : json::object{};
        shown["when"] = entry.when;
        shown["what"] = entry.what;
        entries.push_back(std::move(shown));
    }
    json::object result{{"jid", jid},
                        {"klass", klass},
                        {"state", state},
                        {"queue", queue},
                        {"worker", worker},
                        {"priority", rounded14(priority)},
                        {"expires", rounded14(expires.value_or(0))},
                        {"retries", rounded14(retries)},
                        {"remaining", rounded14(remaining)},
                        {"data", data},
                        {"tags", to_json(tags)},
                        {"history", std::move(entries)},
                        {"failure", failed_with ? failed_with->document() : json::object{}}};
    if (spawned_from)
        result["spawned_from_jid"] = *spawned_from;
    else
        result["spawned_from_jid"] = false;
    return result;
}

strings job::flat() const
{
    const auto all = fields();
    const auto field = [&](const std::string& name) {
        const auto found = all.find(name);
        return found == all.end() ? std::string{} : found->second;
    };
    strings result;
    for (const char* name : {"jid", "klass", "data", "priority", "retries", "remaining", "expires", "tags",
                             "failure", "spawned_from_jid"})
        result.push_back(field(name));
    return result;
}

void job::remember(double now, const std::string& what, json::value extra, double limit)
{
    // A limit of 2 has never been one.
    const auto kept = static_cast<std::size_t>(limit < 1 ? 0 : limit < 2 ? 2 : limit < 3 ? 0 : limit);
    history.push_back({std::floor(now), what, std::move(extra)});
    while (kept != 0 && history.size() > kept)
        history.erase(history.begin() + 1);
}

std::map<std::string, std::string> recurring_job::fields() const
{
    return {{"jid", jid},
            {"klass", klass},
            {"data", data},
            {"priority", text17(priority)},
            {"tags", list_text(tags)},
            {"state", "recur"},
            {"queue", queue},
            {"type", "interval"},
            {"count", text17(count)},
            {"interval", text17(interval)},
            {"retries", text17(retries)},
            {"backlog", text17(backlog)}};
}

json::value recurring_job::document() const
{
    return json::object{{"jid", jid},
                        {"klass", klass},
                        {"state", "recur"},
                        {"queue", queue},
                        {"priority", rounded14(priority)},
                        {"interval", rounded14(interval)},
                        {"retries", rounded14(retries)},
                        {"count", count},
                        {"data", data},
                        {"tags", to_json(tags)},
                        {"backlog", rounded14(backlog)}};
}

} // namespace coworker::test::model
