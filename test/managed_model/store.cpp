// SPDX-License-Identifier: MIT
#include "store.hpp"

#include <boost/json/serialize.hpp>

#include <algorithm>
#include <cmath>

namespace coworker::test::model {

job* store::find(const std::string& jid)
{
    const auto found = jobs.find(jid);
    return found == jobs.end() ? nullptr : &found->second;
}

json::value store::document(const std::string& jid) const
{
    const auto links = [&](const auto& of) {
        const auto found = of.find(jid);
        return found == of.end() ? json::array{} : json::array(found->second.begin(), found->second.end());
    };
    auto result = jobs.at(jid).document();
    result["tracked"] = tracked.contains(jid);
    result["dependents"] = links(is_waited_for);
    result["dependencies"] = links(waits_for);
    return result;
}

void store::publish(const std::string& channel, const std::string& text)
{
    messages.push_back("ql:" + channel + ' ' + text);
}

void store::announce(const std::string& channel, const std::string& jid)
{
    if (tracked.contains(jid))
        publish(channel, jid);
}

void store::lock_lost(const std::string& worker, const std::string& jid)
{
    const auto text =
        R"({"jid":)" + in_quotes(jid) + R"(,"event":"lock_lost","worker":)" + in_quotes(worker) + '}';
    publish("w:" + worker, text);
    publish("log", text);
}

void store::remember(job& of, double now, const std::string& what, json::value extra)
{
    of.remember(now, what, std::move(extra), config.number("max-job-history", 100));
}

void store::add_tag(double now, const std::string& jid, const std::string& tag)
{
    tagged[tag].set(jid, now);
    tag_counts.add(tag, 1);
}

void store::remove_tag(const std::string& jid, const std::string& tag)
{
    tagged[tag].remove(jid);
    tag_counts.add(tag, -1);
    if (tag_counts.score(tag).value_or(0) <= 0) // qless would keep it
        tag_counts.remove(tag);
}

void store::link(const std::string& jid, const std::string& on)
{
    const auto* other = find(on);
    if (!other || other->state == "complete")
        return;
    waits_for[jid].insert(on);
    is_waited_for[on].insert(jid);
}

void store::unlink(const std::string& jid, const std::string& on)
{
    waits_for[jid].erase(on);
    is_waited_for[on].erase(jid);
}

void store::enter_group(const std::string& group, const std::string& jid)
{
    auto& jids = groups[group];
    jids.insert(jids.begin(), jid);
}

void store::leave_group(const std::string& group, const std::string& jid)
{
    auto& jids = groups[group];
    jids.erase(std::remove(jids.begin(), jids.end(), jid), jids.end());
    if (jids.empty())
        groups.erase(group);
}

void store::no_longer_failed(const job& what, const std::string& queue)
{
    leave_group(what.failed_with->group, what.jid);
    stats.count(what.failed_with->when, queue, "failed", -1);
}

void store::exhaust(job& what, double now, const failure& with, const std::string& queue)
{
    remember(what, now, "failed", json::object{{"group", with.group}});
    what.state = "failed";
    what.worker.clear();
    what.expires.reset();
    what.crashes = 0;
    what.failed_with = with;
    enter_group(with.group, what.jid);
    announce("failed", what.jid);
    stats.count(now, queue, "failures");
    stats.count(now, queue, "failed");
}

void store::move_due(double now, const std::string& queue, double count)
{
    auto& places = queues[queue];
    for (const auto& jid : part(places.scheduled.up_to(now), 0, count)) {
        places.scheduled.remove(jid);
        jobs.at(jid).state = "waiting";
        enqueue(now, jobs.at(jid), queue);
    }
}

} // namespace coworker::test::model
