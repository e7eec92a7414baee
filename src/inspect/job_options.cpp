// SPDX-License-Identifier: MIT
#include "inspect/managed_jobs.hpp"
#include "managed/limit_words.hpp"
#include "managed/managed_call.hpp"
#include "managed/own_options.hpp"

#include <boost/json/parse.hpp>

#include <algorithm>

/// What jobs of managed queues were pushed with.
namespace coworker::detail {
namespace {

constexpr std::string_view order_mark = "order:"; // begins the limit that an order key is

void read_limits(std::string_view stored, job_options& into)
{
    if (stored.empty())
        return;
    try {
        into.limits = read_limit_uses(stored);
    } catch (const system_error&) { // the other options can be shown all the same
        return;
    }
    const auto key = std::find_if(into.limits.begin(), into.limits.end(),
                                  [](const auto& limit) { return limit.name().starts_with(order_mark); });
    if (key == into.limits.end())
        return;
    into.order_key = key->name().substr(order_mark.size());
    into.limits.erase(key);
}

/// From a JSON list; what is something else is none.
std::vector<std::string> read_parents_list(std::string_view stored)
{
    std::vector<std::string> ids;
    error_code ec;
    const auto value = boost::json::parse(stored, ec);
    if (const auto* const list = ec ? nullptr : value.if_array())
        for (const auto& each : *list)
            if (const auto* const id = each.if_string())
                ids.emplace_back(*id);
    return ids;
}

/// The limit that keeps the jobs of a lane from being taken now; empty if none does.
///
/// A lane is closed by its limit. One of several limits, or of an order key, is closed while the job waits that it has sent
/// ahead: in the lane of the limit that holds back that one, and with it all others.
asio::awaitable<std::string> find_holder(shared_inspection self, std::string queue, std::string lane)
{
    boost::redis::request ask;
    ask.push("ZSCORE", self->prefix() + "coworker:later:" + queue, lane);
    ask.push("HGET", self->prefix() + "coworker:sent:" + queue, lane);
    const reply closed_by = co_await answers_of(*self->redis, ask);
    if (closed_by[0].is_null() || closed_by[0].is_error())
        co_return std::string{};
    if (closed_by[1].is_null() || closed_by[1].is_error())
        co_return lane.starts_with(order_mark) ? std::string{} : lane;
    boost::redis::request where;
    where.push("HGET", self->prefix() + "j:" + std::string{closed_by[1].text()}, "lane");
    const reply sent = co_await answers_of(*self->redis, where);
    const auto name = sent[0].is_error() || sent[0].is_null() ? std::string_view{} : sent[0].text();
    co_return name.starts_with(order_mark) ? std::string{} : std::string{name};
}

asio::awaitable<bool> is_unhandled(shared_inspection self, std::string queue, std::string id)
{
    managed_call call{self->prefix(), "unhandled"};
    call.add(queue).add(id);
    const reply answers = co_await call_managed(*self->redis, std::move(call));
    co_return answers.back().integer() != 0;
}

} // namespace

asio::awaitable<job_options> read_job_options(shared_inspection self, std::string queue, std::string id)
{
    boost::redis::request ask;
    ask.push("HMGET", self->prefix() + "j:" + id, "limits", "group", "unique", "options", "batch",
             "on_parent_failure", "failed_parents", "lane", "awaits_signal");
    ask.push("ZSCORE", self->prefix() + "coworker:parked:" + queue, id);
    ask.push("ZSCORE", self->prefix() + "q:" + queue + "-work", id);
    const reply answers = co_await answers_of(*self->redis, ask);
    const auto fields = answers[0];
    job_options options;
    std::string lane;
    if (fields.size() == 9) {
        read_limits(fields[0], options);
        options.group = fields[1];
        options.unique_key = fields[2];
        read_own_options(fields[3], options);
        options.batch = fields[4]; // which others may have stored without the options
        options.on_parent_failure = parse_parent_failure(fields[5]);
        options.failed_parents = read_parents_list(fields[6]);
        lane = fields[7];
        options.awaits_signal = !fields[8].empty();
    }
    options.held_back = !answers[1].is_null() && !answers[1].is_error();
    if (options.held_back)
        options.held_by = co_await find_holder(self, queue, lane);
    if (!answers[2].is_null() && !answers[2].is_error() && answers[2].text() == "-inf") // it is set aside
        options.unhandled = co_await is_unhandled(self, queue, id);
    co_return options;
}

} // namespace coworker::detail
