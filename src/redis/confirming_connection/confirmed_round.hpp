// SPDX-License-Identifier: MIT
#pragma once

#include "redis/reply.hpp"

#include <boost/redis/request.hpp>

#include <chrono>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>

namespace coworker::detail {

/// Calls that are confirmed together: one request, with what confirms them behind it.
struct confirmed_round
{
    struct call
    {
        const boost::redis::request* request; ///< null: it has been sent, or is not to be sent any more
        std::size_t commands = 0;             ///< that have been sent
        reply answers{};
    };

    std::deque<call> calls{};
    std::size_t bytes = 0;
    std::chrono::steady_clock::time_point deadline{}; ///< of the call that has the latest one
    std::exception_ptr unconfirmed{}; ///< why what was carried out is not confirmed; null: it is
    std::exception_ptr failure{};     ///< why there are no answers
    bool is_done = false;
};

} // namespace coworker::detail
