// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/qless_reply.hpp"
#include "redis/reply.hpp"
#include "redis/script.hpp"

#include <string>
#include <string_view>

/// Commands by the names that qless' clients call them by.
namespace coworker::detail {

/// The script of a command, such as "put" or "config.get"; null if there is no such command.
const script* find_command(std::string_view name);

qless_reply read_qless_reply(const reply::answer& answer);

/// What clients of qless see of an error that Redis answered: without its code `ERR`, and without the name,
/// line and hash of the script that raised it.
std::string bare_error(std::string_view text);

} // namespace coworker::detail
