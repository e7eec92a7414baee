// SPDX-License-Identifier: MIT
#include "inspect/managed_jobs.hpp"
#include "managed/limit_words.hpp"
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

} // namespace

asio::awaitable<job_options> read_job_options(shared_inspection self, std::string queue, std::string id)
{
    boost::redis::request ask;
    ask.push("HMGET", self->prefix() + "j:" + id, "limits", "group", "unique", "options", "batch",
             "on_parent_failure", "failed_parents");
    ask.push("ZSCORE", self->prefix() + "coworker:parked:" + queue, id);
    const reply answers = co_await answers_of(*self->redis, ask);
    const auto fields = answers[0];
    job_options options;
    if (fields.size() == 7) {
        read_limits(fields[0], options);
        options.group = fields[1];
        options.unique_key = fields[2];
        options.batch = fields[4];
        managed_details own;
        read_own_options(fields[3], own);
        options.timeout = own.timeout;
        options.expires_at = own.expires_at;
        options.backoff = own.backoff;
        options.retention = own.retention;
        options.metadata = std::move(own.metadata);
        options.on_parent_failure = parse_parent_failure(fields[5]);
        options.failed_parents = read_parents_list(fields[6]);
    }
    options.held_back = !answers[1].is_null() && !answers[1].is_error();
    co_return options;
}

} // namespace coworker::detail
