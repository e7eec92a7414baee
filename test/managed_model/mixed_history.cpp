// SPDX-License-Identifier: MIT
#include "mixed_history.hpp"

#include "support/kept_scripts.hpp"

#include <algorithm>
#include <array>
#include <set>

namespace coworker::test::model {
namespace {

const std::array<std::string, 3> queue_names{"qa", "qb", "qc"};
const std::array<std::string, 2> batches{"B", "C"};
constexpr std::size_t words_per_job = 10;

} // namespace

mixed_history::mixed_history(live_queue& live, std::uint64_t seed, bool with_others)
    : live_{live}, chance_{seed}, with_others_{with_others}
{
    for (const auto& batch : batches)
        call("batch_open", {batch, "done", R"(["qa","callback","{}"])"});
    for (const auto& each : queue_names) // from now on takes look for limits
        call("group_weight", {each, "g", "2"});
}

redis_value mixed_history::call(const std::string& script, strings words)
{
    // the last release knows no holds, and a group would not take its turns again
    if (are_releases_mixed() && (script == "hold" || script == "ack_and_fetch") &&
        std::ranges::count(words, "group") != 0)
        return {};
    words.insert(words.begin(), text17(now_));
    std::string line = script;
    for (const auto& word : words)
        line += ' ' + word;
    calls_.push_back(line);
    const auto answer = live_.call(script, words);
    // what a script refuses has no script's name in it
    if (answer.is_error() && answer.text.find("script:") != std::string::npos)
        complain(line + ": " + answer.text);
    return answer;
}

void mixed_history::complain(const std::string& what)
{
    if (complaint_.empty())
        complaint_ = what;
}

void mixed_history::note_taken(const redis_value& answer, const std::string& queue, const std::string& worker)
{
    if (answer.is_error() || answer.elements.size() < 5)
        return;
    const auto jobs = answer.elements[4].texts();
    std::set<std::string> taken;
    for (std::size_t i = 0; i + words_per_job <= jobs.size(); i += words_per_job) {
        if (!taken.insert(jobs[i]).second)
            complain(jobs[i] + " was handed out twice by one call");
        held_[jobs[i]] = {queue, worker};
        const auto expiry = live_.server()("HGET", "ql:j:" + jobs[i], "options").text;
        if (!expiry.empty() && expiry.front() != '-' && std::strtod(expiry.c_str(), nullptr) <= now_)
            complain(jobs[i] + " was handed out although it had expired");
    }
}

/// Whether all that was handed out is what the worker handles.
void mixed_history::check_kinds(const strings& jobs, const std::string& handled)
{
    for (std::size_t i = 0; i + words_per_job <= jobs.size(); i += words_per_job) {
        const auto options = live_.server()("HGET", "ql:j:" + jobs[i], "options").text;
        if (handled.find(jobs[i + 1]) == handled.npos || options.find(R"("version":2)") != options.npos)
            complain(jobs[i] + " was handed out to a worker that does not handle its kind");
    }
}

void mixed_history::take()
{
    const auto from = queue(), by = worker();
    strings words{from, by, chance_.of({"1", "2", "5"})};
    if (chance_.percent(30)) // it does not handle all kinds
        words.insert(words.end(), {"most", "1000000", "kinds", chance_.of({"\n1:k\n", "\n1:m\n", "\n"})});
    const auto answer = call("ack_and_fetch", words);
    note_taken(answer, from, by);
    if (words.size() > 3 && !answer.is_error() && answer.elements.size() >= 5)
        check_kinds(answer.elements[4].texts(), words.back());
    look_at_order_keys();
}

void mixed_history::take_step()
{
    const auto way = chance_.below(100);
    if (way < 33)
        put();
    else if (way < 55)
        take();
    else if (way < 76)
        settle();
    else if (way < 88)
        operate();
    else if (way < 96 || !with_others_)
        set_up();
    else
        interfere();
    now_ += chance_.percent(97) ? std::strtod(chance_.of({"0.001", "0.01", "0.5", "1", "5"}).c_str(), nullptr)
                                : 70;
}

std::size_t mixed_history::complete_all()
{
    std::size_t count = 0;
    for (const auto& each : queue_names) {
        held_.clear();
        note_taken(call("ack_and_fetch", {each, "w9", "50"}), each, "w9");
        for (const auto& [job, by] : held_)
            call("complete", {job, by.worker, by.queue, "{}"});
        count += held_.size();
    }
    return count;
}

void mixed_history::come_to_an_end()
{
    live_.end_update();
    for (const auto& each : queue_names) {
        call("unpause", {each});
        call("config_set", {each + "-max-concurrency", "0"});
        call("queue_limits", {each, "[]"});
        call("queue_bound", {each, "0"});
        call("queue_ageing", {each, "0"});
    }
    for (const auto* limit : {"gpu", "tenant:*", "api"})
        call("limit_set", {limit});
    call("unrecur", {"r"});
    // locks run out, delays and expiries pass
    for (int idle = 0; idle != 60;) {
        now_ += 5.001;
        idle = complete_all() == 0 ? idle + 1 : 0;
    }
    now_ += 1'000;
    call("recover", {});
    call("note_minute", {"0", "0"});
    complete_all();
    look_at_batches();
}

void mixed_history::look_at_order_keys()
{
    if (are_releases_mixed()) // the last release forgets the order key of a job that is put again without it
        return;
    std::map<std::string, std::string> runs;
    for (const auto& each : queue_names)
        for (const auto& job : live_.server()("ZRANGE", "ql:q:" + each + "-locks", "0", "-1").texts()) {
            const auto limits = live_.server()("HGET", "ql:j:" + job, "limits").text;
            if (!limits.starts_with(R"([["order:)"))
                continue;
            const auto order = limits.substr(0, limits.find(','));
            if (!runs.emplace(order, job).second)
                complain(job + " and " + runs[order] + " run at the same time: " + limits);
        }
}

void mixed_history::look_at_batches()
{
    for (const auto& batch : batches) {
        const auto counts = live_
                                .server()("HMGET", "ql:coworker:batch:" + batch, "total", "pending",
                                          "succeeded", "failed", "cancelled")
                                .texts();
        std::int64_t rest = 0;
        for (std::size_t i = 0; i != counts.size(); ++i)
            rest += (i == 0 ? 1 : -1) * std::strtoll(counts[i].c_str(), nullptr, 10);
        const bool is_negative =
            std::any_of(counts.begin(), counts.end(), [](const auto& text) { return text.starts_with('-'); });
        if (rest != 0 || is_negative)
            complain("the counts of batch " + batch + " do not fit");
    }
}

std::string mixed_history::left_behind()
{
    std::string result = complaint_;
    for (const auto& finding : live_.broken(now_))
        result += "\nthe check finds " + finding;
    // places of jobs that have not ended, and what lets them wait there
    const std::set<std::string> kinds{"lane",  "group",  "turns",    "open", "later", "waiters", "sent",
                                      "ahead", "parked", "expiring", "kind", "kinds", "handled"};
    const std::set<std::string> held{"held", "used", "line"};
    for (const auto& name : live_.server()("KEYS", "ql:*").texts()) {
        const auto key = name.substr(3);
        const auto kind = key.starts_with("coworker:") ? key.substr(9, key.find(':', 9) - 9) : "";
        const bool is_place = key.starts_with("q:") && !key.ends_with("-depends");
        // what others leave there is noticed when somebody waits for it
        if (is_place || key.starts_with("w:") || kinds.contains(kind) ||
            (held.contains(kind) && !with_others_))
            result += "\nleft: " + key;
    }
    return result;
}

std::string mixed_history::report() const
{
    std::string text;
    for (const auto& call : calls_)
        text += "\n  " + call;
    return text;
}

} // namespace coworker::test::model
