// SPDX-License-Identifier: MIT
#pragma once

#include "outbox/sql_dialect.hpp"

namespace coworker::detail {

extern const sql_dialect postgresql_dialect;

} // namespace coworker::detail
