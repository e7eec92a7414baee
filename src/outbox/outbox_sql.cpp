// SPDX-License-Identifier: MIT
#include "outbox/outbox_sql.hpp"

#include "text/numbers.hpp"

#include <algorithm>

namespace coworker::detail {
namespace {

/// So that the name of what belongs to a table is no longer than PostgreSQL's 63 bytes.
constexpr std::size_t longest_name = 40;

bool is_letter(char c) noexcept
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool is_digit(char c) noexcept
{
    return c >= '0' && c <= '9';
}

bool is_plain_name(std::string_view name) noexcept
{
    return !name.empty() && name.size() <= longest_name && is_letter(name.front()) &&
           std::all_of(name.begin(), name.end(), [](char c) { return is_letter(c) || is_digit(c); });
}

/// The name without its schema.
std::string own_name(const std::string& table)
{
    return table.substr(table.find('.') + 1); // without a dot: from its beginning
}

/// As PostgreSQL has names that are not quoted.
std::string channel_of(const std::string& table)
{
    auto name = own_name(table);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return name;
}

std::string list_of(const std::vector<std::string>& items)
{
    std::string list;
    for (const auto& item : items)
        list.append(list.empty() ? "" : ",").append(item);
    return list;
}

void replace_all(std::string& text, std::string_view word, const std::string& by)
{
    for (auto place = text.find(word); place != text.npos; place = text.find(word, place + by.size()))
        text.replace(place, word.size(), by);
}

} // namespace

bool is_table_name(std::string_view name) noexcept
{
    const auto dot = name.find('.');
    if (dot == name.npos)
        return is_plain_name(name);
    return is_plain_name(name.substr(0, dot)) && is_plain_name(name.substr(dot + 1));
}

bool is_row_id(std::string_view text) noexcept
{
    constexpr std::size_t most_digits = 18; // which fit
    return !text.empty() && text.size() <= most_digits && std::all_of(text.begin(), text.end(), is_digit);
}

std::string with_names(std::string_view statement, const std::string& table)
{
    std::string text{statement};
    replace_all(text, "{table}", table);
    replace_all(text, "{name}", own_name(table));
    replace_all(text, "{channel}", channel_of(table));
    return text;
}

std::string search_rows(const sql_dialect& dialect, const std::string& table, const outbox_wish& wish,
                        const quote_text& quote)
{
    std::string queues;
    for (const auto& queue : wish.queues_beside)
        queues.append(queues.empty() ? "AND queue NOT IN (" : ", ").append(quote(queue));
    if (!queues.empty())
        queues += ')';
    auto text = with_names(dialect.choose, table);
    replace_all(text, "{rows}", std::to_string(wish.rows));
    replace_all(text, "{queues}", queues); // at last: a queue may be called like a placeholder
    return text;
}

// A large row counts nothing, since nothing of it is read.
std::vector<outbox_row> choose_rows(const std::vector<sql_answer::row>& found, const outbox_wish& wish)
{
    std::vector<outbox_row> chosen;
    std::size_t bytes = 0;
    for (const auto& row : found) {
        if (bytes >= wish.bytes)
            break;
        auto& one = chosen.emplace_back();
        one.id = row.at(0).value_or("");
        one.size = to_number<std::size_t>(row.at(1).value_or("")).value_or(0);
        if (one.size <= wish.row_bytes)
            bytes += one.size;
    }
    return chosen;
}

std::string read_rows(const sql_dialect& dialect, const std::string& table,
                      const std::vector<outbox_row>& chosen, std::size_t row_bytes)
{
    std::vector<std::string> ids, large{"0"}; // which is no row's id
    for (const auto& row : chosen) {
        ids.push_back(row.id);
        if (row.size > row_bytes)
            large.push_back(row.id);
    }
    auto text = with_names(dialect.read, table);
    replace_all(text, "{ids}", list_of(ids));
    replace_all(text, "{large}", list_of(large));
    return text;
}

std::string finish_rows(const sql_dialect& dialect, const std::string& table, const outbox_outcome& outcome,
                        const quote_text& quote)
{
    std::string text;
    if (!outcome.pushed.empty())
        text = "DELETE FROM " + table + " WHERE id IN (" + list_of(outcome.pushed) + ");\n";
    if (!outcome.rejected.empty()) {
        std::vector<std::string> ids;
        text += "UPDATE " + table + " SET error = CASE id";
        for (const auto& each : outcome.rejected) {
            text += " WHEN " + each.id + " THEN " + quote(each.why);
            ids.push_back(each.id);
        }
        text.append(" END, rejected_at = ").append(dialect.now);
        text += " WHERE id IN (" + list_of(ids) + ");\n";
    }
    return text + with_names(dialect.commit, table);
}

std::string list_rejected(const sql_dialect& dialect, const std::string& table, std::size_t count)
{
    auto text = with_names(dialect.list, table);
    replace_all(text, "{rows}", std::to_string(count));
    return text;
}

std::string retry_rejected(const sql_dialect& dialect, const std::string& table,
                           const std::vector<std::string>& ids)
{
    auto text = with_names(dialect.retry, table);
    replace_all(text, "{chosen}", ids.empty() ? "" : "AND id IN (" + list_of(ids) + ")");
    return text;
}

} // namespace coworker::detail
