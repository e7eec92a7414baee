// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/client.hpp"
#include "redis/address.hpp"

namespace coworker::detail {

/// Where a client's server is, and who the client is there. Throws `errc::invalid_option` for options that are wrong, or
/// do not go together.
address client_address(const client_options& options);

} // namespace coworker::detail
