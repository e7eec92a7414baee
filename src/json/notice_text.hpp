// SPDX-License-Identifier: MIT
#pragma once

#include "text/json_object.hpp"

#include <string_view>

/// Notices as they are sent.
namespace coworker::detail {

/// @param stored  the job of the list queue of notices, as the scripts have written it
/// @throws system_error  `errc::invalid_job`: it is none of coworker's.
json_object describe_notice(std::string_view stored);

} // namespace coworker::detail
