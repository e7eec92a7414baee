// SPDX-License-Identifier: MIT
#pragma once

#include "text/plain_text.hpp"
#include "text/utf8.hpp"

namespace coworker::program {

using detail::character_size;
using detail::escaped;
using detail::hexadecimal;
using detail::is_utf8;
using detail::shortened;
using detail::width_of;

} // namespace coworker::program
