// SPDX-License-Identifier: MIT
#include "commands.hpp"

#include <algorithm>
#include <cmath>

namespace coworker::test::model {
namespace {

/// One recurring job whose time has come.
class spawning
{
public:
    spawning(store& in, double now, recurring_job& parent) : in_{in}, now_{now}, parent_{parent} {}

    /// Makes at most `count` children; returns how many.
    double run(double count)
    {
        auto& turns = in_.queues[parent_.queue].recurring;
        double due = std::floor(*turns.score(parent_.jid));
        due += skipped(due) * parent_.interval;
        double made = 0;
        for (; due <= now_ && made < count; ++made) {
            make_child(due);
            due += parent_.interval;
            turns.set(parent_.jid, due);
        }
        return made;
    }

private:
    /// How many overdue turns are left out.
    double skipped(double due) const
    {
        if (parent_.backlog <= 0)
            return 0;
        const double overdue = std::floor((now_ - due) / parent_.interval) + 1;
        return std::max(0.0, overdue - parent_.backlog - 1);
    }

    void make_child(double due)
    {
        parent_.count += 1;
        const auto jid = parent_.jid + '-' + text14(parent_.count);
        if (auto* old = in_.find(jid))
            take_out(*old);
        auto& child = in_.jobs[jid];
        child.jid = jid;
        child.klass = parent_.klass;
        child.data = parent_.data;
        child.priority = parent_.priority;
        child.tags = parent_.tags;
        child.state = "waiting";
        child.worker.clear();
        child.expires = 0;
        child.queue = parent_.queue;
        child.retries = child.remaining = parent_.retries;
        child.time = due;
        child.spawned_from = parent_.jid;
        child.scheduled.reset();
        child.grace = false; // qless would keep it
        for (const auto& tag : child.tags)
            in_.add_tag(now_, jid, tag);
        in_.remember(child, due, "put", json::object{{"q", child.queue}});
        in_.enqueue(due, child);
    }

    /// Out of every place it is in; it waits for nothing any more.
    void take_out(job& old)
    {
        const auto others = in_.waits_for[old.jid];
        for (const auto& other : others)
            in_.unlink(old.jid, other);
        for (const auto& tag : old.tags)
            in_.remove_tag(old.jid, tag);
        in_.queues[old.queue].remove(old.jid);
        in_.held[old.worker].remove(old.jid);
        in_.completed.remove(old.jid);
        if (old.state == "failed")
            in_.no_longer_failed(old, old.queue); // unlike put, where it was counted
    }

    store& in_;
    double now_;
    recurring_job& parent_;
};

strings tags_option(const std::string& text)
{
    const auto list = to_list(decode(text));
    if (!list)
        throw refusal{R"(Recur(): Arg "tags" must be JSON string array: )" + text};
    return *list;
}

recurring_job check(const arguments& given)
{
    recurring_job result;
    result.queue = given.queue(0);
    result.jid = given.text(1, R"(RecurringJob On(): Arg "jid" missing)");
    result.klass = given.text(2, R"(RecurringJob On(): Arg "klass" missing)");
    const auto type = given.text(4, R"(RecurringJob On(): Arg "spec" missing)");
    result.data = *given.at(3);
    decode(result.data);
    if (type != "interval")
        throw refusal{"Recur(): schedule type \"" + type + "\" unknown"};
    result.interval = given.number(5, R"(Recur(): Arg "interval" not a number: )");
    given.number(6, R"(Recur(): Arg "offset" not a number: )");
    if (result.interval <= 0)
        throw refusal{R"(Recur(): Arg "interval" must be greater than 0)"};
    auto options = given.options(7, true);
    if (options.contains("tags"))
        result.tags = tags_option(options["tags"]);
    const auto number = [&](const std::string& name) {
        return options.contains(name)
                   ? arguments::number(options[name], "Recur(): Arg \"" + name + "\" not a number: ")
                   : 0;
    };
    result.priority = number("priority");
    result.retries = number("retries");
    result.backlog = number("backlog");
    return result;
}

recurring_job* find(store& in, const std::string& jid)
{
    const auto found = in.recurring.find(jid);
    return found == in.recurring.end() ? nullptr : &found->second;
}

} // namespace

void spawn(store& in, double now, const std::string& queue, double count)
{
    for (const auto& jid : in.queues[queue].recurring.up_to(now))
        if (count > 0)
            count -= spawning{in, now, in.recurring.at(jid)}.run(count);
}

reply recur(store& in, const arguments& given)
{
    auto what = check(given);
    if (const auto* old = find(in, what.jid)) {
        what.count = old->count;
        in.queues[old->queue].recurring.remove(what.jid);
    }
    in.queues[what.queue].recurring.set(what.jid, given.now() + *to_number(given.at(6)));
    in.make_known(given.now(), what.queue);
    in.recurring[what.jid] = what;
    return {json::string{what.jid}};
}

reply unrecur(store& in, const arguments& given)
{
    const auto jid = given.jid(0);
    if (const auto* job = find(in, jid))
        in.queues[job->queue].recurring.remove(jid);
    in.recurring.erase(jid);
    return {1};
}

reply recur_get(store& in, const arguments& given)
{
    const auto* job = find(in, given.jid(0));
    return job ? document(job->document()) : reply{};
}

reply recur_tag(store& in, const arguments& given)
{
    const auto jid = given.jid(0);
    auto* job = find(in, jid);
    if (!job)
        throw refusal{"Tag(): Job " + jid + " does not exist"};
    const auto old = job->tags;
    for (const auto& tag : given.from(1))
        if (std::find(old.begin(), old.end(), tag) == old.end())
            job->tags.push_back(tag);
    return document(to_json(job->tags));
}

reply recur_untag(store& in, const arguments& given)
{
    const auto jid = given.jid(0);
    auto* job = find(in, jid);
    if (!job)
        throw refusal{"Untag(): Job " + jid + " does not exist"};
    for (const auto& tag : given.from(1))
        std::erase(job->tags, tag);
    return document(to_json(job->tags));
}

} // namespace coworker::test::model
