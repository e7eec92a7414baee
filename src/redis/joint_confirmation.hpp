// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"

#include <boost/asio/awaitable.hpp>

#include <exception>
#include <utility>

namespace coworker::detail {

namespace asio = boost::asio;

/// Whether all parts of a push were confirmed. A part that is queued and not confirmed does not keep the next from
/// being sent, so that all are queued when this throws.
class joint_confirmation
{
public:
    /// Awaits a part. Throws what it throws but `errc::unconfirmed`.
    asio::awaitable<void> join(asio::awaitable<void> part)
    {
        try {
            co_await std::move(part);
        } catch (const system_error& error) {
            if (error.code() != errc::unconfirmed)
                throw;
            unconfirmed_ = std::current_exception();
        }
    }

    /// Whether all parts so far were confirmed.
    bool is_given() const noexcept { return !unconfirmed_; }

    /// Throws `errc::unconfirmed` if a part was not confirmed.
    void throw_if_not() const
    {
        if (unconfirmed_)
            std::rethrow_exception(unconfirmed_);
    }

private:
    std::exception_ptr unconfirmed_;
};

} // namespace coworker::detail
