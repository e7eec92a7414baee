// SPDX-License-Identifier: MIT
#include "mixed_history.hpp"

#include <set>

/// What happens in a mixed history.
namespace coworker::test::model {
namespace {

strings operator+(strings words, const strings& more)
{
    words.insert(words.end(), more.begin(), more.end());
    return words;
}

std::string quoted(const std::string& text)
{
    return '"' + text + '"';
}

} // namespace

strings mixed_history::limits()
{
    strings chosen{R"(["gpu",2])", R"("tenant:1")", R"("tenant:2")", R"(["api",1])"};
    while (chosen.size() > 1 && chance_.percent(60))
        chosen.erase(chosen.begin() + static_cast<std::ptrdiff_t>(chance_.below(chosen.size())));
    std::string list;
    for (const auto& each : chosen)
        list += (list.empty() ? "" : ",") + each;
    return {"limits", '[' + list + ']'};
}

std::string mixed_history::own_options()
{
    std::string members;
    const auto add = [&](const std::string& name, const std::string& value) {
        members += (members.empty() ? "" : ",") + quoted(name) + ':' + value;
    };
    if (chance_.percent(50))
        add("expiry", chance_.of({"1", "5", "30"}));
    if (chance_.percent(20))
        add("version", chance_.of({"1", "2"}));
    if (chance_.percent(30))
        add("retention", chance_.of({"0", "5", "100"}));
    if (chance_.percent(40))
        add("batch", quoted(chance_.of({"B", "C"})));
    if (chance_.percent(50))
        add("on_parent_failure", quoted(chance_.of({"wait", "fail", "skip", "go_on"})));
    return '{' + members + '}';
}

strings mixed_history::options()
{
    strings words;
    const auto add = [&](std::size_t share, const strings& more) {
        if (chance_.percent(share))
            words = words + more;
    };
    add(30, {"priority", chance_.of({"0", "5", "1000", "1000000"})});
    add(35, {"order", chance_.of({"x", "y", "z"})});
    add(40, limits());
    add(20, {"group", chance_.of({"g", "h"})});
    add(30, {"depends", '[' + quoted(jid()) + ',' + quoted(jid()) + ']'});
    add(30, {"retries", chance_.of({"0", "1", "3"})});
    add(20, {"tags", R"(["t"])"});
    add(30, {"unique", chance_.of({"u", "v"}), "until", chance_.of({"done", "started", "30"}), "conflict",
             chance_.of({"keep", "replace", "data", "time", "refuse"})});
    add(50, {"options", own_options()});
    return words;
}

strings mixed_history::put_words()
{
    return strings{"w",   queue(),
                   jid(), chance_.percent(70) ? "k" : "m",
                   "{}",  chance_.of({"0", "0", "0", "2", "15"})} +
           options();
}

void mixed_history::put()
{
    if (chance_.percent(85)) {
        call(chance_.percent(90) ? "put" : "requeue", put_words());
        return;
    }
    strings groups;
    for (int i = 0; i != 3; ++i) {
        const auto words = put_words();
        groups = groups + (strings{std::to_string(words.size())} + words);
    }
    call("put_many", groups);
}

void mixed_history::settle()
{
    if (held_.empty())
        return;
    const auto chosen = std::next(held_.begin(), static_cast<std::ptrdiff_t>(chance_.below(held_.size())));
    const auto job = chosen->first;
    const auto [in, by] = chosen->second;
    held_.erase(chosen);
    const auto way = chance_.below(100);
    if (way < 35)
        call("complete", {job, by, in, "{}"});
    else if (way < 50)
        call("ack_and_fetch", {in, by, "0", "2", "done", job});
    else if (way < 60)
        call("fail", {job, by, "g", "m"});
    else if (way < 75)
        call("retry", {job, chance_.percent(70) ? in : queue(), by, chance_.of({"0", "2", "20"})});
    else if (way < 78)
        call("ack_and_fetch", {in, by, "0", "2", "release", job});
    else if (way < 80)
        call("ack_and_fetch", {in, by, "0", "6", "release", job, "hold",
                               chance_.of({"queue", "group", "order"}), "", chance_.of({"1", "10"})});
    else if (way < 88)
        call("complete", {job, by, in, "{}", "next", queue(), "delay", chance_.of({"0", "3"}), "depends",
                          chance_.percent(40) ? '[' + quoted(jid()) + ']' : "[]"});
    else if (way < 94)
        call("ack_and_fetch", {in, by, "0", "15", "effects", job, "k:effects", "1", "9", "put", "w", queue(),
                               jid(), "k", "{}", "0", "order", "x", "done"});
    else if (way < 97) {
        const auto kind = chance_.of({"sleep", "signal"}), seconds = chance_.of({"0", "2", "20"});
        call("await", {job, by, "", kind, "yes", "1", seconds});
        call("ack_and_fetch",
             {in, by, "0", "7", "release", job, kind, "yes", chance_.of({"0", "1"}), seconds, "0"});
    }
    // the others are never heard of again
}

/// What operators do.
void mixed_history::operate()
{
    const auto way = chance_.below(100);
    if (way < 25)
        call("cancel", {jid()});
    else if (way < 35)
        call("timeout", {jid()});
    else if (way < 60)
        call("act", {"", chance_.of({"retry", "delete", "run", "release"}), jid()});
    else if (way < 75)
        call("unfail", {queue(), chance_.of({"g", "k:expired", "parent-failed"}), "2"});
    else if (way < 78)
        call("signal", {jid(), "yes", "1"});
    else if (way < 80)
        call("priority", {jid(), chance_.of({"0", "7", "-3"})});
    else if (way < 90)
        call("depends", {jid(), chance_.of({"on", "off"}), jid()});
    else
        call("recover", {text17(1000 * now_), worker()});
}

/// What changes the rules.
void mixed_history::set_up()
{
    const auto way = chance_.below(100);
    if (way < 30)
        call("limit_set",
             strings{chance_.of({"gpu", "tenant:*", "api"})} +
                 chance_.of(std::vector<strings>{
                     {"max", "0"}, {"max", "1"}, {"max", "3"}, {"rate", "2", "burst", "2"}, {}}));
    else if (way < 45)
        call("queue_limits", {queue(), chance_.of({"[]", R"(["all"])", R"(["gpu"])"})});
    else if (way < 60)
        call(chance_.of({"pause", "pause_delays", "unpause", "unpause"}), {queue()});
    else if (way < 70)
        call("config_set", {queue() + "-max-concurrency", chance_.of({"0", "2"})});
    else if (way < 78)
        call("batch_seal", {chance_.of({"B", "C"})});
    else if (way < 84)
        call("batch_cancel", {chance_.of({"B", "C"}), chance_.of({"waiting", "all"}), ""});
    else if (way < 87)
        call("hold", chance_.of(std::vector<strings>{{"queue", queue(), ""},
                                                     {"limit", chance_.of({"gpu", "api", "tenant:1"}), ""},
                                                     {"order", chance_.of({"x", "y"}), ""},
                                                     {"group", chance_.of({"g", "h"}), queue()}}) +
                         strings{chance_.of({"0", "1", "10"})});
    else if (way < 89)
        call("queue_bound", {queue(), chance_.of({"0", "2", "5"})});
    else if (way < 91)
        call("queue_ageing", {queue(), chance_.of({"0", "1", "60"})});
    else if (way < 93)
        call("recur", {queue(), "r", "k", "{}", "interval", "30", "0", "retries", "1"});
    else
        call("note_minute", {"0", "0"});
}

/// A client of qless takes a job out of its places, and puts it elsewhere or removes it.
void mixed_history::interfere()
{
    auto& server = live_.server();
    const auto job = jid(), key = "ql:j:" + job;
    const auto stored = server("HMGET", key, "state", "queue", "worker", "batch", "tags").texts();
    const std::set<std::string> states{"waiting", "scheduled", "running", "stalled"};
    const bool is_tied = !stored[3].empty() || server("EXISTS", key + "-dependents").integer != 0;
    const bool moves = chance_.percent(50);
    if (!states.contains(stored[0]) || (!moves && (is_tied || stored[4] != "{}")))
        return;
    calls_.push_back((moves ? "another program moves " : "another program cancels ") + job);
    for (const auto* place : {"-work", "-locks", "-depends", "-scheduled"})
        server("ZREM", "ql:q:" + stored[1] + place, job);
    server("ZREM", "ql:w:" + stored[2] + ":jobs", job);
    if (moves)
        move_as_others_do(job, key);
    else
        server("DEL", key, key + "-history");
}

void mixed_history::move_as_others_do(const std::string& job, const std::string& key)
{
    auto& server = live_.server();
    const auto to = queue();
    const bool waits = chance_.percent(30);
    server("HSET", key, "queue", to, "state", waits ? "scheduled" : "waiting", "worker", "", "expires", "0",
           "time", text_of_time(now_));
    if (waits)
        server("ZADD", "ql:q:" + to + "-scheduled", text17(now_ + 3), job);
    else
        server("ZADD", "ql:q:" + to + "-work", text17(-now_ / 1e10), job);
}

} // namespace coworker::test::model
