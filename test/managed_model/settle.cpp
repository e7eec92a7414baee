// SPDX-License-Identifier: MIT
#include "commands.hpp"

#include <cmath>
#include <set>

namespace coworker::test::model {
namespace {

/// The running job of a worker; the complaints come in the order of the protocol.
struct complaints
{
    std::string absent;      ///< after the jid
    std::string not_running; ///< after the jid, before the state
    std::string other;       ///< after the jid, before the worker
};

job& held_job(store& in, const std::string& command, const std::string& jid, const std::string& worker,
              const complaints& words)
{
    auto* found = in.find(jid);
    const auto who = command + "(): Job " + jid;
    if (!found)
        throw refusal{who + words.absent};
    if (found->state != "running")
        throw refusal{who + words.not_running + found->state};
    if (found->worker != worker)
        throw refusal{who + words.other + found->worker};
    return *found;
}

} // namespace

reply fail(store& in, const arguments& given)
{
    const auto jid = given.jid(0);
    const auto worker = given.text(1, R"(Fail(): Arg "worker" missing)");
    const auto group = given.text(2, R"(Fail(): Arg "group" missing)");
    const auto message = given.text(3, R"(Fail(): Arg "message" missing)");
    if (given.at(4))
        decode(given.at(4));
    auto& job = held_job(in, "Fail", jid, worker,
                         {"does not exist", "not currently running: ", " running with another worker: "});
    const double now = given.now();
    in.publish("log", R"({"message":)" + in_quotes(message) + R"(,"jid":)" + in_quotes(jid) + R"(,"group":)" +
                          in_quotes(group) + R"(,"event":"failed","worker":)" + in_quotes(worker) + '}');
    in.announce("failed", jid);
    in.held[worker].remove(jid);
    in.remember(job, now, "failed", json::object{{"group", group}, {"worker", worker}});
    in.stats.count(now, job.queue, "failures");
    in.stats.count(now, job.queue, "failed");
    in.queues[job.queue].remove(jid);
    job.data = given.at(4).value_or(job.data);
    job.state = "failed";
    job.worker.clear();
    job.expires.reset();
    job.crashes = 0;
    job.failed_with = failure{group, message, std::floor(now), worker};
    in.enter_group(group, jid);
    return {json::string{jid}};
}

reply retry(store& in, const arguments& given)
{
    const auto jid = given.jid(0);
    const auto queue = given.text(1, R"(Retry(): Arg "queue" missing)");
    const auto worker = given.text(2, R"(Retry(): Arg "worker" missing)");
    const double delay = given.number(3, 0, R"(Retry(): Arg "delay" not a number: )");
    const auto group = given.at(4), message = given.at(5);
    auto& job =
        held_job(in, "Retry", jid, worker,
                 {" does not exist", " is not currently running: ", " has been given to another worker: "});
    const double now = given.now();
    const auto old_queue = job.queue;
    in.queues[old_queue].locks.remove(jid);
    in.held[worker].remove(jid);
    job.remaining -= 1;
    job.grace = false;
    job.queue = queue;
    if (group && message)
        job.failed_with = failure{*group, *message, std::floor(now), worker};
    if (job.remaining < 0) {
        auto with = failure{group.value_or("failed-retries-" + queue),
                            "Job exhausted retries in queue \"" + old_queue + '"', now, ""};
        in.exhaust(job, now, message ? *job.failed_with : with, queue);
        return {-1};
    }
    in.stats.retried(now, queue);
    job.state = delay > 0 ? "scheduled" : "waiting";
    if (delay > 0)
        in.queues[queue].scheduled.set(jid, now + delay);
    else
        in.enqueue(now, job);
    return {static_cast<std::int64_t>(job.remaining)};
}

reply heartbeat(store& in, const arguments& given)
{
    const auto jid = given.jid(0);
    const auto worker = given.text(1, R"(Heatbeat(): Arg "worker" missing)");
    if (given.at(2))
        decode(given.at(2));
    auto& job = held_job(in, "Heartbeat", jid, worker,
                         {" does not exist", " not currently running: ", " given out to another worker: "});
    if (worker.empty()) // qless: nobody's job cannot be prolonged
        throw refusal{"Heartbeat(): Job " + jid + " given out to another worker: "};
    const double expires = given.now() + in.config.heartbeat(job.queue);
    job.data = given.at(2).value_or(job.data);
    job.expires = expires;
    in.held[worker].set(jid, expires);
    in.known_workers.set(worker, given.now());
    in.queues[job.queue].locks.set(jid, expires);
    return {static_cast<std::int64_t>(expires)};
}

reply timeout(store& in, const arguments& given)
{
    std::set<std::string> named;
    for (const auto& jid : given.from(0)) {
        const auto* job = in.find(jid);
        if (!job)
            throw refusal{"Timeout(): Job " + jid + " does not exist"};
        if (job->state != "running" || !named.insert(jid).second) // twice would be once too often
            throw refusal{"Timeout(): Job " + jid + " not running"};
    }
    for (const auto& jid : given.from(0)) {
        auto& job = in.jobs.at(jid);
        in.remember(job, given.now(), "timed-out");
        in.queues[job.queue].locks.remove(jid);
        in.queues[job.queue].work.set(jid, HUGE_VAL);
        job.state = "stalled";
        job.grace = false; // qless would keep it
        job.expires = 0;
        in.lock_lost(job.worker, jid);
    }
    return {};
}

} // namespace coworker::test::model
