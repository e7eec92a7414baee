// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

namespace coworker::detail {

/// The statements of an outbox in one kind of database. {table} stands for the table, {name} for its name without schema,
/// and {channel} for the name under which rows are announced.
struct sql_dialect
{
    std::string_view schema;    ///< makes the table and what belongs to it
    std::string_view connected; ///< after connecting

    /// Begins a transaction, and chooses {rows} rows that are not of {queues}. The last answer has their ids and sizes.
    std::string_view choose;
    /// For each of {ids}: id, job_id, queue, kind, payload, options, order_key. Nothing of {large} is read. One of these two
    /// locks the rows; those that others have locked are left out.
    std::string_view read;
    std::string_view commit;
    std::string_view rollback;

    std::string_view now;   ///< for the column rejected_at
    std::string_view count; ///< waiting, rejected, the age of the first that waits in milliseconds
    std::string_view list;  ///< for each of {rows} that were rejected: id, job_id, queue, error, when
    std::string_view retry; ///< those that were rejected, and are {chosen}
    bool announces;         ///< whether writers wake who waits for a notification
};

} // namespace coworker::detail
