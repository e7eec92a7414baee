// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job_signals.hpp"
#include "managed/managed_call.hpp"

namespace coworker::detail {

/// What signals.lua answers.
job_signals read_signals_answer(const reply::answer& words);

/// Reads the signals of a job; nothing if there is none.
asio::awaitable<job_signals> read_signals(kept_connection redis, std::string prefix, std::string jid);

} // namespace coworker::detail
