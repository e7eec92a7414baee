// SPDX-License-Identifier: MIT
#include "coworker/postgresql.hpp"
#include "postgresql/postgresql_connection.hpp"
#include "postgresql/postgresql_dialect.hpp"

#include <utility>

namespace coworker {

using namespace detail;

postgresql_outbox::postgresql_outbox(std::string connection, std::string table)
    : outbox_table{postgresql_dialect,
                   [how = std::move(connection)] { return postgresql_connection::open(how); },
                   std::move(table)}
{}

std::string postgresql_outbox::schema(const std::string& table)
{
    return schema_of(postgresql_dialect, table);
}

} // namespace coworker
