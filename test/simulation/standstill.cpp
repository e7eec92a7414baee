// SPDX-License-Identifier: MIT
#include "simulation/standstill.hpp"

#include "simulation/simulation.hpp"
#include "support/account.hpp"

#include <algorithm>

namespace coworker::test {

bool standstill::is_calm() const
{
    const auto since = all_.now() - how_.settle;
    return all_.redis().runs() && all_.redis_disturbed_until() <= since &&
           std::ranges::any_of(all_.processes(), [&](const auto& each) {
               return each->name.starts_with("worker") && each->is_alive() && !each->has_ended &&
                      each->disturbed_until <= since && each->handlers < how_.places;
           });
}

void standstill::look(const std::vector<std::string>& lists, const std::vector<std::string>& managed)
{
    if (!is_calm()) {
        since_.clear();
        return;
    }
    ++looks_;
    seen_.clear();
    managed_ = managed;
    for (const auto& queue : lists)
        look_at_list(queue);
    for (const auto& queue : managed)
        look_at_managed(queue);
    std::erase_if(since_, [this](const auto& each) { return !seen_.contains(each.first); });
}

void standstill::note(const std::string& what, nanoseconds beyond)
{
    seen_.insert(what);
    auto& since = since_.try_emplace(what, all_.now()).first->second;
    if (all_.now() - since <= how_.bound + beyond)
        return;
    jobs_.violate("it stands still although a worker is free: " + what);
    since = all_.now();
}

void standstill::look_at_list(const std::string& queue)
{
    const auto key = [&](const char* part) { return std::string{"hworker-"} + part + '-' + queue; };
    for (const auto& payload : all_.ask({"LRANGE", key("jobs"), "-1", "-1"}))
        note(queue + " next " + payload);
    const auto now = std::to_string(all_.wall_time() / millisecond);
    for (const auto& member : all_.ask({"ZRANGEBYSCORE", key("scheduled"), "-inf", now, "LIMIT", "0", "1"}))
        note(queue + " due " + member);
    const auto running = all_.ask({"HGETALL", key("progress")}); // what is renewed changes
    for (std::size_t i = 0; i + 1 < running.size(); i += 2)
        note(queue + " leased " + running[i] + ' ' + running[i + 1], how_.lease);
}

void standstill::look_at_managed(const std::string& queue)
{
    const auto key = [&](const char* part) { return "ql:q:" + queue + part; };
    const auto now = std::to_string(all_.wall_time() / second);
    const auto locked = all_.ask({"ZRANGE", key("-locks"), "0", "-1", "WITHSCORES"});
    for (std::size_t i = 0; i + 1 < locked.size(); i += 2)
        note(queue + " leased " + locked[i] + ' ' + locked[i + 1], how_.lease);
    if (all_.ask({"SISMEMBER", "ql:paused_queues", queue}) != std::vector<std::string>{"0"})
        return;
    if (!all_.ask({"KEYS", "ql:coworker:hold:*"}).empty())
        return;
    for (const auto& id : all_.ask({"ZREVRANGE", key("-work"), "0", "0"}))
        note(queue + " next " + id);
    for (const auto& id : all_.ask({"ZRANGEBYSCORE", key("-scheduled"), "-inf", now, "LIMIT", "0", "1"}))
        note(queue + " due " + id);
    look_at_parked(queue);
    look_at_dependent(queue);
}

/// By jobs of any queue that run.
std::set<std::string> standstill::held_limits()
{
    std::set<std::string> held;
    for (const auto& queue : managed_)
        for (const auto& id : all_.ask({"ZRANGE", "ql:q:" + queue + "-locks", "0", "-1"}))
            for (const auto& [limit, units] : jobs_.of(queue, id).limits)
                held.insert(limit);
    return held;
}

/// What limits and order keys hold back, and all that they count is free.
void standstill::look_at_parked(const std::string& queue)
{
    const auto parked = all_.ask({"ZRANGE", "ql:coworker:parked:" + queue, "0", "-1"});
    if (parked.empty())
        return;
    const auto held = held_limits();
    for (const auto& id : parked) {
        const auto& job = jobs_.of(queue, id);
        bool is_free =
            std::ranges::none_of(job.limits, [&](const auto& of) { return held.contains(of.first); });
        if (is_free && !job.line.empty()) {
            const auto line = "ql:coworker:line:order:" + job.line;
            is_free = all_.ask({"ZREVRANGE", line, "0", "0"}) == std::vector<std::string>{id};
        }
        if (is_free)
            note(queue + " held back " + id);
    }
}

/// What waits for nothing any more.
void standstill::look_at_dependent(const std::string& queue)
{
    for (const auto& id : all_.ask({"ZRANGE", "ql:q:" + queue + "-depends", "0", "-1"}))
        if (all_.ask({"EXISTS", "ql:j:" + id + "-dependencies"}) == std::vector<std::string>{"0"})
            note(queue + " waits for nothing " + id);
}

} // namespace coworker::test
