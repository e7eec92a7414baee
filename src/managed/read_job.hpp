// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_job.hpp"

#include <string_view>
#include <vector>

namespace boost::json {
class value;
}

/// Jobs as the managed queue's scripts answer with them. Throw `errc::not_decodable`.
namespace coworker::detail {

managed_job to_job(const boost::json::value& value);
managed_job read_job(std::string_view json);

/// A list of jobs.
std::vector<managed_job> read_jobs(std::string_view json);

recurring_job read_recurring_job(std::string_view json);

} // namespace coworker::detail
