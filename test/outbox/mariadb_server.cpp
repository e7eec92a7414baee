// SPDX-License-Identifier: MIT
#include "outbox/database_server.hpp"
#include "support/coroutine.hpp"
#include "support/process.hpp"
#include "support/temporary_folder.hpp"

#include "coworker/mysql.hpp"

#include <chrono>
#include <fstream>
#include <mysql.h>
#include <optional>
#include <stdexcept>
#include <thread>
#include <unistd.h>

namespace coworker::test {
namespace {

class mariadb_session : public sql_session::handle
{
public:
    /// @param connection  "mysql:///DATABASE?socket=SOCKET"
    explicit mariadb_session(const std::string& connection) : connection_{mysql_init(nullptr)}
    {
        constexpr std::string_view begin = "mysql:///", middle = "?socket=";
        const auto place = connection.find(middle);
        const auto name = connection.substr(begin.size(), place - begin.size());
        const auto socket = connection.substr(place + middle.size());
        if (mysql_real_connect(connection_.get(), nullptr, "root", nullptr, name.c_str(), 0, socket.c_str(),
                               CLIENT_MULTI_STATEMENTS) == nullptr)
            fail();
    }

    sql_table carry_out(const std::string& statements) override
    {
        if (mysql_real_query(connection_.get(), statements.data(), statements.size()) != 0)
            fail();
        sql_table rows;
        int state = 0;
        for (; state == 0; state = mysql_next_result(connection_.get())) {
            rows.clear();
            MYSQL_RES* const result = mysql_store_result(connection_.get());
            while (char** const row = result != nullptr ? mysql_fetch_row(result) : nullptr) {
                rows.emplace_back();
                for (unsigned i = 0; i != mysql_num_fields(result); ++i)
                    rows.back().emplace_back(row[i] != nullptr ? row[i] : "");
            }
            mysql_free_result(result);
        }
        if (state > 0)
            fail();
        return rows;
    }

private:
    struct finish
    {
        void operator()(MYSQL* connection) const noexcept { mysql_close(connection); }
    };

    [[noreturn]] void fail() const { throw std::runtime_error{mysql_error(connection_.get())}; }

    std::unique_ptr<MYSQL, finish> connection_;
};

/// A private MariaDB, whose root anybody is who can read the folder. It keeps what is committed when it is killed.
class mariadb_server : public database_server
{
public:
    mariadb_server()
    {
        install();
        start();
    }

    std::string make_database() override
    {
        const auto name = "test" + std::to_string(++databases_);
        mariadb_session{connection_to("mysql")}.carry_out("CREATE DATABASE " + name);
        return connection_to(name);
    }
    std::string nowhere() const override { return "mysql:///test?socket=/nowhere"; }
    std::unique_ptr<sql_session::handle> open(const std::string& connection) override
    {
        return std::make_unique<mariadb_session>(connection);
    }
    std::unique_ptr<outbox_table> table(const std::string& connection, const std::string& name) override
    {
        return std::make_unique<mysql_outbox>(connection, name);
    }
    std::string schema(const std::string& table) override { return mysql_outbox::schema(table); }

    std::string numbers(int first, int last) const override
    {
        return "(SELECT seq AS n, CAST(seq AS CHAR) AS json FROM seq_" + std::to_string(first) + "_to_" +
               std::to_string(last) + ") AS numbers";
    }
    std::string unchecked() const override { return "SET check_constraint_checks = 0"; }
    std::string lock() const override { return "LOCK TABLES coworker_outbox WRITE"; }
    std::string unlock() const override { return "UNLOCK TABLES"; }

    void kill() override { process_->kill(); }
    void start() override
    {
        process_.emplace(
            command({"--socket=" + folder_.file("socket"), "--skip-networking", "--skip-log-bin",
                     "--ssl-cert=" + folder_.file("certificate.pem"), "--ssl-key=" + folder_.file("key.pem"),
                     "--performance-schema=OFF", "--max-connections=50"}),
            folder_.file("log"));
        const auto deadline = std::chrono::steady_clock::now() + patience;
        while (!answers()) {
            if (std::chrono::steady_clock::now() > deadline || !process_->is_running())
                throw std::runtime_error{"MariaDB does not answer"};
            std::this_thread::sleep_for(std::chrono::milliseconds{20});
        }
    }

private:
    std::vector<std::string> command(std::vector<std::string> more) const
    {
        std::vector<std::string> words{MARIADB_SERVER, "--no-defaults", "--datadir=" + folder_.file("data"),
                                       "--innodb-flush-log-at-trx-commit=2"};
        if (::geteuid() == 0)
            words.push_back("--user=root");
        words.insert(words.end(), more.begin(), more.end());
        return words;
    }

    /// Makes the server's own tables. Debian has the script for that in another package, which starts a service.
    void install() const
    {
        const auto statements = folder_.file("statements");
        std::ofstream file{statements};
        file << "CREATE DATABASE mysql;\nUSE mysql;\nSET @auth_root_socket = NULL;\nSET @skip_auth_anonymous "
                "= 1;\n";
        for (const auto* name :
             {"mysql_system_tables", "mysql_performance_tables", "mysql_system_tables_data"})
            file << std::ifstream{std::string{MARIADB_STATEMENTS "/"} + name + ".sql"}.rdbuf();
        file.close();
        process::run({"openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1",
                      "-nodes", "-days", "2", "-subj", "/CN=localhost", "-keyout", folder_.file("key.pem"),
                      "-out", folder_.file("certificate.pem")});
        process::run({"mkdir", folder_.file("data")});
        auto words = command({"--bootstrap"});
        words.insert(words.begin(), {"sh", "-c", "exec \"$@\" <" + statements, "sh"});
        process::run(words);
    }

    bool answers() const
    {
        try {
            mariadb_session{connection_to("mysql")};
            return true;
        } catch (const std::runtime_error&) {
            return false;
        }
    }

    std::string connection_to(const std::string& database) const
    {
        return "mysql:///" + database + "?socket=" + folder_.file("socket");
    }

    temporary_folder folder_{memory_if_possible()};
    std::optional<process> process_;
    int databases_ = 0;
};

} // namespace

std::unique_ptr<database_server> make_mariadb_server()
{
    return std::make_unique<mariadb_server>();
}

} // namespace coworker::test
