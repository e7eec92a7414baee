// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "coworker/inspector.hpp"
#include "coworker/job_effects.hpp"
#include "json/effect_submission.hpp"
#include "json/known_list_queues.hpp"

#include <boost/asio/awaitable.hpp>

#include <string>
#include <vector>

namespace coworker::detail {

/// Makes what was submitted into effects, with queues of one client.
class effect_maker
{
public:
    /// @param lists  of the same client; must live as long as this
    effect_maker(const client& redis, std::string managed_prefix, known_list_queues& lists);

    /// Adds them to the effects of a job. Asks Redis only for its clock, when a job has a time to run at, and for the
    /// number of partitions, when that has to be known and is not.
    ///
    /// @throws refusal  which says which of them cannot be used; those before it have been added
    /// @throws system_error  what Redis, or the connection to it, says against a question
    boost::asio::awaitable<void> add(job_effects& to, std::vector<effect_submission> given);

private:
    boost::asio::awaitable<void> push(job_effects& to, list_submission& child);
    boost::asio::awaitable<void> push(job_effects& to, managed_child& child);

    client redis_;
    std::string managed_prefix_;
    inspector server_; ///< for its clock
    known_list_queues* lists_;
};

} // namespace coworker::detail
