// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/job.hpp"

#include <boost/json/value.hpp>
#include <boost/json/value_from.hpp>
#include <boost/json/value_to.hpp>

#include <concepts>

namespace coworker {

/// A type that `encode` takes.
template<class Job>
concept json_writable = std::same_as<Job, raw_json> || std::same_as<Job, boost::json::value> ||
    boost::json::has_value_from<Job>::value;

/// A type that `decode` makes.
template<class Job>
concept json_readable = std::same_as<Job, raw_json> || std::same_as<Job, boost::json::value> ||
    boost::json::has_value_to<Job>::value;

/// A type of jobs, which `encode` takes and `decode` makes. It is one of these:
///  - `raw_json`
///  - a type that is described with Boost.Describe, or has `tag_invoke` overloads for `value_from` and `value_to`
///  - a type that Boost.JSON knows: numbers, strings, containers, optional, variant and `json::value`
template<class Job>
concept is_job = json_writable<Job> && json_readable<Job>;

} // namespace coworker

/// The compiler's message for a type that is no `is_job`.
#define COWORKER_JOB_IS_NOT_DESCRIBED                                                                        \
    "coworker: this type cannot be a job, as nobody says how it becomes JSON: write "                        \
    "BOOST_DESCRIBE_STRUCT(your_job, (), (its, members)) behind it"
