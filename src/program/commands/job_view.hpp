// SPDX-License-Identifier: MIT
#pragma once

#include "program/queue_name.hpp"
#include "program/terminal/json_line.hpp"
#include "program/terminal/table.hpp"

#include <coworker/list_queue.hpp>
#include <coworker/managed_job.hpp>

#include <optional>
#include <string>

namespace coworker::program {

/// A job as it is listed, wherever it is. What does not concern it is empty.
struct job_view
{
    queue_ref queue;
    std::string state;
    std::string id; ///< what the commands call it
    std::string kind, worker, group, message;
    std::optional<timestamp> queued_at, due_at, started_at, failed_at, found_at;
    std::optional<std::size_t> attempts;
    std::string job;     ///< JSON text; empty if it does not decode
    std::string payload; ///< of a list queue: the bytes in Redis
};

/// What the commands call a job of a list queue: its id, or @ and 16 digits made from the payload if it has none
/// that can be typed.
std::string name_of(const std::string& id, const std::string& payload);

job_view view_of(const queue_ref& queue, std::string state, list_job job);
job_view view_of(managed_job job);
job_view view_of(recurring_job job);

json_line as_json(const job_view& job);

/// When a job was put into its queue last.
std::optional<timestamp> put_at(const managed_job& job);

/// Jobs, as a table or as JSON. Its memory is bounded by the table, in which payloads are short.
class job_listing
{
public:
    /// @param now  what ages are measured to
    job_listing(output& out, bool json, timestamp now);

    void add(const job_view& job);

    /// To be called at the end.
    void finish();

private:
    output& out_;
    bool json_;
    timestamp now_;
    table rows_;
};

} // namespace coworker::program
