// SPDX-License-Identifier: MIT
#include "coworker/worker.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace coworker {

std::chrono::milliseconds exponential_backoff::operator()(unsigned attempt) const
{
    thread_local std::minstd_rand random{std::random_device{}()};
    constexpr auto century = static_cast<double>(option_duration::longest.count());
    const double growth = std::min(std::pow(factor, attempt == 0 ? 0 : attempt - 1), century);
    const double longest =
        std::min(static_cast<double>(initial.count()) * growth, static_cast<double>(maximum.count()));
    std::uniform_real_distribution<double> left_out{0, std::clamp(jitter, 0.0, 1.0)};
    return std::chrono::milliseconds{std::llround(longest * (1 - left_out(random)))};
}

} // namespace coworker
