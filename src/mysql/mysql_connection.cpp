// SPDX-License-Identifier: MIT
#include "mysql/mysql_connection.hpp"

#include "coworker/outbox_store.hpp"

#include <boost/asio/steady_timer.hpp>
#include <boost/asio/this_coro.hpp>
#include <boost/asio/use_awaitable.hpp>

#include <mysql.h>
#include <mysqld_error.h>
#include <sys/socket.h>

#include <utility>

namespace coworker::detail {
namespace {

using wait_type = asio::posix::stream_descriptor::wait_type;

struct free_result
{
    void operator()(MYSQL_RES* result) const noexcept { mysql_free_result(result); }
};

const char* or_null(const std::string& text)
{
    return text.empty() ? nullptr : text.c_str();
}

sql_answer read(MYSQL_RES* result)
{
    sql_answer answer;
    const auto columns = mysql_num_fields(result);
    while (char** const values = mysql_fetch_row(result)) {
        const auto* const sizes = mysql_fetch_lengths(result);
        auto& row = answer.rows.emplace_back(columns);
        for (unsigned i = 0; i != columns; ++i)
            if (values[i] != nullptr)
                row[i].emplace(values[i], sizes[i]);
    }
    return answer;
}

} // namespace

// The library would say goodbye, and wait until there is room for that. It does not where nothing can be sent.
void mysql_connection::finish::operator()(st_mysql* connection) const noexcept
{
    ::shutdown(mysql_get_socket(connection), SHUT_RDWR);
    mysql_close(connection);
}

mysql_connection::~mysql_connection()
{
    if (socket_.is_open())
        socket_.release();
}

void mysql_connection::fail() const
{
    std::string text{mysql_error(connection_.get())};
    if (mysql_errno(connection_.get()) == ER_NO_SUCH_TABLE)
        text += "; 'coworker outbox --schema' and mysql_outbox::schema say how to make it";
    throw outbox_database_error{text.empty() ? "it says nothing" : text};
}

/// It may be another one after each step of connecting.
void mysql_connection::use_its_socket()
{
    if (socket_.is_open())
        socket_.release();
    socket_.assign(static_cast<int>(mysql_get_socket(connection_.get())));
}

template<class Step>
asio::awaitable<void> mysql_connection::until_done(int waits_for, Step go_on)
{
    while (waits_for != 0) {
        if (!is_connected_)
            use_its_socket();
        const bool is_read = (waits_for & MYSQL_WAIT_READ) != 0;
        co_await socket_.async_wait(is_read ? wait_type::wait_read : wait_type::wait_write,
                                    asio::use_awaitable);
        waits_for = go_on(is_read ? MYSQL_WAIT_READ : MYSQL_WAIT_WRITE);
    }
}

asio::awaitable<std::unique_ptr<sql_connection>> mysql_connection::open(mysql_address address)
{
    std::unique_ptr<mysql_connection> opened{new mysql_connection{co_await asio::this_coro::executor}};
    co_await opened->connect(std::move(address));
    co_return opened;
}

void mysql_connection::set_options(const mysql_address& address)
{
    auto* const database = connection_.get();
    const auto set = [database](mysql_option option, const void* value) {
        if (value != nullptr && mysql_optionsv(database, option, value) != 0)
            throw outbox_database_error{"the library of the database does not take an option of its address"};
    };
    const my_bool yes = 1, no = 0;
    mysql_optionsv(database, MYSQL_OPT_NONBLOCK, nullptr);
    set(MYSQL_SET_CHARSET_NAME, "utf8mb4");
    set(MYSQL_READ_DEFAULT_FILE, or_null(address.option_file));
    set(MYSQL_READ_DEFAULT_GROUP, "coworker");
    set(MYSQL_OPT_LOCAL_INFILE, &no); // the server cannot ask for files
    set(MYSQL_PLUGIN_DIR, or_null(address.plugins));
    set(MYSQL_OPT_SSL_CA, or_null(address.ca));
    set(MYSQL_OPT_SSL_CERT, or_null(address.certificate));
    set(MYSQL_OPT_SSL_KEY, or_null(address.key));
    if (address.tls == mysql_tls::unset)
        return;
    set(MYSQL_OPT_SSL_ENFORCE, address.tls == mysql_tls::off ? &no : &yes);
    set(MYSQL_OPT_SSL_VERIFY_SERVER_CERT, address.tls == mysql_tls::verify ? &yes : &no);
}

asio::awaitable<void> mysql_connection::connect(mysql_address address)
{
    connection_.reset(mysql_init(nullptr));
    if (!connection_)
        throw outbox_database_error{"there is no memory for a connection"};
    auto* const database = connection_.get();
    set_options(address);
    MYSQL* connected = nullptr;
    const int waits_for = mysql_real_connect_start(
        &connected, database, or_null(address.host), or_null(address.user), or_null(address.password),
        or_null(address.database), address.port, or_null(address.socket), CLIENT_MULTI_STATEMENTS);
    const auto go_on = [database, &connected](int ready) {
        return mysql_real_connect_cont(&connected, database, ready);
    };
    co_await until_done(waits_for, go_on);
    if (connected == nullptr)
        fail();
    use_its_socket();
    is_connected_ = true;
}

asio::awaitable<std::vector<sql_answer>> mysql_connection::query(std::string statements)
{
    auto* const database = connection_.get();
    std::vector<sql_answer> answers;
    int state = 0; // of the query: an error if not 0; of what follows: 0 if there is more, above 0 an error
    const auto ask = [database, &state](int ready) { return mysql_real_query_cont(&state, database, ready); };
    const auto next = [database, &state](int ready) {
        return mysql_next_result_cont(&state, database, ready);
    };
    co_await until_done(mysql_real_query_start(&state, database, statements.data(), statements.size()), ask);
    if (state != 0)
        fail();
    while (state == 0) {
        MYSQL_RES* found = nullptr;
        const auto store = [database, &found](int ready) {
            return mysql_store_result_cont(&found, database, ready);
        };
        co_await until_done(mysql_store_result_start(&found, database), store);
        const std::unique_ptr<MYSQL_RES, free_result> result{found};
        if (result)
            answers.push_back(read(result.get()));
        else if (mysql_field_count(database) == 0)
            answers.push_back({{}, mysql_affected_rows(database)});
        else
            fail();
        co_await until_done(mysql_next_result_start(&state, database), next);
    }
    if (state > 0 || mysql_errno(database) != 0)
        fail();
    co_return answers;
}

// Until it is cancelled: there are no notifications.
asio::awaitable<void> mysql_connection::wait_for_notification()
{
    asio::steady_timer never{co_await asio::this_coro::executor, asio::steady_timer::time_point::max()};
    co_await never.async_wait(asio::use_awaitable);
}

std::string mysql_connection::quoted(std::string_view text) const
{
    std::string literal(2 * text.size() + 1, '\0');
    const auto size = mysql_real_escape_string(connection_.get(), literal.data(), text.data(), text.size());
    literal.resize(size);
    return "'" + literal + "'";
}

} // namespace coworker::detail
