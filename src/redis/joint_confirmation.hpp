// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"

#include <boost/asio/awaitable.hpp>

#include <algorithm>
#include <exception>
#include <string>
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

    /// A part has been carried out.
    ///
    /// @param unconfirmed  why it is not confirmed; null: it is
    void add(std::exception_ptr unconfirmed) noexcept
    {
        if (unconfirmed)
            unconfirmed_ = std::move(unconfirmed);
    }

    /// Why a part was not confirmed, for people; empty: all were.
    std::string why_not() const
    {
        try {
            throw_if_not();
        } catch (const system_error& error) {
            std::string text = error.what(); // without what its code says of pushes
            if (error.code() == errc::unconfirmed)
                text.resize(std::min(text.size(), text.find(": " + error.code().message())));
            return text;
        }
        return {};
    }

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
