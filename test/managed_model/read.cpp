// SPDX-License-Identifier: MIT
#include "commands.hpp"

#include <algorithm>
#include <cmath>

namespace coworker::test::model {
namespace {

json::object counts(store& in, double now, const std::string& name)
{
    in.move_due(now, name, 500);
    const auto& queue = in.queues[name];
    const auto stalled = queue.locks.up_to(now).size();
    return {{"name", name},
            {"waiting", queue.work.size()},
            {"stalled", stalled},
            {"running", queue.locks.size() - stalled},
            {"scheduled", queue.scheduled.size()},
            {"depends", queue.depends.size()},
            {"recurring", queue.recurring.size()},
            {"paused", in.paused.contains(name)}};
}

strings jids_in(store& in, double now, const std::string& state, const std::string& name)
{
    auto& queue = in.queues[name];
    if (state == "running")
        return queue.locks.between(now, HUGE_VAL);
    if (state == "stalled")
        return queue.locks.up_to(now);
    if (state == "depends")
        return queue.depends.all();
    if (state == "recurring")
        return queue.recurring.all();
    if (state != "scheduled")
        throw refusal{"Jobs(): Unknown type \"" + state + '"'};
    in.move_due(now, name, 500);
    return queue.scheduled.all();
}

void drop_silent_workers(store& in, double now)
{
    for (const auto& worker : in.known_workers.up_to(now - in.config.number("max-worker-age", 86400))) {
        in.held.erase(worker);
        in.known_workers.remove(worker);
    }
}

/// The jids a worker has locked, and those whose locks have ended; the latest end first.
std::pair<strings, strings> jids_of(store& in, double now, const std::string& worker)
{
    auto locked = in.held[worker].between(now, now + 8640000);
    auto stalled = in.held[worker].between(0, now);
    std::reverse(locked.begin(), locked.end());
    std::reverse(stalled.begin(), stalled.end());
    return {locked, stalled};
}

} // namespace

reply get(store& in, const arguments& given)
{
    const auto jid = given.jid(0);
    return in.find(jid) ? document(in.document(jid)) : reply{};
}

reply multiget(store& in, const arguments& given)
{
    json::array result;
    for (const auto& jid : given.from(0))
        if (in.find(jid))
            result.push_back(in.document(jid));
    return document(std::move(result));
}

reply jobs(store& in, const arguments& given)
{
    const auto state = given.text(0, R"(Jobs(): Arg "state" missing)");
    const bool complete = state == "complete";
    const auto queue = complete ? "" : given.text(1, R"(Jobs(): Arg "queue" missing)");
    const std::size_t first = complete ? 1 : 2;
    const double offset = given.number(first, 0, R"(Jobs(): Arg "offset" not a number: )");
    const double count = given.number(first + 1, 25, R"(Jobs(): Arg "count" not a number: )");
    const auto all = complete ? in.completed.descending() : jids_in(in, given.now(), state, queue);
    return {to_json(part(all, offset, count))};
}

reply failed(store& in, const arguments& given)
{
    const double start = given.number(1, 0, R"(Failed(): Arg "start" is not a number: )");
    const double limit = given.number(2, 25, R"(Failed(): Arg "limit" is not a number: )");
    if (given.size() == 0) {
        json::object result;
        for (const auto& [group, jids] : in.groups)
            result[group] = jids.size();
        return document(std::move(result));
    }
    const auto found = in.groups.find(*given.at(0));
    const auto jids = found == in.groups.end() ? strings{} : found->second;
    return document(json::object{{"total", jids.size()}, {"jobs", to_json(part(jids, start, limit))}});
}

reply queues(store& in, const arguments& given)
{
    if (given.size() != 0)
        return document(counts(in, given.now(), *given.at(0)));
    json::array result;
    for (const auto& name : in.known_queues.all())
        result.push_back(counts(in, given.now(), name));
    return document(std::move(result));
}

reply workers(store& in, const arguments& given)
{
    drop_silent_workers(in, given.now());
    if (given.size() != 0) {
        const auto [locked, stalled] = jids_of(in, given.now(), *given.at(0));
        return document(json::object{{"jobs", to_json(locked)}, {"stalled", to_json(stalled)}});
    }
    json::array result;
    for (const auto& worker : in.known_workers.descending()) {
        const auto [locked, stalled] = jids_of(in, given.now(), worker);
        result.push_back(
            json::object{{"name", worker}, {"jobs", locked.size()}, {"stalled", stalled.size()}});
    }
    return document(std::move(result));
}

reply stats(store& in, const arguments& given)
{
    const auto queue = given.queue(0);
    const double date = given.number(1, R"(Stats(): Arg "date" missing or not a number: )");
    return document(in.stats.document(date, queue));
}

reply length(store& in, const arguments& given)
{
    const auto& queue = in.queues[given.queue(0)];
    return {static_cast<std::int64_t>(queue.locks.size() + queue.work.size() + queue.scheduled.size())};
}

} // namespace coworker::test::model
