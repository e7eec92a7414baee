// SPDX-License-Identifier: MIT
#include "outbox/database_server.hpp"
#include "support/coroutine.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include "coworker/postgresql.hpp"

#include <chrono>
#include <filesystem>
#include <libpq-fe.h>
#include <optional>
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

class postgres_session : public sql_session::handle
{
public:
    explicit postgres_session(const std::string& how) : connection_{PQconnectdb(how.c_str())}
    {
        if (PQstatus(connection_.get()) != CONNECTION_OK)
            throw std::runtime_error{PQerrorMessage(connection_.get())};
        PQsetNoticeReceiver(
            connection_.get(), [](void*, const PGresult*) {}, nullptr);
    }

    sql_table carry_out(const std::string& statements) override
    {
        PGresult* const result = PQexec(connection_.get(), statements.c_str());
        sql_table rows;
        for (int i = 0; i != PQntuples(result); ++i) {
            rows.emplace_back();
            for (int column = 0; column != PQnfields(result); ++column)
                rows.back().emplace_back(PQgetvalue(result, i, column));
        }
        const auto status = PQresultStatus(result);
        PQclear(result);
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
            throw std::runtime_error{PQerrorMessage(connection_.get())};
        return rows;
    }

private:
    struct finish
    {
        void operator()(PGconn* connection) const noexcept { PQfinish(connection); }
    };
    std::unique_ptr<PGconn, finish> connection_;
};

/// A private PostgreSQL. It refuses to run as root, so there it runs as another user.
class postgres_server : public database_server
{
public:
    postgres_server();

    std::string make_database() override;
    std::string nowhere() const override { return "host=/nowhere"; }
    std::unique_ptr<sql_session::handle> open(const std::string& connection) override
    {
        return std::make_unique<postgres_session>(connection);
    }
    std::unique_ptr<outbox_table> table(const std::string& connection, const std::string& name) override
    {
        return std::make_unique<postgresql_outbox>(connection, name);
    }
    std::string schema(const std::string& table) override { return postgresql_outbox::schema(table); }

    std::string numbers(int first, int last) const override
    {
        return "(SELECT n, to_json(n) AS json FROM generate_series(" + std::to_string(first) + ", " +
               std::to_string(last) + ") AS n) AS numbers";
    }
    std::string unchecked() const override { return "SELECT 1"; }
    std::string lock() const override { return "BEGIN; LOCK TABLE coworker_outbox"; }
    std::string unlock() const override { return "ROLLBACK"; }

    void kill() override;
    void start() override;

private:
    std::vector<std::string> as_its_user(std::vector<std::string> command) const;
    std::string connection_to(const std::string& database) const;

    temporary_folder folder_{memory_if_possible()};
    std::optional<process> process_;
    int databases_ = 0;
};

postgres_server::postgres_server()
{
    if (is_root() && ::chown(folder_.path().c_str(), other_user().pw_uid, other_user().pw_gid) != 0)
        throw std::runtime_error{"the folder of PostgreSQL cannot be given away"};
    process::run(as_its_user({POSTGRES_FOLDER "/initdb", "-D", folder_.file("data"), "-A", "trust", "-U",
                              "tester", "-E", "UTF8", "--no-locale", "--no-sync"}));
    start();
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
    postgres_session{connection_to("postgres")}.carry_out("CREATE DATABASE " + name);
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

} // namespace

std::unique_ptr<database_server> make_postgres_server()
{
    return std::make_unique<postgres_server>();
}

} // namespace coworker::test
