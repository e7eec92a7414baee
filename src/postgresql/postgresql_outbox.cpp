// SPDX-License-Identifier: MIT
#include "coworker/error.hpp"
#include "coworker/postgresql.hpp"
#include "postgresql/outbox_sql.hpp"
#include "postgresql/postgresql_connection.hpp"
#include "text/numbers.hpp"

#include <utility>

namespace coworker {

using namespace detail;

namespace {

void check_table(const std::string& table)
{
    if (!is_table_name(table))
        throw explained_error{errc::invalid_option,
                              "the table is NAME or SCHEMA.NAME, each of up to 40 letters, "
                              "digits and underscores, and begins with no digit"};
}

quote_text quote_for(const postgresql_connection& database)
{
    return [&database](std::string_view text) { return database.quoted(text); };
}

std::uint64_t number_of(const std::optional<std::string>& text)
{
    return to_number<std::uint64_t>(text.value_or("")).value_or(0);
}

outbox_row read_row(sql_answer::row& from)
{
    outbox_row row;
    row.id = from.at(0).value_or("");
    row.job_id = from.at(1).value_or("");
    row.queue = std::move(from.at(2)).value_or("");
    row.kind = std::move(from.at(3)).value_or("");
    row.payload = std::move(from.at(4)).value_or("");
    row.options = std::move(from.at(5)).value_or("");
    row.order_key = std::move(from.at(6)).value_or("");
    row.size = static_cast<std::size_t>(number_of(from.at(7)));
    return row;
}

} // namespace

postgresql_outbox::postgresql_outbox(std::string connection, std::string table)
    : connection_{std::move(connection)}, table_{std::move(table)}
{
    check_table(table_);
}

postgresql_outbox::~postgresql_outbox() = default;

std::string postgresql_outbox::schema(const std::string& table)
{
    check_table(table);
    return outbox_schema(table);
}

postgresql_connection& postgresql_outbox::connected()
{
    if (!database_)
        throw outbox_database_error{"there is no connection"};
    return *database_;
}

asio::awaitable<void> postgresql_outbox::connect()
{
    database_ = co_await postgresql_connection::open(connection_);
    (void)co_await database_->query("LISTEN " + channel_of(table_));
}

asio::awaitable<std::vector<outbox_row>> postgresql_outbox::take(outbox_wish wish)
{
    auto& database = connected();
    auto answers = co_await database.query(take_rows(table_, wish, quote_for(database)));
    std::vector<outbox_row> rows;
    for (auto& row : answers.back().rows)
        rows.push_back(read_row(row));
    if (rows.empty())
        (void)co_await database.query("ROLLBACK");
    co_return rows;
}

asio::awaitable<void> postgresql_outbox::finish(outbox_outcome outcome)
{
    auto& database = connected();
    const auto answers = co_await database.query(finish_rows(table_, outcome, quote_for(database)));
    if (answers.back().tag != "COMMIT")
        throw outbox_database_error{"the transaction was not committed"};
}

asio::awaitable<outbox_backlog> postgresql_outbox::look()
{
    const auto answers = co_await connected().query(count_rows(table_));
    const auto& row = answers.back().rows.at(0);
    outbox_backlog seen;
    seen.waiting = number_of(row.at(0));
    seen.rejected = number_of(row.at(1));
    if (row.at(2))
        seen.oldest_age = std::chrono::milliseconds{to_number<std::int64_t>(*row.at(2)).value_or(0)};
    co_return seen;
}

asio::awaitable<void> postgresql_outbox::wait()
{
    co_await connected().wait_for_notification();
}

void postgresql_outbox::close() noexcept
{
    database_.reset();
}

asio::awaitable<std::vector<rejected_row>> postgresql_outbox::rejected(std::size_t count)
{
    auto answers = co_await connected().query(list_rejected(table_, count));
    std::vector<rejected_row> rows;
    for (const auto& row : answers.back().rows)
        rows.push_back({row.at(0).value_or(""), row.at(1).value_or(""), row.at(2).value_or(""),
                        row.at(3).value_or(""), row.at(4).value_or("")});
    co_return rows;
}

asio::awaitable<std::uint64_t> postgresql_outbox::retry(std::vector<std::string> ids)
{
    for (const auto& id : ids)
        if (!is_row_id(id))
            throw explained_error{errc::invalid_option, "the id of a row is a number"};
    const auto answers = co_await connected().query(retry_rejected(table_, ids));
    const auto& tag = answers.back().tag; // "UPDATE 3"
    co_return number_of(tag.substr(tag.rfind(' ') + 1));
}

} // namespace coworker
