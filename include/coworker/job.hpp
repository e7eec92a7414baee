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
    /// An empty text, which is not valid JSON.
    raw_json() = default;

    /// The text is checked when the job is pushed, not here.
    // A constructor, since g++ 12 destroys a temporary aggregate in a co_await expression twice.
    raw_json(std::string json) : text{std::move(json)} {}

    /// The JSON text, UTF-8.
    std::string text;
};

/// How to push a job to a list queue. The default is: now, under a new id.
struct push_options
{
    /// The job's id: UTF-8, 1 to 256 bytes. Default: a new UUID (version 7, which contains the time). The id is not
    /// compared with other jobs' ids: two jobs pushed with the same id both run.
    std::optional<text> id{};

    /// How long to wait, by the server's clock, before the job may run. Zero or less: it may run now.
    std::chrono::milliseconds delay{0};

    /// When the job may run, in place of `delay`; both together are refused with `errc::invalid_option`. A time in the
    /// past: it may run now.
    std::optional<timestamp> at{};
};

/// When a job was queued, by its producer's clock, if the id is a version 7 UUID, with or without dashes. Empty for
/// every other id.
std::optional<timestamp> queued_at(std::string_view job_id);

} // namespace coworker
