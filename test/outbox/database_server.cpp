// SPDX-License-Identifier: MIT
#include "outbox/database_server.hpp"

#include <cstdlib>
#include <stdexcept>
#include <string_view>

namespace coworker::test {
namespace {

std::unique_ptr<database_server> make_chosen()
{
    const char* const name = std::getenv("OUTBOX_DATABASE");
    const std::string_view wanted = name != nullptr ? name : "postgresql";
#ifdef POSTGRES_FOLDER
    if (wanted == "postgresql")
        return make_postgres_server();
#endif
#ifdef MARIADB_SERVER
    if (wanted == "mariadb")
        return make_mariadb_server();
#endif
    throw std::runtime_error{"OUTBOX_DATABASE is a database that these tests were not built with"};
}

} // namespace

database_server& database_server::chosen()
{
    static const auto one = make_chosen();
    return *one;
}

sql_session::sql_session(const std::string& connection) : handle_{database_server::chosen().open(connection)}
{}

sql_session::~sql_session() = default;

sql_table sql_session::operator()(const std::string& statements)
{
    return handle_->carry_out(statements);
}

std::string sql_session::value(const std::string& statement)
{
    return (*this)(statement).at(0).at(0);
}

} // namespace coworker::test
