// SPDX-License-Identifier: MIT
#include "inspect/managed_jobs.hpp"
#include "managed/limit_words.hpp"
#include "managed/own_options.hpp"

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

} // namespace

asio::awaitable<job_options> read_job_options(shared_inspection self, std::string queue, std::string id)
{
    boost::redis::request ask;
    ask.push("HMGET", self->prefix() + "j:" + id, "limits", "group", "unique", "options", "batch");
    ask.push("ZSCORE", self->prefix() + "coworker:parked:" + queue, id);
    const reply answers = co_await answers_of(*self->redis, ask);
    const auto fields = answers[0];
    job_options options;
    if (fields.size() == 5) {
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
    }
    options.held_back = !answers[1].is_null() && !answers[1].is_error();
    co_return options;
}

} // namespace coworker::detail
