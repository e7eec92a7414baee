// SPDX-License-Identifier: MIT
#include "coworker/outbox_table.hpp"

#include "coworker/error.hpp"
#include "outbox/outbox_sql.hpp"
#include "text/numbers.hpp"

#include <chrono>
#include <optional>
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

quote_text quote_for(const sql_connection& database)
{
    return [&database](std::string_view text) { return database.quoted(text); };
}

std::uint64_t number_of(const std::optional<std::string>& text)
{
    return to_number<std::uint64_t>(text.value_or("")).value_or(0);
}

/// Adds to a row what was read of it.
void complete(outbox_row& row, sql_answer::row& from)
{
    row.job_id = from.at(1).value_or("");
    row.queue = std::move(from.at(2)).value_or("");
    row.kind = std::move(from.at(3)).value_or("");
    row.payload = std::move(from.at(4)).value_or("");
    row.options = std::move(from.at(5)).value_or("");
    row.order_key = std::move(from.at(6)).value_or("");
}

/// The rows that were read, with what is in them. Both are in the same order.
std::vector<outbox_row> join(std::vector<outbox_row> wanted, std::vector<sql_answer::row>& read)
{
    std::vector<outbox_row> rows;
    auto next = read.begin();
    for (auto& row : wanted)
        if (next != read.end() && next->at(0) == row.id) {
            complete(row, *next++);
            rows.push_back(std::move(row));
        }
    return rows;
}

} // namespace

outbox_table::outbox_table(const sql_dialect& dialect, open_database open, std::string table)
    : dialect_{&dialect}, open_{std::move(open)}, table_{std::move(table)}
{
    check_table(table_);
}

outbox_table::~outbox_table() = default;

std::string outbox_table::schema_of(const sql_dialect& dialect, const std::string& table)
{
    check_table(table);
    return with_names(dialect.schema, table);
}

std::string outbox_table::creation() const
{
    return schema_of(*dialect_, table_);
}

sql_connection& outbox_table::connected()
{
    if (!database_)
        throw outbox_database_error{"there is no connection"};
    return *database_;
}

asio::awaitable<sql_answer> outbox_table::ask(std::string statements)
{
    auto answers = co_await connected().query(std::move(statements));
    if (answers.empty())
        throw outbox_database_error{"it did not answer a statement"};
    co_return std::move(answers.back());
}

asio::awaitable<void> outbox_table::connect()
{
    database_ = co_await open_();
    (void)co_await ask(with_names(dialect_->connected, table_));
}

// Which rows there are, and how large, is another question than what is in them: so no more is read than there is room for. What
// another relay has locked in between is left to it.
asio::awaitable<std::vector<outbox_row>> outbox_table::take(outbox_wish wish)
{
    const auto found = co_await ask(search_rows(*dialect_, table_, wish, quote_for(connected())));
    auto wanted = choose_rows(found.rows, wish);
    std::vector<outbox_row> rows;
    if (!wanted.empty()) {
        auto read = co_await ask(read_rows(*dialect_, table_, wanted, wish.row_bytes));
        rows = join(std::move(wanted), read.rows);
    }
    if (rows.empty())
        (void)co_await ask(with_names(dialect_->rollback, table_));
    co_return rows;
}

asio::awaitable<void> outbox_table::finish(outbox_outcome outcome)
{
    (void)co_await ask(finish_rows(*dialect_, table_, outcome, quote_for(connected())));
}

asio::awaitable<outbox_backlog> outbox_table::look()
{
    const auto answer = co_await ask(with_names(dialect_->count, table_));
    const auto& row = answer.rows.at(0);
    outbox_backlog seen;
    seen.waiting = number_of(row.at(0));
    seen.rejected = number_of(row.at(1));
    if (row.at(2))
        seen.oldest_age = std::chrono::milliseconds{to_number<std::int64_t>(*row.at(2)).value_or(0)};
    co_return seen;
}

asio::awaitable<void> outbox_table::wait()
{
    co_await connected().wait_for_notification();
}

void outbox_table::close() noexcept
{
    database_.reset();
}

bool outbox_table::announces() const noexcept
{
    return dialect_->announces;
}

asio::awaitable<std::vector<rejected_row>> outbox_table::rejected(std::size_t count)
{
    const auto answer = co_await ask(list_rejected(*dialect_, table_, count));
    std::vector<rejected_row> rows;
    for (const auto& row : answer.rows)
        rows.push_back({row.at(0).value_or(""), row.at(1).value_or(""), row.at(2).value_or(""),
                        row.at(3).value_or(""), row.at(4).value_or("")});
    co_return rows;
}

asio::awaitable<std::uint64_t> outbox_table::retry(std::vector<std::string> ids)
{
    for (const auto& id : ids)
        if (!is_row_id(id))
            throw explained_error{errc::invalid_option, "the id of a row is a number"};
    const auto answer = co_await ask(retry_rejected(*dialect_, table_, ids));
    co_return answer.changed;
}

} // namespace coworker
