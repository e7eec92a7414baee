// SPDX-License-Identifier: MIT
#include "commands.hpp"

namespace coworker::test::model {
namespace {

void check_cancel(const store& in, const strings& jids)
{
    const std::set<std::string> named(jids.begin(), jids.end());
    for (const auto& jid : jids) {
        const auto found = in.is_waited_for.find(jid);
        if (found == in.is_waited_for.end())
            continue;
        for (const auto& other : found->second)
            if (!named.contains(other))
                throw refusal{"Cancel(): " + jid + " is a dependency of " + other +
                              " but is not mentioned to be canceled"};
    }
}

void publish_canceled(store& in, const std::string& jid, const job* what)
{
    const auto text = R"({"jid":)" + in_quotes(jid) + R"(,"queue":)" +
                      (what ? in_quotes(what->queue) : "false") + R"(,"event":"canceled","worker":)" +
                      (what ? in_quotes(what->worker) : "false") + '}';
    in.publish("log", text);
    if (what && !what->worker.empty())
        in.publish("w:" + what->worker, text);
    in.announce("canceled", jid);
}

void cancel_one(store& in, const std::string& jid)
{
    const auto* job = in.find(jid);
    if (job && job->state == "complete")
        return;
    publish_canceled(in, jid, job);
    if (!job)
        return;
    in.held[job->worker].remove(jid);
    in.queues[job->queue].remove(jid);
    const auto others = in.waits_for[jid];
    for (const auto& other : others)
        in.unlink(jid, other);
    if (job->state == "failed")
        in.no_longer_failed(*job, job->queue);
    for (const auto& tag : job->tags)
        in.remove_tag(jid, tag);
    in.jobs.erase(jid);
}

void stop_waiting(store& in, double now, job& what)
{
    in.queues[what.queue].depends.remove(what.jid);
    in.enqueue(now, what);
    what.state = "waiting";
    what.scheduled.reset();
}

void release(store& in, double now, job& what, const strings& named)
{
    const auto all = in.waits_for[what.jid];
    const bool everything = !named.empty() && named.front() == "all";
    for (const auto& other : everything ? strings(all.begin(), all.end()) : named)
        in.unlink(what.jid, other);
    if (!named.empty() && !in.waits(what.jid))
        stop_waiting(in, now, what);
}

} // namespace

reply cancel(store& in, const arguments& given)
{
    const auto jids = given.from(0);
    check_cancel(in, jids);
    for (const auto& jid : jids)
        cancel_one(in, jid);
    return {to_json(jids)};
}

reply depends(store& in, const arguments& given)
{
    const auto jid = given.jid(0);
    const auto command = given.text(1, R"(Depends(): Arg "command" missing)");
    auto* job = in.find(jid);
    if (!job || job->state != "depends")
        throw refusal{"Depends(): Job " + jid + " not in the depends state: " + (job ? job->state : "false")};
    if (command == "on")
        for (const auto& other : given.from(2))
            in.link(jid, other);
    else if (command == "off")
        release(in, given.now(), *job, given.from(2));
    else
        throw refusal{R"(Depends(): Argument "command" must be "on" or "off")"};
    return {1};
}

reply priority(store& in, const arguments& given)
{
    const auto jid = given.jid(0);
    const double number = given.number(1, R"(Priority(): Arg "priority" missing or not a number: )");
    auto* job = in.find(jid);
    if (!job)
        throw refusal{"Priority(): Job " + jid + " does not exist"};
    job->priority = number;
    if (auto& work = in.queues[job->queue].work; work.contains(jid))
        work.set(jid, number);
    return {static_cast<std::int64_t>(number)};
}

reply log(store& in, const arguments& given)
{
    const auto jid = given.text(0, "Log(): Argument 'jid' missing");
    const auto message = given.text(1, "Log(): Argument 'message' missing");
    json::value data;
    if (given.at(2)) {
        data = decode(given.at(2));
        if (!data.is_object() && !(data.is_array() && data.get_array().empty()))
            throw refusal{"Log(): Argument 'data' not a JSON object: " + *given.at(2)};
    }
    auto* job = in.find(jid);
    if (!job)
        throw refusal{"Log(): Job " + jid + " does not exist"};
    in.remember(*job, given.now(), message, data);
    return {};
}

reply unfail(store& in, const arguments& given)
{
    const auto queue = given.queue(0);
    const auto group = given.text(1, R"(Unfail(): Arg "group" missing)");
    const double count = given.number(2, 25, R"(Unfail(): Arg "count" not a number: )");
    const auto newest_first = in.groups.contains(group) ? in.groups[group] : strings{};
    const auto jids = part({newest_first.rbegin(), newest_first.rend()}, 0, count);
    for (const auto& jid : jids) {
        auto& job = in.jobs.at(jid);
        in.leave_group(group, jid);
        in.remember(job, given.now(), "put", json::object{{"q", queue}});
        job.state = "waiting";
        job.worker.clear();
        job.expires = 0;
        job.grace = false; // qless would keep it
        job.queue = queue;
        job.remaining = job.retries;
        in.enqueue(given.now(), job);
    }
    return {static_cast<std::int64_t>(jids.size())};
}

reply track(store& in, const arguments& given)
{
    if (given.size() == 0) {
        json::array known, expired;
        for (const auto& jid : in.tracked.all())
            if (in.find(jid))
                known.push_back(in.document(jid));
            else
                expired.emplace_back(jid);
        return document(json::object{{"jobs", std::move(known)}, {"expired", std::move(expired)}});
    }
    auto command = *given.at(0);
    for (auto& c : command)
        c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    const auto jid = given.text(1, R"(Track(): Arg "jid" missing)");
    if (!in.find(jid))
        throw refusal{"Track(): Job does not exist"};
    if (command != "track" && command != "untrack")
        throw refusal{"Track(): Unknown action \"" + *given.at(0) + '"'};
    in.publish(command, jid);
    const bool was = in.tracked.contains(jid);
    if (command == "track")
        in.tracked.set(jid, given.now());
    else
        in.tracked.remove(jid);
    return {was == (command == "untrack") ? "1" : "0"};
}

} // namespace coworker::test::model
