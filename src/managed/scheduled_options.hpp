// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>

namespace coworker::detail {

/// The options of a schedule's jobs as a JSON object, from the list of words that is stored: names and values in turn,
/// as they follow the delay in `put`. What others may have stored is read as far as it makes sense.
std::string scheduled_options_text(std::string_view words);

} // namespace coworker::detail
