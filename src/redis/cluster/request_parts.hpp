// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace coworker::detail {

/// A part of a request that goes to one node: a command, with those before it that prepare it.
struct request_part
{
    using words = std::vector<std::string_view>;

    std::vector<words> commands;       ///< in place: they refer to the request
    std::optional<std::uint16_t> slot; ///< of its first key; none: any node can carry it out
    bool is_script = false;            ///< it may touch more keys than it names
};

/// Takes a request apart, which is written as Redis' clients write requests. A command without a key goes where the
/// request's first key is, or to `home`: the names of connections are asked of the node that has the queue.
///
/// Throws `std::invalid_argument` for anything else than a request.
std::vector<request_part> take_apart(std::string_view request, std::optional<std::uint16_t> home = {});

} // namespace coworker::detail
