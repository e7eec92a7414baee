// SPDX-License-Identifier: MIT
#pragma once

#include "coworker/outbox_table.hpp"

#include <memory>
#include <string>
#include <vector>

namespace coworker::test {

/// The cells of an answer; NULL is an empty text.
using sql_table = std::vector<std::vector<std::string>>;

/// A session of a database, in which a test waits for each answer.
class sql_session
{
public:
    /// Connects to a database of the chosen server.
    explicit sql_session(const std::string& connection);
    ~sql_session();

    /// Carries out statements, and returns the last answer; throws if one fails.
    sql_table operator()(const std::string& statements);
    /// The only cell of the answer.
    std::string value(const std::string& statement);

    /// What a kind of database makes of it.
    struct handle
    {
        virtual ~handle() = default;
        virtual sql_table carry_out(const std::string& statements) = 0;
    };

private:
    std::unique_ptr<handle> handle_;
};

/// A private server on a unix socket in a temporary folder, and what is different about its kind.
class database_server
{
public:
    virtual ~database_server() = default;

    /// The same for all tests of a program, since to make one takes long: a PostgreSQL, or a MariaDB if the environment's
    /// OUTBOX_DATABASE says so.
    static database_server& chosen();

    /// Makes a database. Returns how to connect to it.
    virtual std::string make_database() = 0;
    /// How to connect to no server.
    virtual std::string nowhere() const = 0;
    virtual std::unique_ptr<sql_session::handle> open(const std::string& connection) = 0;
    virtual std::unique_ptr<outbox_table> table(const std::string& connection, const std::string& name) = 0;
    virtual std::string schema(const std::string& table) = 0;

    /// A table with the columns n, a number from `first` to `last`, and json, the same as JSON.
    virtual std::string numbers(int first, int last) const = 0;
    /// Has a session write what the table refuses by itself, as far as it can be turned off.
    virtual std::string unchecked() const = 0;
    /// Statements that lock the outbox for a session, and free it.
    virtual std::string lock() const = 0;
    virtual std::string unlock() const = 0;

    /// SIGKILL. Its children see that, and end.
    virtual void kill() = 0;
    virtual void start() = 0;
};

/// They start.
std::unique_ptr<database_server> make_postgres_server();
std::unique_ptr<database_server> make_mariadb_server();

} // namespace coworker::test
