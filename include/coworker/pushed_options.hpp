// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/backoff.hpp"
#include "coworker/parent_failure.hpp"
#include "coworker/timestamp.hpp"

#include <chrono>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace coworker {

/// What is kept of the options that a job of a managed queue was pushed with, beside those that qless knows:
/// `managed_push_options`.
struct pushed_options
{
    std::optional<std::chrono::milliseconds> timeout;          ///< how long one run may take
    std::optional<timestamp> expires_at;                       ///< when it expires, by Redis' clock
    std::optional<exponential_backoff> backoff;                ///< how long it waits before a retry
    std::optional<std::chrono::milliseconds> retention;        ///< how long its record is kept
    std::map<std::string, std::string> metadata;               ///< what travels with it
    std::string description;                                   ///< what it is for; empty: nobody said
    std::string batch;                                         ///< the batch that it belongs to; empty: none
    std::optional<parent_failure> on_parent_failure;           ///< what becomes of it when a parent fails
    std::string wait_for_signal;                               ///< the signal before which it does not run
    std::vector<std::string> parents;                          ///< those whose results it may read
    std::optional<std::chrono::milliseconds> result_retention; ///< how long its result is kept
    std::optional<unsigned> version;                           ///< of its data
};

} // namespace coworker
