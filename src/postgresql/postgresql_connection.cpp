// SPDX-License-Identifier: MIT
#include "postgresql/postgresql_connection.hpp"

#include "coworker/outbox_store.hpp"
#include "text/numbers.hpp"

#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <libpq-fe.h>

#include <utility>

namespace coworker::detail {
namespace {

using wait_type = asio::posix::stream_descriptor::wait_type;

struct free_result
{
    void operator()(PGresult* result) const noexcept { PQclear(result); }
};
using owned_result = std::unique_ptr<PGresult, free_result>;

/// A message as libpq has it, without the end of the line.
std::string text_of(const char* message)
{
    std::string text{message};
    while (!text.empty() && (text.back() == '\n' || text.back() == ' '))
        text.pop_back();
    return text.empty() ? "it says nothing" : text;
}

/// What the server says, without the place in the statement, and what to do about it.
std::string complaint_of(const PGresult* result)
{
    constexpr std::string_view undefined_table = "42P01";
    const char* const message = PQresultErrorField(result, PG_DIAG_MESSAGE_PRIMARY);
    if (message == nullptr)
        return text_of(PQresultErrorMessage(result));
    const char* const state = PQresultErrorField(result, PG_DIAG_SQLSTATE);
    const bool is_missing = state != nullptr && state == undefined_table;
    return text_of(message) +
           (is_missing ? "; 'coworker outbox --schema' and postgresql_outbox::schema say how to make it"
                       : "");
}

bool has_failed(const PGresult* result)
{
    const auto status = PQresultStatus(result);
    return status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK && status != PGRES_EMPTY_QUERY;
}

sql_answer read(const PGresult* result)
{
    sql_answer answer;
    answer.changed = to_number<std::uint64_t>(PQcmdTuples(const_cast<PGresult*>(result))).value_or(0);
    for (int i = 0; i != PQntuples(result); ++i) {
        auto& row = answer.rows.emplace_back();
        for (int column = 0; column != PQnfields(result); ++column) {
            auto& value = row.emplace_back();
            if (PQgetisnull(result, i, column) == 0)
                value.emplace(PQgetvalue(result, i, column),
                              static_cast<std::size_t>(PQgetlength(result, i, column)));
        }
    }
    return answer;
}

/// Notices are no errors, and libpq would write them to standard error.
void ignore(void*, const PGresult*) {}

} // namespace

void postgresql_connection::finish::operator()(pg_conn* connection) const noexcept
{
    PQfinish(connection);
}

postgresql_connection::~postgresql_connection()
{
    if (socket_.is_open())
        socket_.release();
}

void postgresql_connection::fail() const
{
    throw outbox_database_error{text_of(PQerrorMessage(connection_.get()))};
}

/// It may be another one after each step of connecting.
void postgresql_connection::use_its_socket()
{
    if (socket_.is_open())
        socket_.release();
    const int number = PQsocket(connection_.get());
    if (number < 0)
        fail();
    socket_.assign(number);
}

asio::awaitable<std::unique_ptr<sql_connection>> postgresql_connection::open(std::string parameters)
{
    std::unique_ptr<postgresql_connection> opened{
        new postgresql_connection{co_await asio::this_coro::executor}};
    co_await opened->connect(std::move(parameters));
    co_return opened;
}

asio::awaitable<void> postgresql_connection::connect(std::string parameters)
{
    // What `parameters` say counts more than what stands before it, and less than what stands behind.
    const char* const names[] = {"fallback_application_name", "dbname", "client_encoding", nullptr};
    const char* const values[] = {"coworker-outbox", parameters.c_str(), "UTF8", nullptr};
    connection_.reset(PQconnectStartParams(names, values, 1));
    if (!connection_)
        throw outbox_database_error{"there is no memory for a connection"};
    if (PQstatus(connection_.get()) == CONNECTION_BAD)
        fail();
    PQsetNoticeReceiver(connection_.get(), ignore, nullptr);
    auto step = PGRES_POLLING_WRITING;
    while (step != PGRES_POLLING_OK) {
        if (step == PGRES_POLLING_FAILED)
            fail();
        use_its_socket();
        const auto wanted = step == PGRES_POLLING_READING ? wait_type::wait_read : wait_type::wait_write;
        co_await socket_.async_wait(wanted, asio::use_awaitable);
        step = PQconnectPoll(connection_.get());
    }
    use_its_socket();
    if (PQsetnonblocking(connection_.get(), 1) != 0)
        fail();
}

asio::awaitable<void> postgresql_connection::receive()
{
    co_await socket_.async_wait(wait_type::wait_read, asio::use_awaitable);
    if (PQconsumeInput(connection_.get()) == 0)
        fail();
}

asio::awaitable<std::vector<sql_answer>> postgresql_connection::query(std::string statements)
{
    auto* const database = connection_.get();
    if (PQsendQuery(database, statements.c_str()) == 0)
        fail();
    for (int left = PQflush(database); left != 0; left = PQflush(database)) {
        if (left < 0)
            fail();
        co_await socket_.async_wait(wait_type::wait_write, asio::use_awaitable);
    }
    std::vector<sql_answer> answers;
    for (;;) {
        while (PQisBusy(database) != 0)
            co_await receive();
        const owned_result result{PQgetResult(database)};
        if (!result)
            break;
        if (has_failed(result.get()))
            throw outbox_database_error{complaint_of(result.get())};
        answers.push_back(read(result.get()));
    }
    co_return answers;
}

asio::awaitable<void> postgresql_connection::wait_for_notification()
{
    bool has_come = false;
    for (;;) {
        while (auto* const one = PQnotifies(connection_.get())) {
            PQfreemem(one);
            has_come = true;
        }
        if (has_come)
            co_return;
        co_await receive();
    }
}

std::string postgresql_connection::quoted(std::string_view text) const
{
    char* const literal = PQescapeLiteral(connection_.get(), text.data(), text.size());
    if (literal == nullptr)
        fail();
    std::string result{literal};
    PQfreemem(literal);
    return result;
}

} // namespace coworker::detail
