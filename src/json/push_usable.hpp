// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_queue.hpp"

#include <boost/asio/awaitable.hpp>
#include <boost/asio/error.hpp>

#include <optional>
#include <span>
#include <variant>
#include <vector>

namespace coworker::detail {

/// What became of a job: the result of its push, or what was wrong with it, or with Redis.
using tried_push = std::variant<push_result, system_error>;

/// Whether an error is of the job itself. It comes before anything is sent.
bool is_about_a_job(const error_code& code) noexcept;

/// Pushes jobs by `push`; in halves where there is one that is wrong, so that it keeps no other away. After another error
/// no more is pushed, and the jobs that are left have that error, too. `tried` gets what became of each, in the same order.
/// @param jobs  must live until it has ended
/// @param push  makes an operation or a coroutine that pushes a part of them
template<class Job, class Push>
boost::asio::awaitable<void> push_in_halves(std::span<const Job> jobs, Push push,
                                            std::vector<tried_push>& tried)
{
    std::optional<system_error> failed;
    try {
        auto results = co_await push(jobs);
        for (auto& each : results)
            tried.emplace_back(std::move(each));
    } catch (const system_error& error) {
        if (error.code() == boost::asio::error::operation_aborted)
            throw;
        failed = error;
    }
    if (!failed)
        co_return;
    if (jobs.size() == 1 || !is_about_a_job(failed->code())) {
        tried.insert(tried.end(), jobs.size(), *failed);
        co_return;
    }
    const auto half = jobs.size() / 2;
    co_await push_in_halves(jobs.first(half), push, tried);
    const auto* const last = std::get_if<system_error>(&tried.back());
    if (last != nullptr && !is_about_a_job(last->code()))
        tried.insert(tried.end(), jobs.size() - half, system_error{*last});
    else
        co_await push_in_halves(jobs.subspan(half), push, tried);
}

/// Pushes jobs in one call; in halves where there is one that is wrong, so that it keeps no other away. Returns what
/// became of each, in the same order.
/// @param jobs  must live until it has ended
boost::asio::awaitable<std::vector<tried_push>> push_usable(const managed_queue& queue,
                                                            std::span<const new_managed_job> jobs);

} // namespace coworker::detail
