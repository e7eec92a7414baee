// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/batch_values.hpp"

#include <string>

/// A batch as it comes over HTTP: {"description": "import", "on_success": {"queue": "mail", "kind": "Done"}}.
namespace coworker::detail {

/// @throws refusal
batch_options read_batch_submission(const std::string& body);

/// {"running": true}
/// @throws refusal
batch_cancel_options read_batch_cancel(const std::string& body);

} // namespace coworker::detail
