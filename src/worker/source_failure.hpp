// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"

#include <boost/asio/cancellation_type.hpp>
#include <boost/asio/error.hpp>

namespace coworker::detail {

namespace asio = boost::asio;

/// What it means that a call of a `job_source` has thrown a `system_error`.
enum class source_failure
{
    cancelled, ///< the worker has cancelled the call, since it ends
    ended,     ///< the source has ended for good
    in_doubt,  ///< whether the call was carried out is unknown
    refused,   ///< the call was not carried out
};

/// Whether it says that the source has ended for good. What a later release keeps this one must not touch.
inline bool ends_source(const error_code& code)
{
    return code == errc::stopped || code == errc::newer_layout;
}

/// @param cancelled  how the caller was cancelled. A source may have cancelled something of its own, such as a call whose
///   time was over: that is no end.
inline source_failure judge_failure(const error_code& code, asio::cancellation_type cancelled)
{
    if (ends_source(code))
        return source_failure::ended;
    if (cancelled != asio::cancellation_type::none)
        return source_failure::cancelled;
    if (code == errc::in_doubt || code == errc::unexpected_answer || code == asio::error::operation_aborted)
        return source_failure::in_doubt;
    return source_failure::refused;
}

/// Whether the next call may begin at once: after a lost connection it waits for the next one by itself.
inline bool waits_by_itself(const error_code& code)
{
    return code == errc::in_doubt;
}

} // namespace coworker::detail
