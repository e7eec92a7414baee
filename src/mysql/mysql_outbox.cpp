// SPDX-License-Identifier: MIT
#include "coworker/mysql.hpp"
#include "mysql/mysql_address.hpp"
#include "mysql/mysql_connection.hpp"
#include "mysql/mysql_dialect.hpp"

#include <utility>

namespace coworker {

using namespace detail;

mysql_outbox::mysql_outbox(const std::string& url, std::string table)
    : outbox_table{mysql_dialect,
                   [address = read_mysql_address(url)] { return mysql_connection::open(address); },
                   std::move(table)}
{}

std::string mysql_outbox::schema(const std::string& table)
{
    return schema_of(mysql_dialect, table);
}

} // namespace coworker
