// SPDX-License-Identifier: MIT
#pragma once

#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace coworker::test {

/// The cells of an answer; NULL is an empty text.
using sql_table = std::vector<std::vector<std::string>>;

/// A session of a database, in which a test waits for each answer.
class sql_session
{
public:
    explicit sql_session(const std::string& connection);
    ~sql_session();
    sql_session(const sql_session&) = delete;
    sql_session& operator=(const sql_session&) = delete;

    /// Carries out statements, and returns the last answer; throws if one fails.
    sql_table operator()(const std::string& statements);
    /// The only cell of the answer.
    std::string value(const std::string& statement);

private:
    struct connection;
    std::unique_ptr<connection> connection_;
};

/// A private PostgreSQL on a unix socket in a temporary folder. It refuses to run as root, so there it runs as another user.
class postgres_server
{
public:
    postgres_server();
    ~postgres_server();

    /// The same for all tests of a program: to make one takes long.
    static postgres_server& shared();

    /// Makes a database. Returns how to connect to it.
    std::string make_database();

    /// SIGKILL. Its children see that, and end.
    void kill();
    void start();

private:
    std::vector<std::string> as_its_user(std::vector<std::string> command) const;
    std::string connection_to(const std::string& database) const;

    temporary_folder folder_{memory_if_possible()};
    std::optional<process> process_;
    int databases_ = 0;
};

} // namespace coworker::test
