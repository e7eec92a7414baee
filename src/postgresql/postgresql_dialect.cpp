// SPDX-License-Identifier: MIT
#include "postgresql/postgresql_dialect.hpp"

namespace coworker::detail {

// The relay that has the advisory lock takes rows with an order key; the others leave them alone. It is taken by a statement
// of its own: the next one sees all that the last owner has committed. A deleted row that comes back after a crash of the
// database does no harm, so the commit need not wait for the disk. A relay that is gone without a word must not keep its
// locks. The statistics of such a table are nearly always wrong: a plan that read and sorted all of it for each batch would
// take longer the more rows have piled up.
const sql_dialect postgresql_dialect{
    .schema = R"(-- Jobs that coworker pushes when the transaction commits that has written them.
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
    .connected = "LISTEN {channel}",
    .choose = R"(BEGIN ISOLATION LEVEL READ COMMITTED READ WRITE;
SET LOCAL synchronous_commit = off;
SET LOCAL idle_in_transaction_session_timeout = '2min';
SET LOCAL enable_seqscan = off;
SET LOCAL enable_bitmapscan = off;
SET LOCAL jit = off;
SELECT set_config('coworker.leads', pg_try_advisory_xact_lock(1668247403, '{table}'::regclass::oid::int)::text, true);
SELECT id, octet_length(payload::text) + coalesce(octet_length(options::text), 0)
FROM {table}
WHERE error IS NULL AND (order_key IS NULL OR current_setting('coworker.leads') = 'true') {queues}
ORDER BY id LIMIT {rows} FOR UPDATE SKIP LOCKED)",
    .read = R"(SELECT id, job_id, queue, kind, CASE WHEN id NOT IN ({large}) THEN payload END,
    CASE WHEN id NOT IN ({large}) THEN options END, order_key
FROM {table} WHERE id IN ({ids}) ORDER BY id)",
    .commit = "COMMIT",
    .rollback = "ROLLBACK",
    .now = "clock_timestamp()",
    .count = R"(SELECT
    (SELECT count(*) FROM (SELECT 1 FROM {table} WHERE error IS NULL LIMIT 10000) AS first_ones),
    (SELECT count(*) FROM {table} WHERE error IS NOT NULL),
    (SELECT (extract(epoch FROM clock_timestamp() - created_at) * 1000)::bigint
     FROM {table} WHERE error IS NULL ORDER BY id LIMIT 1))",
    .list = R"(SELECT id, job_id, queue, error,
    to_char(rejected_at AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')
FROM {table} WHERE error IS NOT NULL ORDER BY id LIMIT {rows})",
    .retry = R"(NOTIFY {channel};
UPDATE {table} SET error = NULL, rejected_at = NULL WHERE error IS NOT NULL {chosen})",
    .announces = true,
};

} // namespace coworker::detail
