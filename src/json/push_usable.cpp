// SPDX-License-Identifier: MIT
#include "json/push_usable.hpp"

#include <boost/asio/error.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <optional>

namespace coworker::detail {
namespace {

boost::asio::awaitable<void> push_part(const managed_queue& queue, std::span<const new_managed_job> jobs,
                                       std::vector<tried_push>& tried)
{
    std::optional<system_error> failed;
    try {
        auto results = co_await queue.async_push_each(jobs, with_diagnostics(boost::asio::use_awaitable));
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
    co_await push_part(queue, jobs.first(half), tried);
    co_await push_part(queue, jobs.subspan(half), tried);
}

} // namespace

bool is_about_a_job(const error_code& code) noexcept
{
    return code == errc::invalid_option || code == errc::invalid_job_id || code == errc::job_too_large ||
           code == errc::not_serializable;
}

boost::asio::awaitable<std::vector<tried_push>> push_usable(const managed_queue& queue,
                                                            std::span<const new_managed_job> jobs)
{
    std::vector<tried_push> tried;
    tried.reserve(jobs.size());
    co_await push_part(queue, jobs, tried);
    co_return tried;
}

} // namespace coworker::detail
