// SPDX-License-Identifier: MIT
#include "coworker/managed_client.hpp"
#include "gateway/api.hpp"
#include "gateway/page.hpp"
#include "json/hold_submission.hpp"
#include "json/job_text.hpp"
#include "json/members.hpp"

/// Holds of queues, limits, order keys and groups, through the gateway.
namespace coworker::detail {

asio::awaitable<answer> api::hold(const routed& where)
{
    const auto given = read_hold_submission(where.request.body);
    const managed_client jobs{redis_, {.prefix = options_.managed_prefix}};
    std::chrono::milliseconds left{};
    try {
        if (given.time)
            co_await jobs.async_hold(given.what, *given.time, awaited);
        left = co_await jobs.async_held_for(given.what, awaited);
    } catch (const system_error& error) {
        refuse_unusable(error);
    }
    json_object out;
    co_return answer{.body = out.number("held_for_seconds", in_seconds(left)).str() + '\n'};
}

} // namespace coworker::detail
