// SPDX-License-Identifier: MIT
#include "postgresql/outbox_sql.hpp"

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

std::string with_names(std::string text, const std::string& table)
{
    replace_all(text, "{table}", table);
    replace_all(text, "{name}", own_name(table));
    replace_all(text, "{channel}", channel_of(table));
    return text;
}

std::string with_numbers(std::string text, const outbox_wish& wish)
{
    replace_all(text, "{rows}", std::to_string(wish.rows));
    replace_all(text, "{row_bytes}", std::to_string(wish.row_bytes));
    replace_all(text, "{bytes}", std::to_string(wish.bytes));
    return text;
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

std::string channel_of(const std::string& table)
{
    auto name = own_name(table);
    std::transform(name.begin(), name.end(), name.begin(),
                   [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
    return name;
}

std::string outbox_schema(const std::string& table)
{
    return with_names(R"(-- Jobs that coworker pushes when the transaction commits that has written them.
CREATE TABLE {table} (
    id           bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    queue        text NOT NULL CHECK (queue <> ''),  -- 'mail', or 'managed:mail'
    kind         text,                               -- for managed queues
    payload      json NOT NULL,
    options      json,                               -- '{"priority": 10, "run_at": "2030-01-01T00:00:00Z"}'
    order_key    text,                               -- rows with the same key are pushed in order
    job_id       uuid NOT NULL DEFAULT               -- the job's id: a UUID, version 7
        encode(set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
            PLACING substring(int8send((extract(epoch FROM clock_timestamp()) * 1000)::bigint) FROM 3)
            FROM 1 FOR 6), 52, 1), 53, 1), 'hex')::uuid,
    created_at   timestamptz NOT NULL DEFAULT clock_timestamp(),
    error        text,                               -- why it was rejected; NULL: it waits
    rejected_at timestamptz
);
CREATE INDEX {name}_rejected ON {table} (id) WHERE error IS NOT NULL;

-- Wakes the relay at once. Without it, rows are found by the relay's poll.
CREATE FUNCTION {table}_announce() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('{channel}', '');
    RETURN NULL;
END $$;
CREATE TRIGGER {name}_announce AFTER INSERT ON {table}
    FOR EACH STATEMENT EXECUTE FUNCTION {table}_announce();
)",
                      table);
}

// The relay that has the advisory lock takes rows with an order key; the others leave them alone. It is taken by a statement
// of its own: the next one sees all that the last owner has committed. A deleted row that comes back after a crash of the
// database does no harm, so the commit need not wait for the disk. A relay that is gone without a word must not keep its
// locks. The statistics of such a table are nearly always wrong: a plan that read and sorted all of it for each batch would
// take longer the more rows have piled up.
std::string take_rows(const std::string& table, const outbox_wish& wish, const quote_text& quote)
{
    std::string queues;
    for (const auto& queue : wish.queues_beside)
        queues.append(queues.empty() ? "AND queue NOT IN (" : ", ").append(quote(queue));
    if (!queues.empty())
        queues += ')';
    const auto begin = with_names(R"(BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
SET LOCAL synchronous_commit = off;
SET LOCAL idle_in_transaction_session_timeout = '2min';
SET LOCAL enable_seqscan = off;
SET LOCAL enable_bitmapscan = off;
SET LOCAL jit = off;
SELECT set_config('coworker.leads', pg_try_advisory_xact_lock(1668247403, '{table}'::regclass::oid::int)::text, true);
WITH taken AS (
    SELECT id, job_id, queue, kind, payload, options, order_key,
           octet_length(payload::text) + coalesce(octet_length(options::text), 0) AS size
    FROM {table}
    WHERE error IS NULL AND (order_key IS NULL OR current_setting('coworker.leads') = 'true') )",
                                  table);
    const auto end = with_numbers(R"(
    ORDER BY id LIMIT {rows} FOR UPDATE SKIP LOCKED),
placed AS (
    SELECT *, size > {row_bytes} AS is_large,
           coalesce(sum(size) FILTER (WHERE size <= {row_bytes})
               OVER (ORDER BY id ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING), 0) AS bytes_before
    FROM taken)
SELECT id, job_id, queue, kind, CASE WHEN NOT is_large THEN payload END, CASE WHEN NOT is_large THEN options END,
       order_key, size
FROM placed WHERE bytes_before < {bytes} ORDER BY id)",
                                  wish);
    return begin + queues + end;
}

std::string finish_rows(const std::string& table, const outbox_outcome& outcome, const quote_text& quote)
{
    std::string text;
    if (!outcome.pushed.empty())
        text += "DELETE FROM {table} WHERE id IN (" + list_of(outcome.pushed) + ");\n";
    text = with_names(std::move(text), table);
    if (!outcome.rejected.empty()) {
        std::vector<std::string> values;
        for (const auto& each : outcome.rejected)
            values.push_back("(" + each.id + ", " + quote(each.why) + ")");
        text +=
            with_names(
                "UPDATE {table} AS row SET error = why.error, rejected_at = clock_timestamp() FROM (VALUES ",
                table) +
            list_of(values) + ") AS why (id, error) WHERE row.id = why.id;\n";
    }
    return text + "COMMIT";
}

std::string count_rows(const std::string& table)
{
    return with_names(R"(SELECT
    (SELECT count(*) FROM (SELECT 1 FROM {table} WHERE error IS NULL LIMIT 10000) AS first_ones),
    (SELECT count(*) FROM {table} WHERE error IS NOT NULL),
    (SELECT (extract(epoch FROM clock_timestamp() - created_at) * 1000)::bigint
     FROM {table} WHERE error IS NULL ORDER BY id LIMIT 1))",
                      table);
}

std::string list_rejected(const std::string& table, std::size_t count)
{
    return with_names(R"(SELECT id, job_id, queue, error,
    to_char(rejected_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
FROM {table} WHERE error IS NOT NULL ORDER BY id LIMIT )",
                      table) +
           std::to_string(count);
}

std::string retry_rejected(const std::string& table, const std::vector<std::string>& ids)
{
    return with_names("NOTIFY {channel};\nUPDATE {table} SET error = NULL, rejected_at = NULL WHERE error IS "
                      "NOT NULL",
                      table) +
           (ids.empty() ? "" : " AND id IN (" + list_of(ids) + ")");
}

} // namespace coworker::detail
