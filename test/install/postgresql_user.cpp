// SPDX-License-Identifier: MIT
#include <coworker/postgresql.hpp>

/// Makes a table with the installed library, which is linked with libpq.
int main()
{
    const coworker::postgresql_outbox table{"dbname=shop"};
    return coworker::postgresql_outbox::schema().find("CREATE TABLE") == std::string::npos ? 1 : 0;
}
