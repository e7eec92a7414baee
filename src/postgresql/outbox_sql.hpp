// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/outbox_store.hpp"

#include <functional>
#include <string>
#include <string_view>
#include <vector>

/// The statements of an outbox.
namespace coworker::detail {

/// Makes a literal of a text.
using quote_text = std::function<std::string(std::string_view)>;

/// Whether a table may be called like that, so that the name stands in a statement as it is.
bool is_table_name(std::string_view name) noexcept;

/// Whether it is a number as ids are.
bool is_row_id(std::string_view text) noexcept;

/// Under which name rows are announced.
std::string channel_of(const std::string& table);

/// Makes the table and what belongs to it.
std::string outbox_schema(const std::string& table);

/// Begins a transaction and locks rows. Its last answer has, for each: id, job_id, queue, kind, payload, options, order_key, size.
std::string take_rows(const std::string& table, const outbox_wish& wish, const quote_text& quote);

/// Deletes rows and rejects rows, and commits.
std::string finish_rows(const std::string& table, const outbox_outcome& outcome, const quote_text& quote);

/// Counts: waiting, rejected, the age of the first that waits in milliseconds.
std::string count_rows(const std::string& table);

/// For each: id, job_id, queue, error, when.
std::string list_rejected(const std::string& table, std::size_t count);

/// @param ids  empty: all
std::string retry_rejected(const std::string& table, const std::vector<std::string>& ids);

} // namespace coworker::detail
