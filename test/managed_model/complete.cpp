// SPDX-License-Identifier: MIT
#include "commands.hpp"

namespace coworker::test::model {
namespace {

struct completion
{
    std::string jid;
    std::string worker;
    std::string queue;
    std::string data;
    optional_text next;
    double delay = 0;
    strings depends;
};

void check_options(const arguments& given, completion& result)
{
    const auto options = given.options(4, false);
    if (options.contains("delay")) {
        const auto delay = to_number(options.at("delay"));
        if (!delay)
            throw refusal{"assertion failed!"};
        result.delay = *delay;
    }
    if (options.contains("depends")) {
        const auto list = to_list(decode(options.at("depends")));
        if (!list)
            throw refusal{R"(Complete(): Arg "depends" not JSON: )" + options.at("depends")};
        result.depends = *list;
    }
    if (options.contains("next"))
        result.next = options.at("next");
    for (const char* option : {"delay", "depends"})
        if (!result.next && options.contains(option))
            throw refusal{"Complete(): \"" + std::string{option} + "\" cannot be used without a \"next\"."};
}

completion check_completion(store& in, const arguments& given)
{
    completion result;
    result.jid = given.jid(0);
    result.worker = given.text(1, R"(Complete(): Arg "worker" missing)");
    result.queue = given.text(2, R"(Complete(): Arg "queue" missing)");
    decode(given.at(3));
    result.data = *given.at(3);
    check_options(given, result);
    const auto* job = in.find(result.jid);
    const auto who = "Complete(): Job " + result.jid;
    if (!job)
        throw refusal{who + " does not exist"};
    if (job->state != "running")
        throw refusal{who + " is not currently running: " + job->state};
    if (job->worker != result.worker)
        throw refusal{who + " has been handed out to another worker: " + job->worker};
    if (job->queue != result.queue)
        throw refusal{who + " running in another queue: " + job->queue};
    return result;
}

/// To the next queue.
std::string advance(store& in, double now, const completion& what, job& job)
{
    in.publish("log", R"({"jid":)" + in_quotes(what.jid) + R"(,"to":)" + in_quotes(*what.next) +
                          R"(,"event":"advanced","queue":)" + in_quotes(what.queue) + '}');
    in.remember(job, now, "put", json::object{{"q", *what.next}});
    in.make_known(now, *what.next);
    job.queue = *what.next;
    job.grace = false; // qless would keep it
    for (const auto& other : what.depends)
        in.link(what.jid, other);
    auto& next = in.queues[*what.next];
    if (in.waits(what.jid)) {
        next.depends.set(what.jid, now);
        job.scheduled.reset();
        if (what.delay > 0)
            job.scheduled = now + what.delay;
        return "depends";
    }
    if (what.delay > 0) {
        next.scheduled.set(what.jid, now + what.delay);
        return "scheduled";
    }
    in.enqueue(now, job);
    return "waiting";
}

void forget(store& in, const std::string& jid)
{
    for (const auto& tag : in.jobs.at(jid).tags)
        in.remove_tag(jid, tag);
    in.jobs.erase(jid);
    in.completed.remove(jid);
}

/// Lets the job's dependents go on.
void unlock(store& in, double now, const std::string& jid)
{
    const auto dependents = in.is_waited_for[jid];
    for (const auto& other : dependents) {
        in.unlink(other, jid);
        auto* job = in.find(other);
        if (!job || in.waits(other))
            continue;
        in.queues[job->queue].depends.remove(other);
        if (job->scheduled) {
            in.queues[job->queue].scheduled.set(other, *job->scheduled);
            job->scheduled.reset();
            job->state = "scheduled";
        } else {
            in.enqueue(now, *job);
            job->state = "waiting";
        }
    }
}

std::string finish(store& in, double now, const completion& what, job& job)
{
    in.publish("log", R"({"jid":)" + in_quotes(what.jid) + R"(,"event":"completed","queue":)" +
                          in_quotes(what.queue) + '}');
    job.queue.clear();
    in.completed.set(what.jid, now);
    unlock(in, now, what.jid);
    return "complete";
}

} // namespace

void forget_completed(store& in, double now)
{
    for (const auto& jid : in.completed.up_to(now - in.config.number("jobs-history", 604800)))
        forget(in, jid);
    auto oldest = in.completed.all();
    const double count = in.config.number("jobs-history-count", 50000);
    const double surplus = static_cast<double>(oldest.size()) - std::max(count, 0.0);
    for (const auto& jid : part(oldest, 0, surplus))
        forget(in, jid);
}

std::string complete_one(store& in, const arguments& given)
{
    const auto what = check_completion(in, given);
    const double now = given.now();
    auto& job = in.jobs.at(what.jid);
    in.remember(job, now, "done");
    in.queues[job.queue].remove(what.jid);
    in.stats.ran(now, job.queue, now - job.time);
    in.held[what.worker].remove(what.jid);
    job.data = what.data;
    job.time = now;
    job.worker.clear();
    job.failed_with.reset();
    job.has_empty_failure = true;
    job.expires = 0;
    job.remaining = job.retries;
    in.announce("completed", what.jid);
    job.state = what.next ? advance(in, now, what, job) : finish(in, now, what, job);
    return job.state;
}

reply complete(store& in, const arguments& given)
{
    const auto state = complete_one(in, given);
    if (state == "complete")
        forget_completed(in, given.now());
    return {json::string{state}};
}

} // namespace coworker::test::model
