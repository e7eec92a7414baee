// SPDX-License-Identifier: MIT
#pragma once

#include "support/command_calls.hpp"
#include "support/redis_test.hpp"

#include <boost/asio/as_tuple.hpp>
#include <boost/asio/bind_cancellation_slot.hpp>
#include <boost/asio/cancellation_signal.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

namespace coworker::test {

/// Adds to a fixture pushes that are under way beside each other, and what came of them.
template<class Fixture>
struct pushes_under_way : Fixture
{
    struct outcome
    {
        error_code error;
        std::string id;
        bool has_ended = false;
        asio::cancellation_signal cancelled{};
    };

    /// Begins a push: calls `push` with a token.
    template<class Push>
    outcome& begin(Push push)
    {
        auto& mine = *outcomes.emplace_back(std::make_unique<outcome>());
        push(
            asio::bind_cancellation_slot(mine.cancelled.slot(), [this, &mine](error_code ec, std::string id) {
                mine.error = ec;
                mine.id = std::move(id);
                mine.has_ended = true;
                ended.cancel();
            }));
        return mine;
    }

    asio::awaitable<void> wait_for_all()
    {
        const auto has_ended = [](const auto& each) { return each->has_ended; };
        while (!std::all_of(outcomes.begin(), outcomes.end(), has_ended))
            co_await ended.async_wait(asio::as_tuple(asio::use_awaitable));
    }

    asio::awaitable<void> wait_for(const outcome& one)
    {
        while (!one.has_ended)
            co_await ended.async_wait(asio::as_tuple(asio::use_awaitable));
    }

    /// How many times Redis was asked to carry out a command.
    std::int64_t calls_of(const std::string& command) { return test::calls_of(this->server, command); }

    std::vector<std::unique_ptr<outcome>> outcomes;
    asio::steady_timer ended{this->io, asio::steady_timer::time_point::max()};
};

} // namespace coworker::test
