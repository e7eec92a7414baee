// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/outbox_store.hpp"
#include "outbox/sql_connection.hpp"
#include "outbox/sql_dialect.hpp"

#include <cstddef>
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

/// The statement with the names of a table.
std::string with_names(std::string_view statement, const std::string& table);

/// Begins a transaction and looks for rows.
std::string search_rows(const sql_dialect& dialect, const std::string& table, const outbox_wish& wish,
                        const quote_text& quote);

/// Of the rows that were found, those that are wanted: their ids and sizes.
std::vector<outbox_row> choose_rows(const std::vector<sql_answer::row>& found, const outbox_wish& wish);

/// Reads rows that are locked.
std::string read_rows(const sql_dialect& dialect, const std::string& table,
                      const std::vector<outbox_row>& chosen, std::size_t row_bytes);

/// Deletes rows and rejects rows, and commits.
std::string finish_rows(const sql_dialect& dialect, const std::string& table, const outbox_outcome& outcome,
                        const quote_text& quote);

std::string list_rejected(const sql_dialect& dialect, const std::string& table, std::size_t count);

/// @param ids  empty: all
std::string retry_rejected(const sql_dialect& dialect, const std::string& table,
                           const std::vector<std::string>& ids);

} // namespace coworker::detail
