// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/error.hpp"
#include "signal.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <type_traits>
#include <utility>

namespace coworker::detail {

/// Lets calls through one at a time whose answers may be large. All answers come over one connection, and Redis closes
/// it when 32 MB of them wait there: each call bounds its own answer, and together they would be too much.
class turns
{
public:
    explicit turns(const asio::any_io_executor& executor) : changed_{executor} {}

    /// Waits until no other call is under way, and makes this one. Who came first is first: one that makes many calls,
    /// one after another, lets the others in between.
    ///
    /// @throws what the call throws; or at once what another has thrown meanwhile for which Redis was away, since each
    ///   in turn would wait as long for the same.
    template<class Result>
    asio::awaitable<Result> take(asio::awaitable<Result> call)
    {
        co_await wait();
        const holding mine{*this};
        try {
            if constexpr (std::is_void_v<Result>) {
                co_await std::move(call);
                co_return;
            } else {
                co_return co_await std::move(call);
            }
        } catch (const system_error& caught) {
            last_error_ = caught;
            ++failures_;
            throw;
        }
    }

private:
    struct holding
    {
        turns& all;
        explicit holding(turns& turns) : all{turns} { all.busy_ = true; }
        ~holding()
        {
            all.busy_ = false;
            all.changed_.notify();
        }
        holding(const holding&) = delete;
        holding& operator=(const holding&) = delete;
    };

    asio::awaitable<void> wait()
    {
        const auto before = failures_;
        const auto mine = next_place_++;
        line_.push_back(mine);
        while (busy_ || line_.front() != mine) {
            try {
                co_await changed_.wait();
                if (failures_ != before && says_that_redis_is_away(last_error_->code()))
                    throw *last_error_;
            } catch (...) {
                std::erase(line_, mine);
                changed_.notify(); // the next one may be in front now
                throw;
            }
        }
        line_.pop_front();
    }

    static bool says_that_redis_is_away(const error_code& code)
    {
        return code == errc::unavailable || code == errc::timed_out;
    }

    signal changed_;
    std::deque<std::uint64_t> line_; ///< of those who wait
    std::uint64_t next_place_ = 0;
    bool busy_ = false;
    std::uint64_t failures_ = 0;
    std::optional<system_error> last_error_;
};

} // namespace coworker::detail
