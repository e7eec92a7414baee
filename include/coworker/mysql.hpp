// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/outbox_table.hpp"

#include <string>

namespace coworker {

/// A table of jobs in MariaDB, version 10.6 or later, or MySQL, version 8.0.16 or later, for an `outbox_relay`. It is used
/// through the non-blocking interface of MariaDB Connector/C; only the name of a host is looked up in a blocking way.
///
/// These databases announce no rows: the relay finds them by `outbox_options::poll`, each second by default.
///
/// Link `coworker::mysql`. docs/outbox.md says how rows are written.
class mysql_outbox : public outbox_table
{
public:
    /// Connects later.
    ///
    /// @param url  "mysql://user:password@host:port/database?option=value&...", with parts encoded as in URLs. What it
    ///   leaves out comes from the groups `client` and `coworker` of the option files, such as ~/.my.cnf. Options: `socket`,
    ///   `tls` (`off`, `required`, `verify`), `ca`, `cert`, `key`, `plugins`, `option_file`. "mariadb://" means the same.
    /// @param table  its name, or DATABASE.NAME, of letters, digits and underscores, 40 bytes each
    /// @throws system_error  `errc::invalid_option`: it is no such URL, or no table is called like that
    explicit mysql_outbox(const std::string& url, std::string table = "coworker_outbox");

    /// The SQL that makes the table, for a migration.
    /// @throws system_error  `errc::invalid_option`
    static std::string schema(const std::string& table = "coworker_outbox");
};

} // namespace coworker
