// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job_source.hpp"
#include "coworker/pushed_options.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coworker {

/// What a managed queue knows of a job beside its data, as it was when the job was fetched.
/// Handlers get it with `context.details<managed_details>()`.
struct managed_details final : job_details, pushed_options
{
    std::string kind;              ///< the kind of job
    double priority = 0;           ///< larger runs first
    int retries = 0;               ///< how often the job may be retried altogether
    int remaining = 0;             ///< how often it may still be retried
    std::vector<std::string> tags; ///< in the order in which they were added
    std::string failure;           ///< the last failure as JSON; empty if there was none
    std::string spawned_from;      ///< jid of the recurring job that it comes from; else empty

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
