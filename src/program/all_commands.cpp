// SPDX-License-Identifier: MIT
#include "program/command_line.hpp"

#include <string>

namespace coworker::program {

void add_commands(command_line& line, const std::string& environment_token)
{
    add_push(line);
    add_queues(line);
    add_pause(line);
    add_resume(line);
    add_hold(line);
    add_jobs(line);
    add_failed(line);
    add_broken(line);
    add_retry(line);
    add_delete(line);
    add_remove(line);
    add_run(line);
    add_release(line);
    add_cancel(line);
    add_job(line);
    add_signal(line);
    add_work(line);
    add_workers(line);
    add_server(line);
    add_stats(line);
    add_limits(line);
    add_limit(line);
    add_queue_limits(line);
    add_queue_settings(line);
    add_group(line);
    add_schedules(line);
    add_batches(line);
    add_check(line);
    add_qless(line);
    add_monitor(line);
    add_notify(line);
#ifdef COWORKER_WITH_OUTBOX
    add_outbox(line);
#endif
#ifdef COWORKER_WITH_GATEWAY
    add_gateway(line, environment_token);
#else
    (void)environment_token;
#endif
    line.add_completion();
}

} // namespace coworker::program
