// SPDX-License-Identifier: MIT
#include "exec/command.hpp"

#include <array>
#include <cstring>

namespace coworker::exec {
namespace {

using frame_header = std::array<int, 2>;

} // namespace

std::string to_bytes(const command_end& end)
{
    const frame_header numbers{static_cast<int>(end.how), end.number};
    std::string bytes(sizeof numbers, '\0');
    std::memcpy(bytes.data(), numbers.data(), sizeof numbers);
    return bytes += end.last_line;
}

command_end command_end_from(std::string_view bytes)
{
    frame_header numbers{};
    if (bytes.size() < sizeof numbers)
        return {};
    std::memcpy(numbers.data(), bytes.data(), sizeof numbers);
    return {static_cast<command_end::kind>(numbers[0]), numbers[1],
            std::string{bytes.substr(sizeof numbers)}};
}

} // namespace coworker::exec
