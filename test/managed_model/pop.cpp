#include "commands.hpp"

#include <algorithm>

namespace coworker::test::model {
namespace {

/// What happens to locks that have ended.
class expiry
{
public:
    expiry(store& in, double now, std::string queue) : in_{in}, now_{now}, queue_{std::move(queue)} {}

    /// Returns the jobs to be handed out again; looks at `count` locks.
    strings run(double count)
    {
        const double courtesy = in_.config.number("grace-period", 10);
        strings again;
        for (const auto& jid : part(in_.queues[queue_].locks.up_to(now_), 0, count)) {
            auto& job = in_.jobs.at(jid);
            const auto worker = job.worker;
            in_.held[worker].remove(jid);
            const bool was_told = job.grace;
            if (!was_told || courtesy <= 0)
                tell(job, courtesy);
            if ((was_told || courtesy <= 0) && take_back(job, worker))
                again.push_back(jid);
        }
        return again;
    }

private:
    void tell(job& of, double courtesy)
    {
        in_.announce("stalled", of.jid);
        in_.remember(of, now_, "timed-out");
        of.grace = true;
        in_.lock_lost(of.worker, of.jid);
        in_.queues[queue_].locks.set(of.jid, now_ + courtesy);
        in_.stats.count(now_, queue_, "retries");
    }

    bool take_back(job& from, const std::string& worker)
    {
        from.grace = false;
        from.remaining -= 1;
        if (from.remaining >= 0)
            return true;
        in_.queues[queue_].remove(from.jid);
        const std::string message = "Job exhausted retries in queue \"" + queue_ + '"';
        const std::string group = "failed-retries-" + queue_;
        in_.exhaust(from, now_, {group, message, now_, ""}, queue_);
        in_.publish("log", R"({"message":)" + quoted(message) + R"(,"jid":)" + quoted(from.jid) +
                               R"(,"group":)" + quoted(group) + R"(,"event":"failed","worker":)" +
                               quoted(worker) + '}');
        return false;
    }

    store& in_;
    double now_;
    std::string queue_;
};

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
    in.remember(job, now, "popped", json::object{{"worker", worker}});
    in.stats.waited(now, queue, now - job.time);
    if (!job.worker.empty())
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

strings take(store& in, const arguments& given, double most)
{
    const auto queue = given.queue(0);
    const auto worker = given.text(1, R"(Pop(): Arg "worker" missing)");
    double count = given.number(2, R"(Pop(): Arg "count" missing or not a number: )");
    const double now = given.now();
    if (in.paused.contains(queue))
        return {};
    in.known_workers.set(worker, now);
    count = std::clamp(std::trunc(count), 0.0, most);
    const double limit = in.config.number(queue + "-max-concurrency", 0);
    if (limit > 0)
        count = std::min(count, std::max(0.0, limit - static_cast<double>(in.queues[queue].running(now))));
    auto jids = expiry{in, now, queue}.run(count);
    make_work(in, now, queue, missing(count, jids));
    // A job whose id has been spawned anew is not locked any more, but waits.
    std::erase_if(jids, [&](const auto& jid) { return !in.queues[queue].locks.contains(jid); });
    add_work(in, queue, count, jids);
    for (const auto& jid : jids)
        hand_out(in, now, queue, worker, jid);
    return jids;
}

json::array documents(const store& in, const strings& jids)
{
    json::array result;
    for (const auto& jid : jids)
        result.push_back(in.document(jid));
    return result;
}

} // namespace

reply pop(store& in, const arguments& given)
{
    const auto jids = take(in, given, 1e15);
    return document(documents(in, jids));
}

reply pop_flat(store& in, const arguments& given)
{
    json::array result;
    for (const auto& jid : take(in, given, 500))
        for (const auto& text : in.jobs.at(jid).flat())
            result.emplace_back(text);
    return {std::move(result)};
}

reply peek(store& in, const arguments& given)
{
    const auto queue = given.queue(0);
    const double count =
        std::max(0.0, std::trunc(given.number(1, R"(Peek(): Arg "count" missing or not a number: )")));
    auto jids = part(in.queues[queue].locks.up_to(given.now()), 0, count);
    make_work(in, given.now(), queue, missing(count, jids));
    add_work(in, queue, count, jids);
    return document(documents(in, jids));
}

} // namespace coworker::test::model
