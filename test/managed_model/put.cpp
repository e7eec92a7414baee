// SPDX-License-Identifier: MIT
#include "commands.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace coworker::test::model {
namespace {

/// What is to be put, after all checks.
struct put_order
{
    std::string worker;
    std::string queue;
    std::string jid;
    std::string klass;
    std::string data;
    double delay = 0;
    double retries = 5;
    double priority = 0;
    strings tags;
    strings depends;
};

strings list_option(const std::map<std::string, std::string>& options, const std::string& name,
                    const std::string& complaint)
{
    const auto list = to_list(decode(options.at(name)));
    if (!list)
        throw refusal{complaint + options.at(name)};
    return *list;
}

put_order check_put(store& in, const arguments& given)
{
    put_order result;
    result.queue = given.queue(1);
    result.worker = *given.at(0);
    result.jid = given.text(2, R"(Put(): Arg "jid" missing)");
    result.klass = given.text(3, R"(Put(): Arg "klass" missing)");
    decode(given.at(4));
    result.data = *given.at(4);
    result.delay = given.number(5, R"(Put(): Arg "delay" not a number: )");
    const auto options = given.options(6, true);
    if (const auto* old = in.find(result.jid)) {
        result.retries = old->retries;
        result.priority = old->priority;
        result.tags = old->tags;
    }
    if (options.contains("retries"))
        result.retries = arguments::number(options.at("retries"), R"(Put(): Arg "retries" not a number: )");
    if (options.contains("tags"))
        result.tags = list_option(options, "tags", R"(Put(): Arg "tags" not JSON)");
    if (options.contains("priority"))
        result.priority = arguments::number(options.at("priority"), R"(Put(): Arg "priority" not a number)");
    if (options.contains("depends"))
        result.depends = list_option(options, "depends", R"(Put(): Arg "depends" not JSON: )");
    return result;
}

/// The old dependencies count on, unless new ones are named.
void drop_old_dependencies(store& in, const put_order& what)
{
    if (what.depends.empty())
        return;
    const std::set<std::string> named(what.depends.begin(), what.depends.end());
    const auto old = in.waits_for[what.jid];
    for (const auto& other : old)
        if (!named.contains(other))
            in.unlink(what.jid, other);
}

/// Takes the job out of every place it is in.
void take_out(store& in, const put_order& what, job& old)
{
    in.queues[old.queue].remove(what.jid);
    in.held[old.worker].remove(what.jid);
    if (!old.worker.empty() && old.worker != what.worker)
        in.lock_lost(old.worker, what.jid);
    in.completed.remove(what.jid);
    if (old.state == "failed")
        in.no_longer_failed(old, what.queue);
}

void write(store& in, double now, const put_order& what, double before)
{
    auto& job = in.jobs[what.jid];
    job.jid = what.jid;
    job.klass = what.klass;
    job.data = what.data;
    job.priority = what.priority;
    job.tags = what.tags;
    job.worker.clear();
    job.expires = 0;
    job.queue = what.queue;
    job.retries = job.remaining = what.retries;
    job.time = before == 0 ? now : now - before / 1e6;
    job.state = "waiting";
    job.scheduled.reset();
    job.grace = false; // qless would keep it
    job.crashes = 0;
}

/// The end of the line, or a place for each of those that follow in the same call before it.
double work_score(double now, const put_order& what, double before)
{
    const double last = what.priority - now / 1e10;
    int exponent = 0;
    (void)std::frexp(last, &exponent);
    return before == 0 ? last : last + before * std::max(1e-16, std::ldexp(1.0, exponent - 53));
}

void place(store& in, double now, const put_order& what, double before)
{
    auto& job = in.jobs[what.jid];
    auto& queue = in.queues[what.queue];
    if (in.waits(what.jid)) {
        job.state = "depends";
        queue.depends.set(what.jid, now);
        if (what.delay > 0)
            job.scheduled = now + what.delay;
    } else if (what.delay > 0) {
        job.state = "scheduled";
        queue.scheduled.set(what.jid, now + what.delay);
    } else {
        queue.work.set(what.jid, work_score(now, what, before));
    }
}

} // namespace

reply put_before(store& in, const arguments& given, double before)
{
    const auto what = check_put(in, given);
    const double now = given.now();
    auto* old = in.find(what.jid);
    if (old)
        for (const auto& tag : old->tags)
            in.remove_tag(what.jid, tag);
    drop_old_dependencies(in, what);
    in.publish("log", R"({"jid":)" + in_quotes(what.jid) + R"(,"event":"put","queue":)" +
                          in_quotes(what.queue) + '}');
    if (old)
        take_out(in, what, *old);
    write(in, now, what, before);
    auto& job = in.jobs[what.jid];
    in.remember(job, job.time, "put", json::object{{"q", what.queue}});
    for (const auto& tag : what.tags)
        in.add_tag(now, what.jid, tag);
    for (const auto& other : what.depends)
        in.link(what.jid, other);
    place(in, now, what, before);
    in.make_known(now, what.queue);
    in.announce("put", what.jid);
    return {json::string{what.jid}};
}

reply put(store& in, const arguments& given)
{
    return put_before(in, given, 0);
}

reply requeue(store& in, const arguments& given)
{
    const auto jid = given.jid(2);
    if (!in.find(jid))
        throw refusal{"Requeue(): Job " + jid + " does not exist"};
    return put(in, given);
}

} // namespace coworker::test::model
