#pragma once

#include "coworker/text.hpp"
#include "coworker/timestamp.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace coworker {

/// A job as JSON text, for queues and handlers that do not want a C++ type.
struct raw_json
{
    raw_json() = default;
    // A constructor, since g++ 12 destroys a temporary aggregate in a co_await expression twice.
    raw_json(std::string json) : text{std::move(json)} {}

    std::string text;
};

/// How to push a job. The default is: now, under a new id.
struct push_options
{
    /// The job's id: UTF-8, 1 to 256 bytes. Default: a new UUID (version 7, so that it tells
    /// when the job was queued). coworker does not compare ids: the same id pushed twice is two jobs.
    std::optional<text> id{};

    /// Wait this long, by the server's clock, before the job may run. Zero or less: now.
    std::chrono::milliseconds delay{0};

    /// Or wait until this time. In the past: now. Not together with `delay`.
    std::optional<timestamp> at{};
};

/// When a job was queued, if its id tells: a version 7 UUID does, with or without dashes, others do not.
std::optional<timestamp> queued_at(std::string_view job_id);

} // namespace coworker
