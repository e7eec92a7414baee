// SPDX-License-Identifier: MIT
#include "program/service/service_signals.hpp"

#include <boost/asio/use_awaitable.hpp>

#include <csignal>
#include <optional>

namespace coworker::program {
namespace {

struct known_signal
{
    int number;
    std::optional<wish> means; ///< nothing: it is passed over
};

constexpr known_signal known_signals[] = {
    {SIGTERM, wish::stop},  {SIGINT, wish::stop},    {SIGQUIT, wish::stop},   {SIGHUP, wish::reload},
    {SIGTSTP, wish::quiet}, {SIGUSR1, std::nullopt}, {SIGUSR2, std::nullopt}, {SIGALRM, std::nullopt},
};

bool is_ignored(int number)
{
    struct sigaction now = {};
    return ::sigaction(number, nullptr, &now) == 0 && now.sa_handler == SIG_IGN;
}

} // namespace

service_signals::service_signals(asio::io_context& io) : signals_{io}
{
    for (const auto& each : known_signals)
        if (each.number != SIGHUP || !is_ignored(SIGHUP))
            signals_.add(each.number);
}

asio::awaitable<wish> service_signals::wait()
{
    for (;;) {
        const int number = co_await signals_.async_wait(asio::use_awaitable);
        for (const auto& each : known_signals)
            if (each.number == number && each.means)
                co_return *each.means;
    }
}

} // namespace coworker::program
