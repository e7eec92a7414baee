// SPDX-License-Identifier: MIT
#include "inspect/managed_jobs.hpp"

#include <algorithm>

/// Jobs of a batch.
namespace coworker::detail {

asio::awaitable<job_page> show_batch_jobs(shared_inspection self, std::string id, std::string cursor,
                                          std::size_t count)
{
    boost::redis::request ask;
    ask.push("SSCAN", self->prefix() + "coworker:pending:" + id, cursor.empty() ? "0" : cursor, "COUNT",
             std::clamp<std::size_t>(count, 1, 1000));
    const reply answers = co_await answers_of(*self->redis, ask);
    // The nodes are: array, cursor, array, elements.
    const auto found = answers[0];
    job_page page;
    if (found[0] != "0")
        page.next = found[0];
    std::vector<std::string> ids;
    for (std::size_t i = 2; i < found.size(); ++i)
        ids.emplace_back(found[i]);
    page.jobs = co_await read_managed_jobs(self, std::move(ids), std::nullopt);
    co_return page;
}

} // namespace coworker::detail
