// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/backoff.hpp"
#include "coworker/job_source.hpp"
#include "coworker/parent_failure.hpp"
#include "coworker/timestamp.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coworker {

/// What a managed queue knows of a job beside its data, as it was when the job was fetched.
/// Handlers get it with `context.details<managed_details>()`.
struct managed_details final : job_details
{
    std::string kind;              ///< the kind of job
    double priority = 0;           ///< larger runs first
    int retries = 0;               ///< how often the job may be retried altogether
    int remaining = 0;             ///< how often it may still be retried
    std::vector<std::string> tags; ///< in the order in which they were added
    std::string failure;           ///< the last failure as JSON; empty if there was none
    std::string spawned_from;      ///< jid of the recurring job that it comes from; else empty

    // What it was pushed with: `managed_push_options`.

    std::optional<std::chrono::milliseconds> timeout;          ///< how long one run may take
    std::optional<timestamp> expires_at;                       ///< when it expires, by Redis' clock
    std::optional<exponential_backoff> backoff;                ///< how long it waits before a retry
    std::optional<std::chrono::milliseconds> retention;        ///< how long its record is kept
    std::map<std::string, std::string> metadata;               ///< what travels with it
    std::string batch;                                         ///< the batch that it belongs to; empty: none
    std::optional<parent_failure> on_parent_failure;           ///< what becomes of it when a parent fails
    std::vector<std::string> parents;                          ///< those whose results it may read
    std::optional<std::chrono::milliseconds> result_retention; ///< how long its result is kept

    std::optional<std::chrono::milliseconds> own_timeout() const noexcept override { return timeout; }
    std::optional<std::chrono::milliseconds> own_backoff(unsigned attempt) const override
    {
        return backoff ? std::optional{(*backoff)(attempt)} : std::nullopt;
    }
    std::optional<std::chrono::milliseconds> own_result_retention() const noexcept override
    {
        return result_retention;
    }
    const std::map<std::string, std::string>* own_metadata() const noexcept override { return &metadata; }
};

} // namespace coworker
