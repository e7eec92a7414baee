// SPDX-License-Identifier: MIT
#include <coworker/mysql.hpp>

/// Makes a table with the installed library, which is linked with MariaDB Connector/C.
int main()
{
    const coworker::mysql_outbox table{"mysql:///shop"};
    return coworker::mysql_outbox::schema().find("CREATE TABLE") == std::string::npos ? 1 : 0;
}
