// SPDX-License-Identifier: MIT
#include "coworker/metrics.hpp"

namespace coworker {
namespace {

constexpr std::size_t kinds = static_cast<std::size_t>(event_kind::stopped) + 1;

bool speaks_of_many(event_kind kind) noexcept
{
    return kind == event_kind::fetched || kind == event_kind::recovered ||
           kind == event_kind::leases_renewed || kind == event_kind::unhandled;
}

} // namespace

struct event_counters::numbers
{
    std::array<std::uint64_t, kinds> counts{};
    std::uint64_t ended = 0;
    std::chrono::nanoseconds busy{0};
};

event_counters::event_counters() : numbers_{std::make_shared<numbers>()} {}

observer event_counters::observe() const
{
    return [numbers = numbers_](const event& what) {
        numbers->counts[static_cast<std::size_t>(what.kind)] += speaks_of_many(what.kind) ? what.count : 1;
        if (what.duration.count() != 0) {
            numbers->busy += what.duration;
            ++numbers->ended;
        }
    };
}

std::uint64_t event_counters::operator[](event_kind kind) const noexcept
{
    return numbers_->counts[static_cast<std::size_t>(kind)];
}

std::uint64_t event_counters::running() const noexcept
{
    return (*this)[event_kind::started] - numbers_->ended;
}

std::chrono::nanoseconds event_counters::busy_time() const noexcept
{
    return numbers_->busy;
}

} // namespace coworker
