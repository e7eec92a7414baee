// SPDX-License-Identifier: MIT
#include "json/push_usable.hpp"

#include <boost/asio/use_awaitable.hpp>

namespace coworker::detail {

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
    const auto push = [&queue](std::span<const new_managed_job> part) {
        return queue.async_push_each(part, with_diagnostics(boost::asio::use_awaitable));
    };
    co_await push_in_halves(jobs, push, tried);
    co_return tried;
}

} // namespace coworker::detail
