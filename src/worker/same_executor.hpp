// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"
#include "coworker/job_source.hpp"

#include <string>

namespace coworker::detail {

/// Refuses a source whose connection runs on another executor: its calls would run beside those of the client, on
/// several threads.
///
/// @param who  "worker" or "monitor"
inline void check_executor(job_source& source, const asio::any_io_executor& mine, const std::string& who)
{
    const auto connection = source.connection();
    const auto theirs = connection ? connection->get_executor() : asio::any_io_executor{};
    if (theirs && theirs != mine)
        throw explained_error{errc::invalid_worker,
                              "the " + who + " runs on another executor than the client of queue '" +
                                  source.name() + "'; make it from the client: coworker::" + who +
                                  "{client}"};
}

} // namespace coworker::detail
