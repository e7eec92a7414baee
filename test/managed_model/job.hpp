// SPDX-License-Identifier: MIT
#pragma once

#include "sorted_set.hpp"
#include "values.hpp"

#include <deque>
#include <map>

namespace coworker::test::model {

struct failure
{
    std::string group;
    std::string message;
    double when = 0;
    std::string worker;

    std::string text() const; ///< as it is stored
    json::value document() const
    {
        return json::object{
            {"group", group}, {"message", message}, {"when", rounded14(when)}, {"worker", worker}};
    }
};

struct history_entry
{
    double when = 0;
    std::string what;
    json::value extra; ///< null: none
};

/// A job, as its hash has it, and what it has been through.
struct job
{
    std::string jid;
    std::string klass;
    std::string queue;
    std::string data;
    std::string state;
    std::string worker;
    std::optional<double> expires = 0; ///< none: the empty text
    double priority = 0;
    strings tags;
    double retries = 0;
    double remaining = 0;
    double time = 0;
    std::optional<failure> failed_with;
    bool has_empty_failure = false; ///< the field is there, but says nothing
    optional_text spawned_from;
    std::optional<double> scheduled;
    bool grace = false;
    int crashes = 0;       ///< runs that ended with their workers
    bool was_lost = false; ///< when it was handed out last: so its crashes are told
    std::deque<history_entry> history;

    /// The fields of its hash.
    std::map<std::string, std::string> fields() const;
    /// As replies show it, without what other places know about it.
    json::object document() const;
    /// As ack_and_fetch shows it.
    strings flat() const;

    /// Adds to the history, of which `limit` entries are kept.
    void remember(double now, const std::string& what, json::value extra, double limit);
};

/// A job that makes others again and again.
struct recurring_job
{
    std::string jid;
    std::string klass;
    std::string data;
    double priority = 0;
    strings tags;
    std::string queue;
    double count = 0;
    double interval = 0;
    double retries = 0;
    double backlog = 0;

    std::map<std::string, std::string> fields() const;
    json::value document() const;
};

/// The places of a queue.
struct queue
{
    sorted_set work;
    sorted_set locks;
    sorted_set scheduled;
    sorted_set depends;
    sorted_set recurring;

    void remove(const std::string& jid)
    {
        for (auto* place : {&work, &locks, &scheduled, &depends})
            place->remove(jid);
    }
    /// Locks that have not ended.
    std::size_t running(double now) const { return locks.size() - ended(now); }
    /// Locks that end later.
    std::size_t held(double now) const { return locks.size() - locks.up_to(now).size(); }
    std::size_t ended(double now) const
    {
        std::size_t result = 0;
        for (const auto& [score, jid] : locks.entries())
            result += score < now ? 1 : 0;
        return result;
    }
};

} // namespace coworker::test::model
