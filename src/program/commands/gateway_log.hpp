// SPDX-License-Identifier: MIT
#pragma once

#include "program/service/log_format.hpp"

#include <coworker/gateway.hpp>

#include <chrono>
#include <cstdint>
#include <string>

namespace coworker::program {

/// What the log says of a gateway's requests: who has changed something, why requests were answered with 500 or more,
/// and, if that is wanted, each of them.
class gateway_log
{
public:
    /// @param log  has to live as long
    gateway_log(const service_log& log, bool has_each_request) : log_{log}, has_each_{has_each_request} {}

    void note(const gateway_request& request);

private:
    void note_failure(const gateway_request& request);

    const service_log& log_;
    bool has_each_;
    // While Redis is away, all fail for one reason.
    std::string last_reason_;
    std::chrono::steady_clock::time_point may_repeat_at_{};
    std::uint64_t unsaid_ = 0; ///< of that reason
};

} // namespace coworker::program
