#pragma once

#include "coworker/inspect/job_info.hpp"
#include "coworker/text.hpp"

namespace coworker {

/// Which jobs of a queue are meant. All that is given has to hold; what is empty says nothing.
struct job_filter
{
    job_state state = job_state::failed;
    text_list ids{}; ///< the job has one of these
    text contains{}; ///< a part of the payload as it is in Redis; of a managed queue of id, kind or data
    text
        message{}; ///< why it failed or is broken: the first line, at most 200 bytes of it, as `failure_group` has it
    text group{};  ///< of failures; managed queues only
    text tag{};    ///< managed queues only
    text worker{}; ///< who holds it; managed queues only
};

/// What can be done to jobs.
enum class job_action
{
    retry, ///< queues a failed or broken job again, behind all that wait. Its attempts begin again.
    remove, ///< deletes a job for good. Of a managed queue also a running one: its worker is told, and cancels it.
    run_now, ///< lets a scheduled job wait no longer: it runs behind those that wait, or by its priority.
    release, ///< takes a running job from its worker, which cancels it; it runs again first. Managed queues only.
};

/// What became of a job that was named.
enum class action_result
{
    done,
    not_found,   ///< there is no such job in that state; it may have moved on
    refused,     ///< this cannot be done to a job in that state
    depended_on, ///< others wait for it that were not named
};

/// What was done in a part of some jobs.
struct bulk_result
{
    std::vector<std::string> ids; ///< of those it was done to; empty texts for payloads whose id is not plain
    std::string next;             ///< the cursor to go on with; empty: this was the last part
};

} // namespace coworker
