// SPDX-License-Identifier: MIT
#pragma once

#include "redis/confirmation.hpp"
#include "redis/reply.hpp"

#include <boost/redis/request.hpp>

#include <chrono>
#include <cstddef>
#include <deque>
#include <exception>
#include <memory>
#include <optional>

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

/// What a connection has that confirms each of its writes. There is one confirmation under way at a time, since Redis
/// carries out nothing else on a connection meanwhile: waits that stand in line would add up. Calls that come meanwhile
/// are confirmed together by the next.
struct confirmed_writes
{
    explicit confirmed_writes(const durability& how) : wanted{how} {}

    durability wanted;
    std::shared_ptr<confirmed_round>
        gathering{}; ///< what is to be sent next, when the one under way has ended
    bool is_under_way = false;
    std::optional<confirmation> means;                   ///< how this connection does it, once that is known
    std::chrono::steady_clock::time_point known_since{}; ///< when the connection began of which that is known
};

} // namespace coworker::detail
