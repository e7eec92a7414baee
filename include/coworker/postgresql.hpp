// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/outbox_table.hpp"

#include <string>

namespace coworker {

/// A table of jobs in PostgreSQL, version 13 or later, for an `outbox_relay`. It is used through libpq's non-blocking
/// interface; only the name of a host is looked up in a blocking way, unless the connection has `hostaddr`.
///
/// Link `coworker::postgresql`. docs/outbox.md says how rows are written.
class postgresql_outbox : public outbox_table
{
public:
    /// Connects later.
    ///
    /// @param connection  as libpq reads it: "host=db dbname=shop" or "postgresql://db/shop"; what it leaves out comes
    ///   from PGHOST, PGPASSFILE and the like
    /// @param table  its name, or SCHEMA.NAME, of letters, digits and underscores, 40 bytes each
    /// @throws system_error  `errc::invalid_option`: no table is called like that
    explicit postgresql_outbox(std::string connection, std::string table = "coworker_outbox");

    /// The SQL that makes the table, its index and the trigger that announces rows, for a migration.
    /// @throws system_error  `errc::invalid_option`
    static std::string schema(const std::string& table = "coworker_outbox");
};

} // namespace coworker
