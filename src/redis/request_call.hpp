// SPDX-License-Identifier: MIT
#pragma once

#include "redis/reply.hpp"
#include "redis/time_limits.hpp"

#include <boost/asio/cancellation_signal.hpp>
#include <boost/redis/request.hpp>

#include <exception>
#include <optional>

namespace coworker::detail {

class connection;
class server_connection;

/// A request and who waits for its answers, for callers that are not coroutines. Owned by whoever carries it out.
class request_call
{
public:
    virtual ~request_call() = default;

    boost::redis::request request;
    reply answers;
    std::exception_ptr unconfirmed; ///< why what was carried out is not confirmed, where it is to be

    /// Ends it soon; whether it was carried out is unknown then.
    void cancel();

protected:
    request_call() = default;
    request_call(const request_call&) = delete;
    request_call& operator=(const request_call&) = delete;

private:
    friend class connection;
    friend class server_connection;
    class server_connection;

    /// It has been answered, or `why` says why not. Called once, on the connection's executor.
    virtual void ended(std::exception_ptr why) = 0;

    std::optional<time_limits::limited> limit_; ///< while it is under way by itself
    asio::cancellation_signal coroutine_;       ///< while a coroutine carries it out
    bool is_cancelled_ = false;
};

} // namespace coworker::detail
