// SPDX-License-Identifier: MIT
#pragma once

#include "gateway/route.hpp"

namespace coworker::detail {

/// Checks that openapi.json describes each parameter of a query, since one with a misspelt name would do nothing and
/// nobody would notice. Paths without a version take any: probes, Prometheus and programs made for jobber may add some.
///
/// @throws refusal
void check_parameters(const routed& request);

} // namespace coworker::detail
