// SPDX-License-Identifier: MIT
#include "program/service/many_files.hpp"

#include <algorithm>
#include <sys/resource.h>

namespace coworker::program {

void allow_many_files() noexcept
{
    constexpr rlim_t enough = 65'536;
    rlimit limit{};
    if (::getrlimit(RLIMIT_NOFILE, &limit) != 0 || limit.rlim_cur >= enough)
        return;
    limit.rlim_cur = std::min(limit.rlim_max, enough);
    ::setrlimit(RLIMIT_NOFILE, &limit);
}

} // namespace coworker::program
