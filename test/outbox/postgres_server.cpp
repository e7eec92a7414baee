// SPDX-License-Identifier: MIT
#include "outbox/postgres_server.hpp"

#include "support/coroutine.hpp"

#include <chrono>
#include <filesystem>
#include <libpq-fe.h>
#include <pwd.h>
#include <stdexcept>
#include <thread>
#include <unistd.h>

namespace coworker::test {
namespace {

/// Who runs the server where root runs the tests.
const passwd& other_user()
{
    for (const auto* name : {"postgres", "nobody"})
        if (const auto* const user = ::getpwnam(name))
            return *user;
    throw std::runtime_error{"there is no user for PostgreSQL"};
}

bool is_root()
{
    return ::geteuid() == 0;
}

} // namespace

struct sql_session::connection
{
    PGconn* handle;

    explicit connection(const std::string& how) : handle{PQconnectdb(how.c_str())} {}
    ~connection() { PQfinish(handle); }
    connection(const connection&) = delete;
    connection& operator=(const connection&) = delete;
};

sql_session::sql_session(const std::string& how) : connection_{std::make_unique<connection>(how)}
{
    if (PQstatus(connection_->handle) != CONNECTION_OK)
        throw std::runtime_error{PQerrorMessage(connection_->handle)};
    PQsetNoticeReceiver(
        connection_->handle, [](void*, const PGresult*) {}, nullptr);
}

sql_session::~sql_session() = default;

sql_table sql_session::operator()(const std::string& statements)
{
    PGresult* const result = PQexec(connection_->handle, statements.c_str());
    sql_table rows;
    for (int i = 0; i != PQntuples(result); ++i) {
        rows.emplace_back();
        for (int column = 0; column != PQnfields(result); ++column)
            rows.back().emplace_back(PQgetvalue(result, i, column));
    }
    const auto status = PQresultStatus(result);
    PQclear(result);
    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        throw std::runtime_error{PQerrorMessage(connection_->handle)};
    return rows;
}

std::string sql_session::value(const std::string& statement)
{
    return (*this)(statement).at(0).at(0);
}

postgres_server::postgres_server()
{
    if (is_root() && ::chown(folder_.path().c_str(), other_user().pw_uid, other_user().pw_gid) != 0)
        throw std::runtime_error{"the folder of PostgreSQL cannot be given away"};
    process::run(as_its_user({POSTGRES_FOLDER "/initdb", "-D", folder_.file("data"), "-A", "trust", "-U",
                              "tester", "-E", "UTF8", "--no-locale", "--no-sync"}));
    start();
}

postgres_server::~postgres_server() = default;

postgres_server& postgres_server::shared()
{
    static postgres_server one;
    return one;
}

std::vector<std::string> postgres_server::as_its_user(std::vector<std::string> command) const
{
    if (!is_root())
        return command;
    const auto& user = other_user();
    // The death signal is lost when the user changes.
    std::vector<std::string> words{"setpriv",
                                   "--reuid",
                                   std::to_string(user.pw_uid),
                                   "--regid",
                                   std::to_string(user.pw_gid),
                                   "--clear-groups",
                                   "--pdeathsig",
                                   "KILL"};
    words.insert(words.end(), command.begin(), command.end());
    return words;
}

std::string postgres_server::connection_to(const std::string& database) const
{
    return "host=" + folder_.path().string() + " user=tester dbname=" + database;
}

std::string postgres_server::make_database()
{
    const auto name = "test" + std::to_string(++databases_);
    sql_session{connection_to("postgres")}("CREATE DATABASE " + name);
    return connection_to(name);
}

void postgres_server::kill()
{
    process_->kill();
}

// One that was killed leaves children for a moment, and no other starts beside them.
void postgres_server::start()
{
    const auto deadline = std::chrono::steady_clock::now() + patience;
    const auto how = connection_to("postgres");
    while (std::chrono::steady_clock::now() < deadline) {
        if (!process_ || !process_->is_running())
            process_.emplace(
                as_its_user({POSTGRES_FOLDER "/postgres", "-D", folder_.file("data"), "-k", folder_.path(),
                             "-c", "listen_addresses=", "-c", "fsync=off", "-c", "max_connections=30"}),
                "/dev/null");
        if (PQping(how.c_str()) == PQPING_OK)
            return;
        std::this_thread::sleep_for(std::chrono::milliseconds{20});
    }
    throw std::runtime_error{"PostgreSQL does not answer"};
}

} // namespace coworker::test
