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

/// A text that may not be empty: `errc::invalid_option`, which says of `what` that it is.
void check_not_empty(std::string_view text, std::string_view what);
void check_none_empty(const text_list& texts, std::string_view what);

void check_priority(double priority);

/// JSON text: `errc::not_serializable`, or `errc::job_too_large`. A limit of zero is none.
void check_data(std::string_view json, std::size_t limit);

/// The text of a JSON object: `errc::not_serializable`.
void check_object(std::string_view json, std::string_view what);

} // namespace coworker::detail
