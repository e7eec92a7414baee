// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/gateway.hpp"
#include "coworker/text.hpp"

namespace coworker::detail {

/// Checks that the gateway's options permit a command as an effect, by its keys.
/// @throws refusal  403
void check_effect_keys(const text_list& command, const gateway_options& options);

} // namespace coworker::detail
