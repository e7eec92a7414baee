// SPDX-License-Identifier: MIT
#include "generator.hpp"

namespace coworker::test::model {
namespace {

/// Scripts, and how often they are called compared with each other.
const std::vector<std::pair<std::string, int>> weights{
    {"put", 10},         {"requeue", 2},        {"pop", 13},          {"peek", 2},
    {"complete", 8},     {"fail", 4},           {"retry", 4},         {"heartbeat", 3},
    {"timeout", 1},      {"cancel", 2},         {"get", 1},           {"multiget", 1},
    {"jobs", 2},         {"failed", 1},         {"unfail", 2},        {"queues", 1},
    {"workers", 1},      {"stats", 1},          {"length", 1},        {"tag", 3},
    {"track", 2},        {"priority", 2},       {"depends", 3},       {"log", 2},
    {"recur", 2},        {"unrecur", 1},        {"recur_get", 1},     {"recur_update", 2},
    {"recur_tag", 1},    {"recur_untag", 1},    {"config_get", 1},    {"config_set", 2},
    {"config_unset", 2}, {"pause", 1},          {"unpause", 3},       {"worker_deregister", 1},
    {"queue_forget", 1}, {"put_many", 4},       {"complete_many", 4}, {"fail_many", 2},
    {"retry_many", 2},   {"heartbeat_many", 2}, {"ack_and_fetch", 8}, {"renew", 1},
    {"reconcile", 1},    {"recover", 1},        {"sign_in", 1},       {"sign_off", 1},
};

std::string drawn_script(chance& chance)
{
    static const strings all = [] {
        strings result;
        for (const auto& [script, weight] : weights)
            result.insert(result.end(), static_cast<std::size_t>(weight), script);
        return result;
    }();
    return chance.of(all);
}

/// Times at which something of a queue is due.
std::vector<double> due_times(const store& state, double now)
{
    std::vector<double> result;
    for (const auto& [name, queue] : state.queues)
        for (const auto* place : {&queue.locks, &queue.scheduled, &queue.recurring})
            for (const auto& [score, jid] : place->entries())
                if (score > now && score < now + 200)
                    result.push_back(score);
    return result;
}

} // namespace

const strings& generated_scripts()
{
    static const strings all = [] {
        strings result;
        for (const auto& [script, weight] : weights)
            result.push_back(script);
        return result;
    }();
    return all;
}

generator::generator(std::uint64_t seed)
    : chance_{seed}, now_{1'700'000'000 + static_cast<double>(chance_.below(86'400'000)) / 1000}
{}

void generator::pass_time(const store& state)
{
    if (chance_.percent(10)) {
        if (const auto due = due_times(state, now_); !due.empty()) {
            now_ = chance_.of(due); // exactly then
            return;
        }
    }
    static const std::vector<double> usual{0, 0, 0, 0.001, 0.1, 0.37, 1, 2.5, 3, 15};
    static const std::vector<double> rare{60, 80, 200, 4000, 90'000};
    now_ += chance_.percent(6) ? chance_.of(rare) : chance_.of(usual);
}

strings generator::batch_of(const std::string& single, const store& state)
{
    strings words;
    for (auto count = chance_.below(5); count != 0; --count) {
        auto group = make_arguments(single, chance_, state, now_);
        if (chance_.percent(3))
            spoil(group);
        words.push_back(std::to_string(group.size()));
        words.insert(words.end(), group.begin(), group.end());
    }
    if (chance_.percent(2))
        words.push_back(chance_.of({"3", "x", "-1", "0"}));
    return words;
}

void generator::add_settlements(strings& words, const store& state)
{
    for (auto count = chance_.below(4); count != 0; --count) {
        const auto verb = chance_.of({"complete", "complete", "fail", "retry", "release", "other"});
        const auto single = verb == "fail" || verb == "retry" ? verb : std::string{"complete"};
        auto group = make_arguments(single, chance_, state, now_);
        // Worker and queue are those of the call.
        group.erase(group.begin() + 1, group.begin() + (single == "fail" ? 2 : 3));
        if (verb == "release")
            group.resize(1);
        group.insert(group.begin(), verb);
        if (chance_.percent(3))
            spoil(group);
        words.push_back(std::to_string(group.size()));
        words.insert(words.end(), group.begin(), group.end());
    }
}

strings generator::arguments_of(const std::string& script, const store& state)
{
    static const std::string ending = "_many";
    if (script.ends_with(ending))
        return batch_of(script.substr(0, script.size() - ending.size()), state);
    auto words = make_arguments(script, chance_, state, now_);
    if (script == "ack_and_fetch")
        add_settlements(words, state);
    if (chance_.percent(4))
        spoil(words);
    return words;
}

void generator::spoil(strings& words)
{
    if (words.empty())
        words.push_back("x");
    else if (chance_.percent(40))
        words.resize(chance_.below(words.size() + 1));
    else if (chance_.percent(20))
        words.push_back("more");
    else
        words[chance_.below(words.size())] = chance_.of({"", "x", "{", "[1,]", "nan", "nul", "-inf"});
}

generated_call generator::next(const store& state)
{
    pass_time(state);
    generated_call result{drawn_script(chance_), {}};
    result.words = arguments_of(result.script, state);
    const auto now = chance_.below(300) == 0 ? chance_.of({"", "x", "nan"}) : text17(now_);
    result.words.insert(result.words.begin(), now);
    if (chance_.below(1000) == 0)
        result.words.clear();
    return result;
}

} // namespace coworker::test::model
