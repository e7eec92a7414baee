// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/managed_options.hpp"

#include <string>
#include <string_view>

/// What callers of the managed queue may not ask for. Each throws `system_error` and says what to do.
namespace coworker::detail {

void check_options(const managed_options& options);

/// A queue's name: `errc::invalid_queue_name`.
void check_queue_name(std::string_view name);

/// The id for a new job: `errc::invalid_job_id`.
void check_new_jid(std::string_view jid);

/// The id of a job that may exist, whoever made it: `errc::invalid_job_id` if empty.
void check_jid(std::string_view jid);
void check_jids(const text_list& jids);

/// The id of a batch: `errc::invalid_option`.
void check_batch_id(std::string_view id);

/// A text that is stored in job records: `errc::not_serializable` if it is not UTF-8.
void check_utf8(std::string_view text, std::string_view what);

/// The same for a name, which may not be empty either: `errc::invalid_option`.
void check_name(std::string_view name, std::string_view what);
void check_names(const text_list& names, std::string_view what);

/// The name of a sleep or signal: `errc::invalid_option`.
void check_signal_name(std::string_view name);

void check_priority(double priority);
/// Of a recurring job.
void check_interval(std::chrono::seconds interval);

/// JSON text: `errc::not_serializable`, or `errc::job_too_large`. A limit of zero is none.
void check_data(std::string_view json, std::size_t limit);

/// The text of a JSON object: `errc::not_serializable`.
void check_object(std::string_view json, std::string_view what);

} // namespace coworker::detail
