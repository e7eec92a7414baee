// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "expiry.hpp"

#include <algorithm>

namespace coworker::test::model {
namespace {

double missing(double count, const strings& found)
{
    return count - static_cast<double>(found.size());
}

/// Work that is due joins the rest; at most `count` jobs in each way.
void make_work(store& in, double now, const std::string& queue, double count)
{
    spawn(in, now, queue, count);
    in.move_due(now, queue, count);
}

void add_work(store& in, const std::string& queue, double count, strings& to)
{
    const auto more = part(in.queues[queue].work.descending(), 0, missing(count, to));
    to.insert(to.end(), more.begin(), more.end());
}

void hand_out(store& in, double now, const std::string& queue, const std::string& worker,
              const std::string& jid)
{
    auto& job = in.jobs.at(jid);
    const double expires = now + in.config.heartbeat(queue);
    job.was_lost = job.state == "running" || job.state == "stalled";
    in.remember(job, now, "popped", json::object{{"worker", worker}});
    in.stats.waited(now, queue, now - job.time);
    if (!job.worker.empty() || job.state == "stalled") // there may be a worker without a name
        in.held[job.worker].remove(jid);
    job.time = now;
    job.worker = worker;
    job.expires = expires;
    job.state = "running";
    in.held[worker].set(jid, expires);
    in.queues[queue].work.remove(jid);
    in.queues[queue].locks.set(jid, expires);
    in.announce("popped", jid);
}

json::array documents(const store& in, const strings& jids)
{
    json::array result;
    for (const auto& jid : jids)
        result.push_back(in.document(jid));
    return result;
}

/// A job whose id has been spawned anew is not locked any more, but waits.
void drop_respawned(store& in, const std::string& queue, strings& jids)
{
    std::erase_if(jids, [&](const auto& jid) { return !in.queues[queue].locks.contains(jid); });
}

} // namespace

reply pop(store& in, const arguments& given)
{
    const auto queue = given.queue(0);
    const auto worker = given.text(1, R"(Pop(): Arg "worker" missing)");
    const double count = given.number(2, R"(Pop(): Arg "count" missing or not a number: )");
    const auto jids = take(in, given.now(), queue, worker, std::clamp(std::trunc(count), 0.0, 1e15));
    return document(documents(in, jids));
}

strings take(store& in, double now, const std::string& queue, const std::string& worker, double count)
{
    if (in.paused.contains(queue))
        return {};
    in.known_workers.set(worker, now);
    const double limit = in.config.number(queue + "-max-concurrency", 0);
    if (limit > 0)
        count = std::min(count, std::max(0.0, limit - static_cast<double>(in.queues[queue].running(now))));
    auto jids = expiry{in, now, queue}.run(count);
    if (limit > 0) // those in their courtesy period run still
        count = std::min(count, std::max(0.0, limit - static_cast<double>(in.queues[queue].held(now))));
    make_work(in, now, queue, missing(count, jids));
    drop_respawned(in, queue, jids);
    add_work(in, queue, count, jids);
    for (const auto& jid : jids)
        hand_out(in, now, queue, worker, jid);
    return jids;
}

json::array flat(const store& in, const strings& jids)
{
    json::array result;
    for (const auto& jid : jids)
        for (const auto& text : in.jobs.at(jid).flat())
            result.emplace_back(text);
    return result;
}

reply peek(store& in, const arguments& given)
{
    const auto queue = given.queue(0);
    const double count =
        std::max(0.0, std::trunc(given.number(1, R"(Peek(): Arg "count" missing or not a number: )")));
    auto jids = part(in.queues[queue].locks.up_to(given.now()), 0, count);
    make_work(in, given.now(), queue, missing(count, jids));
    drop_respawned(in, queue, jids);
    add_work(in, queue, count, jids);
    return document(documents(in, jids));
}

} // namespace coworker::test::model
