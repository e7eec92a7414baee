// SPDX-License-Identifier: MIT

// Outbox: a job is there if and only if the transaction commits that wrote it. The rows of a table of PostgreSQL are pushed
// by a relay, which runs here beside a worker; `coworker outbox` is the same as a program.
//
//   30_outbox [URL] [CONNECTION]       such as 30_outbox redis://localhost "dbname=shop"
#include <coworker/coworker.hpp>
#include <coworker/postgresql.hpp>

#include <boost/asio/co_spawn.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/use_future.hpp>
#include <boost/describe.hpp>

#include <iostream>
#include <libpq-fe.h>
#include <memory>
#include <stdexcept>

namespace asio = boost::asio;

struct letter
{
    std::string to;
};
BOOST_DESCRIBE_STRUCT(letter, (), (to))

/// The shop's own connection. It knows nothing of Redis, and could be written in any language.
class shop
{
public:
    explicit shop(const std::string& connection) : database_{PQconnectdb(connection.c_str()), PQfinish}
    {
        run("DROP TABLE IF EXISTS orders, coworker_outbox CASCADE;"
            "DROP FUNCTION IF EXISTS coworker_outbox_announce;"
            "CREATE TABLE orders (customer text)");
        run(coworker::postgresql_outbox::schema());
    }

    /// Takes an order, and writes the job that belongs to it.
    void sell(const std::string& customer, bool is_paid)
    {
        run("BEGIN");
        run("INSERT INTO orders VALUES ('" + customer + "')");
        run("INSERT INTO coworker_outbox (queue, kind, payload, options) VALUES ('managed:mail', 'Letter', "
            "json_build_object('to', '" +
            customer + "'), '{\"priority\": 10}')");
        run(is_paid ? "COMMIT" : "ROLLBACK");
    }

private:
    void run(const std::string& sql)
    {
        const std::unique_ptr<PGresult, void (*)(PGresult*)> result{PQexec(database_.get(), sql.c_str()),
                                                                    PQclear};
        const auto status = PQresultStatus(result.get());
        if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
            throw std::runtime_error{PQerrorMessage(database_.get())};
    }

    std::unique_ptr<PGconn, void (*)(PGconn*)> database_;
};

asio::awaitable<void> run(std::string url, std::string connection)
{
    auto executor = co_await asio::this_coro::executor;
    coworker::client redis{executor, {.url = url}};
    shop here{connection};
    here.sell("ada", true);
    here.sell("bob", false); // there is no order, and no letter
    here.sell("eve", true);

    coworker::outbox_relay relay{redis, std::make_unique<coworker::postgresql_outbox>(connection)};
    relay.async_run(coworker::with_diagnostics([](std::exception_ptr error) {
        if (error)
            std::rethrow_exception(error);
    }));

    const coworker::managed_queue mail{redis, "mail"};
    coworker::worker worker{redis};
    int written = 0;
    coworker::handlers_by_kind writing;
    writing.on<letter>("Letter", [&](letter what) {
        std::cout << "to " << what.to << ": thank you\n";
        if (++written == 2)
            worker.stop();
    });
    worker.handle(mail, std::move(writing));
    co_await worker.async_run();
    relay.stop();
}

int main(int argc, char** argv)
{
    asio::io_context io;
    auto end =
        asio::co_spawn(io, run(argc > 1 ? argv[1] : "redis://localhost", argc > 2 ? argv[2] : "dbname=shop"),
                       asio::use_future);
    io.run();
    end.get();
}
