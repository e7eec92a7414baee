// SPDX-License-Identifier: MIT
#include "commands.hpp"
#include "expiry.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>

namespace coworker::test::model {
namespace {

/// Back to the front of the queue, with no attempt counted.
void release(store& in, double now, job& what)
{
    in.remember(what, now, "timed-out");
    in.queues[what.queue].locks.remove(what.jid);
    in.queues[what.queue].work.set(what.jid, HUGE_VAL);
    in.held[what.worker].remove(what.jid);
    what.state = "stalled";
    what.expires = 0;
    what.grace = false;
    in.publish("log", R"({"jid":)" + in_quotes(what.jid) + R"(,"event":"lock_lost","worker":)" +
                          in_quotes(what.worker) + '}');
}

/// While it lives, locks are those of coworker's own workers.
class locks_for_workers
{
public:
    explicit locks_for_workers(store& in) : in_{in} { in_.config.lock_for_workers(true); }
    ~locks_for_workers() { in_.config.lock_for_workers(false); }
    locks_for_workers(const locks_for_workers&) = delete;
    locks_for_workers& operator=(const locks_for_workers&) = delete;

private:
    store& in_;
};

/// One of the groups of ack_and_fetch.
class settlement
{
public:
    settlement(store& in, double now, std::string queue, std::string worker)
        : in_{in}, now_{now}, queue_{std::move(queue)}, worker_{std::move(worker)}
    {}

    /// Whether old completed jobs may have to go now.
    bool has_completed() const noexcept { return has_completed_; }

    void settle(const strings& group)
    {
        const auto verb = group.empty() ? "nil" : group.front();
        const strings rest(group.empty() ? group.end() : group.begin() + 1, group.end());
        if (verb == "complete")
            has_completed_ |= complete_one(in_, with(rest, 1, {worker_, queue_})) == "complete";
        else if (verb == "fail")
            same_queue("Fail", " running", rest, [&] { fail(in_, with(first(rest, 3), 1, {worker_})); });
        else if (verb == "retry")
            same_queue("Retry", " is running", rest, [&] {
                retry(in_, with(first(rest, 4), 1, {queue_, worker_}));
            });
        else if (verb == "release")
            take_back(rest);
        else
            throw refusal{"AckAndFetch(): Unknown verb \"" + verb + '"'};
    }

private:
    static strings first(strings words, std::size_t count)
    {
        words.resize(std::min(count, words.size()));
        return words;
    }

    arguments with(strings words, std::size_t place, const strings& more) const
    {
        if (words.size() >= place)
            words.insert(words.begin() + static_cast<std::ptrdiff_t>(place), more.begin(), more.end());
        return arguments{now_, std::move(words)};
    }

    /// Refuses a job of another queue, but only after everything else that is wrong.
    template<class Act>
    void same_queue(const std::string& command, const std::string& words, const strings& rest, Act act)
    {
        const auto* job = rest.empty() ? nullptr : in_.find(rest.front());
        if (job && job->state == "running" && job->worker == worker_ && job->queue != queue_ &&
            is_complete(command, rest))
            throw refusal{command + "(): Job " + job->jid + words + " in another queue: " + job->queue};
        act();
    }

    static bool is_complete(const std::string& command, const strings& rest)
    {
        return command == "Fail" ? rest.size() >= 3 : rest.size() < 2 || to_number(rest[1]).has_value();
    }

    void take_back(const strings& rest)
    {
        const auto jid = arguments{now_, rest}.jid(0);
        auto* job = in_.find(jid);
        const auto who = "Release(): Job " + jid;
        if (!job)
            throw refusal{who + " does not exist"};
        if (job->state != "running")
            throw refusal{who + " not currently running: " + job->state};
        if (job->worker != worker_)
            throw refusal{who + " given out to another worker: " + job->worker};
        if (job->queue != queue_)
            throw refusal{who + " running in another queue: " + job->queue};
        if (rest.size() > 1) // waits are in none of the histories that are made up
            throw refusal{who + " cannot wait: Unknown kind of wait \"" + rest[1] + '"'};
        release(in_, now_, *job);
    }

    store& in_;
    double now_;
    std::string queue_;
    std::string worker_;
    bool has_completed_ = false;
};

} // namespace

std::vector<strings> groups_of(const strings& words)
{
    std::vector<strings> result;
    for (std::size_t i = 0; i < words.size();) {
        const auto size = to_number(words[i]);
        const auto left = static_cast<double>(words.size() - i - 1);
        if (!size || *size < 0 || *size != std::floor(*size) || *size > left)
            throw refusal{"Batch(): the counts do not fit the arguments"};
        const auto begin = words.begin() + static_cast<std::ptrdiff_t>(i) + 1;
        result.emplace_back(begin, begin + static_cast<std::ptrdiff_t>(*size));
        i += 1 + result.back().size();
    }
    return result;
}

reply ack_and_fetch(store& in, const arguments& given)
{
    const auto queue = given.queue(0);
    const auto worker = given.text(1, R"(AckAndFetch(): Arg "worker" missing)");
    const double count = given.number(2, R"(AckAndFetch(): Arg "count" missing or not a number: )");
    const auto groups = groups_of(given.from(3));
    const locks_for_workers lasting{in};
    json::array refused, reasons, jobs, crashes;
    settlement settles{in, given.now(), queue, worker};
    for (std::size_t i = 0; i != groups.size(); ++i)
        try {
            settles.settle(groups[i]);
        } catch (const refusal& why) {
            refused.push_back(i + 1);
            reasons.emplace_back(why.what());
        }
    if (settles.has_completed())
        forget_completed(in, given.now());
    if (const double wanted = std::clamp(std::trunc(count), 0.0, 500.0); wanted > 0) {
        const auto jids = take(in, given.now(), queue, worker, wanted);
        jobs = flat(in, jids);
        for (std::size_t i = 0; i != jids.size(); ++i)
            if (const auto& job = in.jobs.at(jids[i]); job.was_lost && job.crashes != 0) {
                crashes.push_back(i + 1);
                crashes.emplace_back(std::to_string(job.crashes));
            }
    }
    const bool taken = !jobs.empty();
    json::array answer{std::move(refused), std::move(reasons), text17(in.config.heartbeat(queue)),
                       in.paused.contains(queue) ? 1 : 0, std::move(jobs)};
    if (taken)
        answer.emplace_back(text_of_time(given.now()));
    if (!crashes.empty()) { // behind options, failed effects and jobs set aside, of which there are none
        answer.insert(answer.end(), {json::array{}, json::array{}, json::array{}});
        answer.push_back(std::move(crashes));
    }
    return {std::move(answer)};
}

reply renew(store& in, const arguments& given)
{
    const auto queue = given.queue(0);
    const auto worker = given.text(1, R"(Heatbeat(): Arg "worker" missing)");
    const locks_for_workers lasting{in};
    std::array<char, 64> text{};
    const double lasts = given.now() + in.config.heartbeat(queue) - given.now();
    (void)std::snprintf(text.data(), text.size(), "%.3f", lasts);
    json::array result{text.data()};
    for (std::size_t i = 2; i < given.size(); ++i)
        try {
            const auto* job = in.find(*given.at(i));
            if (!job || job->queue != queue)
                throw refusal{"another run"};
            heartbeat(in, arguments{given.now(), {*given.at(i), worker}});
        } catch (const refusal&) {
            result.push_back(i - 1);
        }
    return {std::move(result)};
}

reply reconcile(store& in, const arguments& given)
{
    const auto queue = given.queue(0);
    const auto worker = given.text(1, R"(Reconcile(): Arg "worker" missing)");
    const auto words = given.from(2);
    std::map<std::string, std::string> known; // with the times they were taken
    for (std::size_t i = 0; i + 1 < words.size(); i += 2)
        known[words[i]] = words[i + 1];
    int count = 0;
    for (const auto& jid : in.held[worker].all()) {
        auto* job = in.find(jid);
        if (!job || job->state != "running" || job->worker != worker || job->queue != queue)
            continue;
        const auto found = known.find(jid);
        if (found != known.end() && (found->second.empty() || found->second == text_of_time(job->time)))
            continue;
        release(in, given.now(), *job);
        ++count;
    }
    return {json::array{count, 0}};
}

reply recover(store& in, const arguments& given)
{
    int returned = 0, failed = 0;
    const auto looked_at = given.number(0, 0, R"(Recover(): Arg "looked_at" missing or not a number: )");
    for (const auto& worker : given.from(1)) {
        if (const auto seen = in.known_workers.score(worker);
            seen && *seen * 1000 >= looked_at && *seen <= given.now())
            continue;
        for (const auto& jid : in.held[worker].all()) {
            auto* job = in.find(jid);
            if (!job || job->state != "running" || job->worker != worker)
                continue;
            expiry ends{in, given.now(), job->queue};
            ends.lose(*job, job->grace);
            if (!ends.take_back(*job, worker, true)) {
                ++failed;
                continue;
            }
            ++returned;
            in.queues[job->queue].locks.remove(jid);
            in.queues[job->queue].work.set(jid, HUGE_VAL);
            job->state = "stalled";
            job->expires = 0;
        }
        in.held.erase(worker);
        in.known_workers.remove(worker);
    }
    return {json::array{returned, failed, 0}};
}

reply sign_in(store& in, const arguments& given)
{
    const auto worker = given.text(0, R"(SignIn(): Arg "worker" missing)");
    if (const auto queue = given.at(1)) {
        auto& takers = in.takers[std::string{*queue}];
        takers.set(worker, given.now());
        for (const auto& gone : takers.up_to(given.now() - 86400))
            takers.remove(gone);
    }
    const bool is_new = !in.known_workers.contains(worker);
    in.known_workers.set(worker, given.now());
    return {is_new ? 1 : 0};
}

reply sign_off(store& in, const arguments& given)
{
    const auto worker = given.text(0, R"(SignOff(): Arg "worker" missing)");
    if (!in.held[worker].empty())
        return {0};
    return {in.known_workers.remove(worker) ? 1 : 0};
}

} // namespace coworker::test::model
