// SPDX-License-Identifier: MIT
#include "expiry.hpp"

namespace coworker::test::model {

strings expiry::run(double count)
{
    const double courtesy = in_.config.number("grace-period", 10);
    strings again;
    for (const auto& jid : part(in_.queues[queue_].locks.up_to(now_), 0, count)) {
        auto& job = in_.jobs.at(jid);
        const auto worker = job.worker;
        in_.held[worker].remove(jid);
        const bool was_told = job.grace;
        if (!was_told || courtesy <= 0) {
            lose(job, false);
            job.grace = true;
            in_.queues[queue_].locks.set(jid, now_ + courtesy);
        }
        if ((was_told || courtesy <= 0) && take_back(job, worker))
            again.push_back(jid);
    }
    return again;
}

void expiry::lose(job& what, bool was_noted)
{
    in_.announce("stalled", what.jid);
    if (!was_noted) {
        in_.remember(what, now_, "timed-out");
        in_.stats.count(now_, queue_, "retries");
    }
    in_.lock_lost(what.worker, what.jid);
}

bool expiry::take_back(job& what, const std::string& worker, bool is_own)
{
    what.grace = false;
    what.crashes += is_own ? 1 : 0;
    what.remaining -= 1;
    if (what.remaining >= 0)
        return true;
    in_.queues[queue_].remove(what.jid);
    const std::string message = "Job exhausted retries in queue \"" + queue_ + '"';
    const std::string group = "failed-retries-" + queue_;
    in_.exhaust(what, now_, {group, message, now_, ""}, queue_);
    in_.publish("log", R"({"message":)" + in_quotes(message) + R"(,"jid":)" + in_quotes(what.jid) +
                           R"(,"group":)" + in_quotes(group) + R"(,"event":"failed","worker":)" +
                           in_quotes(worker) + '}');
    return false;
}

} // namespace coworker::test::model
