// SPDX-License-Identifier: MIT
#include "mysql/mysql_dialect.hpp"

namespace coworker::detail {

// The relay that has the lock takes rows with an order key; the others leave them alone. Names of locks are the whole server's,
// and have 64 bytes at most. The lock is taken before the transaction, and given back behind it: so the next owner sees all
// that the last one has committed. A search that locks would lock each row that it looks at, for a moment also those that it
// does not want, and the owner would skip them. So rows are chosen without locks, and then locked by their ids; a relay that
// comes second finds the first rows locked. A relay that is gone without a word must not keep its locks. The index on
// rejected_at is for counting. Rows are found in the order of the primary key, whatever statistics of such a table say.
const sql_dialect mysql_dialect{
    .schema = R"(-- Jobs that coworker pushes when the transaction commits that has written them.
CREATE TABLE {table} (
    id          BIGINT NOT NULL AUTO_INCREMENT PRIMARY KEY,
    queue       TEXT NOT NULL CHECK (queue <> ''),              -- 'mail', or 'managed:mail'
    kind        TEXT,                                           -- for managed queues
    payload     LONGTEXT NOT NULL CHECK (JSON_VALID(payload)),
    options     LONGTEXT CHECK (JSON_VALID(options)),           -- '{"priority": 10, "run_at": "2030-01-01T00:00:00Z"}'
    order_key   TEXT,                                           -- rows with the same key are pushed in order
    job_id      CHAR(36) CHARACTER SET ascii COLLATE ascii_bin NOT NULL DEFAULT ( -- the job's id: a UUID, version 7
        INSERT(INSERT(INSERT(INSERT(INSERT(INSERT(CONCAT(
            LPAD(LOWER(HEX(TIMESTAMPDIFF(MICROSECOND, '1970-01-01', UTC_TIMESTAMP(3)) DIV 1000)), 12, '0'),
            LEFT(SHA2(CONCAT(UUID(), RAND()), 256), 20)),
            13, 1, '7'), 17, 1, '8'), 21, 0, '-'), 17, 0, '-'), 13, 0, '-'), 9, 0, '-'))
        CHECK (job_id REGEXP '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$'),
    created_at  DATETIME(6) NOT NULL DEFAULT (UTC_TIMESTAMP(6)),
    error       TEXT,                                           -- why it was rejected
    rejected_at DATETIME(6),                                    -- NULL: it waits
    INDEX (rejected_at)
) ENGINE = InnoDB CHARACTER SET utf8mb4 COLLATE utf8mb4_bin;
)",
    .connected =
        R"(SET SESSION sql_mode = 'STRICT_TRANS_TABLES', autocommit = 1 /*M!, check_constraint_checks = 0 */;
SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED;
SET @coworker_lock = SHA1(IF(LOCATE('.', '{table}'), '{table}', CONCAT(DATABASE(), '.{table}'))))",
    .choose = R"(SET @coworker_leads = GET_LOCK(@coworker_lock, 0), SESSION wait_timeout = 120;
START TRANSACTION READ WRITE;
SELECT id, LENGTH(payload) + COALESCE(LENGTH(options), 0)
FROM {table} FORCE INDEX (PRIMARY)
WHERE rejected_at IS NULL AND (order_key IS NULL OR @coworker_leads = 1) {queues}
ORDER BY id LIMIT {rows})",
    .read = R"(SELECT id, job_id, queue, kind, CASE WHEN id NOT IN ({large}) THEN payload END,
    CASE WHEN id NOT IN ({large}) THEN options END, order_key
FROM {table} FORCE INDEX (PRIMARY) WHERE id IN ({ids}) AND rejected_at IS NULL
ORDER BY id FOR UPDATE SKIP LOCKED)",
    .commit = "COMMIT;\nDO RELEASE_LOCK(@coworker_lock);\nSET SESSION wait_timeout = DEFAULT",
    .rollback = "ROLLBACK;\nDO RELEASE_LOCK(@coworker_lock);\nSET SESSION wait_timeout = DEFAULT",
    .now = "UTC_TIMESTAMP(6)",
    .count = R"(SELECT
    (SELECT COUNT(*) FROM (SELECT 1 FROM {table} WHERE rejected_at IS NULL LIMIT 10000) AS first_ones),
    (SELECT COUNT(*) FROM {table} WHERE rejected_at IS NOT NULL),
    (SELECT TIMESTAMPDIFF(MICROSECOND, created_at, UTC_TIMESTAMP(6)) DIV 1000
     FROM {table} FORCE INDEX (PRIMARY) WHERE rejected_at IS NULL ORDER BY id LIMIT 1))",
    .list = R"(SELECT id, job_id, queue, error, DATE_FORMAT(rejected_at, '%Y-%m-%dT%H:%i:%s.%fZ')
FROM {table} WHERE rejected_at IS NOT NULL ORDER BY id LIMIT {rows})",
    .retry = "UPDATE {table} SET error = NULL, rejected_at = NULL WHERE rejected_at IS NOT NULL {chosen}",
    .announces = false,
};

} // namespace coworker::detail
