// SPDX-License-Identifier: MIT
#include "coworker/managed_statistics.hpp"

namespace coworker {

managed_distribution::bin managed_distribution::bounds(std::size_t index) noexcept
{
    using namespace std::chrono;
    using whole_seconds = std::chrono::seconds;
    const auto place = static_cast<int>(index);
    if (place < 60)
        return {whole_seconds{place}, whole_seconds{place + 1}};
    if (place < 60 + 59)
        return {minutes{place - 59}, minutes{place - 58}};
    if (place < 60 + 59 + 23)
        return {hours{place - 118}, hours{place - 117}};
    return {days{place - 141}, days{place - 140}};
}

} // namespace coworker
