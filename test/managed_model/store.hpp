// SPDX-License-Identifier: MIT
#pragma once

#include "configuration.hpp"
#include "job.hpp"
#include "statistics.hpp"

#include <set>

namespace coworker::test::model {

/// Everything a managed queue keeps, and what several commands do with it.
class store
{
public:
    std::map<std::string, job> jobs;
    std::map<std::string, recurring_job> recurring;
    std::map<std::string, queue> queues;
    std::map<std::string, sorted_set> held; ///< by worker
    sorted_set known_queues;
    sorted_set known_workers;
    std::map<std::string, sorted_set> takers; ///< workers by the queue that they take from
    std::set<std::string> paused;
    sorted_set completed;
    sorted_set tracked;
    sorted_set tag_counts;
    std::map<std::string, sorted_set> tagged;                   ///< by tag
    std::map<std::string, strings> groups;                      ///< of failed jobs, the newest first
    std::map<std::string, std::set<std::string>> waits_for;     ///< by waiting job
    std::map<std::string, std::set<std::string>> is_waited_for; ///< the same by the job it waits for
    configuration config;
    statistics stats;
    strings messages; ///< published by the current command: channel, blank, text

    job* find(const std::string& jid);
    json::value document(const std::string& jid) const;

    void publish(const std::string& channel, const std::string& text);
    /// Tells of a job, if it is tracked.
    void announce(const std::string& channel, const std::string& jid);
    void lock_lost(const std::string& worker, const std::string& jid);

    void remember(job& of, double now, const std::string& what, json::value extra = nullptr);

    void make_known(double now, const std::string& queue) { known_queues.set_new(queue, now); }
    /// To the end of its priority's line.
    void enqueue(double now, const job& what) { enqueue(now, what, what.queue); }
    void enqueue(double now, const job& what, const std::string& queue)
    {
        queues[queue].work.set(what.jid, what.priority - now / 1e10);
    }

    void add_tag(double now, const std::string& jid, const std::string& tag);
    void remove_tag(const std::string& jid, const std::string& tag);

    bool waits(const std::string& jid) const
    {
        const auto found = waits_for.find(jid);
        return found != waits_for.end() && !found->second.empty();
    }
    /// Lets a job wait for another, if that is there and not complete.
    void link(const std::string& jid, const std::string& on);
    void unlink(const std::string& jid, const std::string& on);

    void enter_group(const std::string& group, const std::string& jid);
    void leave_group(const std::string& group, const std::string& jid);
    /// Takes a failed job out of its group and of the count of failed jobs of a queue.
    void no_longer_failed(const job& what, const std::string& queue);

    /// Gives a job up that has no attempts left.
    void exhaust(job& what, double now, const failure& with, const std::string& queue);

    /// Jobs of a queue whose time has come are waiting from now on; at most `count`.
    void move_due(double now, const std::string& queue, double count);
};

/// Hashes with their values, other types with their members in order or with their scores.
using snapshot = std::map<std::string, std::map<std::string, std::string>>;

/// Everything there is, by key without prefix, in the form in which the real one is read.
snapshot take_snapshot(const store& of);

} // namespace coworker::test::model
