// SPDX-License-Identifier: MIT
#include "coworker/managed_queue.hpp"
#include "managed/checks.hpp"
#include "managed/deliverable_size.hpp"
#include "managed/managed_call.hpp"
#include "managed/read_job.hpp"

#include "bounds.hpp"

#include <iterator>

/// How consumers that are not a worker get jobs out of a managed queue.
namespace coworker {

using namespace detail;

namespace {

std::vector<managed_job> read_jobs_answer(const reply::answer& answer)
{
    return read_jobs(answer.text());
}

asio::awaitable<std::vector<managed_job>> pop_up_to(kept_connection redis, std::string prefix,
                                                    std::string queue, std::string worker, std::size_t count,
                                                    std::size_t largest)
{
    std::vector<managed_job> jobs;
    while (jobs.size() < count) {
        const auto wanted = std::min(count - jobs.size(), max_batch);
        managed_call call{prefix, "pop"};
        call.add(queue).add(worker).add_number(wanted).add("most").add_number(largest);
        std::vector<managed_job> popped;
        try {
            popped = co_await tell(redis, std::move(call), read_jobs_answer);
        } catch (const system_error& error) {
            // The caller has to know of those that were handed out before.
            if (jobs.empty() || error.code() == asio::error::operation_aborted)
                throw;
            break;
        }
        jobs.insert(jobs.end(), std::make_move_iterator(popped.begin()),
                    std::make_move_iterator(popped.end()));
        if (popped.size() < wanted)
            break;
    }
    co_return jobs;
}

} // namespace

asio::awaitable<std::vector<managed_job>> managed_queue::pop(std::string_view worker, std::size_t count) const
{
    check_name(worker, "the worker's name");
    return pop_up_to(*redis_, options_.prefix, name_, std::string{worker}, count, deliverable_size(options_));
}

asio::awaitable<std::vector<managed_job>> managed_queue::peek(std::size_t count) const
{
    constexpr std::size_t most = 500;
    managed_call call{options_.prefix, "peek"};
    call.add(name_).add_number(std::min(count, most));
    return tell(*redis_, std::move(call), read_jobs_answer);
}

} // namespace coworker
