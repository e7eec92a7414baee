// SPDX-License-Identifier: MIT
#include "store.hpp"

#include <boost/json/serialize.hpp>

namespace coworker::test::model {
namespace {

using content = std::map<std::string, std::string>;

class collector
{
public:
    void add(const std::string& key, const sorted_set& members)
    {
        content scores;
        for (const auto& [score, member] : members.entries())
            scores[member] = text17(score);
        add(key, std::move(scores));
    }

    void add(const std::string& key, const std::set<std::string>& members)
    {
        content all;
        for (const auto& member : members)
            all[member];
        add(key, std::move(all));
    }

    void add(const std::string& key, const strings& items)
    {
        content all;
        for (std::size_t i = 0; i != items.size(); ++i)
            all[std::to_string(i)] = canonical(items[i]);
        add(key, std::move(all));
    }

    /// Nothing is not kept.
    void add(const std::string& key, content what)
    {
        for (auto& [field, text] : what)
            if (field == "failure" || field == "tags")
                text = canonical(text);
        if (!what.empty())
            result_[key] = std::move(what);
    }

    snapshot result() && { return std::move(result_); }

private:
    snapshot result_;
};

strings history_texts(const job& of)
{
    strings result;
    for (const auto& entry : of.history) {
        json::array parts{entry.when, entry.what};
        if (!entry.extra.is_null())
            parts.push_back(entry.extra);
        result.push_back(json::serialize(parts));
    }
    return result;
}

void add_jobs(collector& to, const store& of)
{
    for (const auto& [jid, job] : of.jobs) {
        to.add("j:" + jid, job.fields());
        to.add("j:" + jid + "-history", history_texts(job));
    }
    for (const auto& [jid, others] : of.waits_for)
        to.add("j:" + jid + "-dependencies", others);
    for (const auto& [jid, others] : of.is_waited_for)
        to.add("j:" + jid + "-dependents", others);
    for (const auto& [jid, job] : of.recurring)
        to.add("r:" + jid, job.fields());
}

void add_queues(collector& to, const store& of)
{
    for (const auto& [name, queue] : of.queues) {
        to.add("q:" + name + "-work", queue.work);
        to.add("q:" + name + "-locks", queue.locks);
        to.add("q:" + name + "-scheduled", queue.scheduled);
        to.add("q:" + name + "-depends", queue.depends);
        to.add("q:" + name + "-recur", queue.recurring);
    }
}

void add_groups(collector& to, const store& of)
{
    std::set<std::string> names;
    for (const auto& [group, jids] : of.groups) {
        to.add("f:" + group, jids);
        if (!jids.empty())
            names.insert(group);
    }
    to.add("failures", names);
}

} // namespace

snapshot take_snapshot(const store& of)
{
    collector result;
    add_jobs(result, of);
    add_queues(result, of);
    add_groups(result, of);
    for (const auto& [worker, jids] : of.held)
        result.add("w:" + worker + ":jobs", jids);
    for (const auto& [queue, workers] : of.takers)
        result.add("coworker:workers:" + queue, workers);
    for (const auto& [tag, jids] : of.tagged)
        result.add("t:" + tag, jids);
    for (auto& [key, fields] : of.stats.hashes())
        result.add(key, fields);
    result.add("queues", of.known_queues);
    result.add("workers", of.known_workers);
    result.add("paused_queues", of.paused);
    result.add("completed", of.completed);
    result.add("tracked", of.tracked);
    result.add("tags", of.tag_counts);
    result.add("config", of.config.stored());
    return std::move(result).result();
}

} // namespace coworker::test::model
