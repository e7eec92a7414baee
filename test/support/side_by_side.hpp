// SPDX-License-Identifier: MIT
#pragma once

#include "support/coroutine.hpp"

#include <boost/asio/co_spawn.hpp>
#include <boost/test/unit_test.hpp>

#include <exception>
#include <list>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>

namespace coworker::test {

/// Tests that mostly wait, each on a context of its own: they run in this thread, side by side, and take as long as the
/// longest.
class side_by_side
{
public:
    /// The name is told with what goes wrong. The context, and what the coroutine uses, must outlive `run`.
    void add(std::string name, asio::io_context& io, asio::awaitable<void> test)
    {
        auto& one = tests_.emplace_back(std::move(name), io);
        asio::co_spawn(io, std::move(test), [&one](std::exception_ptr error) { one.end = error; });
    }

    /// Runs them all. Throws as `run_coroutine` does.
    void run(std::chrono::seconds limit = 2 * patience)
    {
        const auto give_up = std::chrono::steady_clock::now() + limit;
        while (!tests_.empty()) {
            std::size_t done = 0;
            for (auto one = tests_.begin(); one != tests_.end();) {
                done += step(*one);
                one = one->io.stopped() ? tests_.erase(one) : std::next(one);
            }
            if (tests_.empty() || done != 0)
                continue;
            if (std::chrono::steady_clock::now() > give_up)
                throw std::runtime_error{tests_.front().name +
                                         (tests_.front().end ? ": has ended, but something is still at work"
                                                             : ": has not ended in time")};
            std::this_thread::sleep_for(std::chrono::microseconds{200});
        }
    }

private:
    struct entry
    {
        entry(std::string n, asio::io_context& c) : name{std::move(n)}, io{c} {}

        std::string name;
        asio::io_context& io;
        std::optional<std::exception_ptr> end;
    };

    /// Lets one go on, as far as it can without waiting.
    static std::size_t step(entry& one)
    {
        std::size_t done = 0;
        BOOST_TEST_CONTEXT(one.name)
        {
            one.io.restart();
            done = one.io.poll();
            if (one.end && *one.end)
                std::rethrow_exception(*one.end);
            if (one.io.stopped() && !one.end)
                throw std::runtime_error{"the test waits for something that cannot happen"};
        }
        return done;
    }

    std::list<entry> tests_;
};

} // namespace coworker::test
