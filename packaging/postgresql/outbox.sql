-- Jobs that coworker pushes when the transaction commits that has written them.
CREATE TABLE coworker_outbox (
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
CREATE INDEX coworker_outbox_rejected ON coworker_outbox (id) WHERE error IS NOT NULL;

-- Wakes the relay at once. Without it, rows are found by the relay's poll.
CREATE FUNCTION coworker_outbox_announce() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    PERFORM pg_notify('coworker_outbox', '');
    RETURN NULL;
END $$;
CREATE TRIGGER coworker_outbox_announce AFTER INSERT ON coworker_outbox
    FOR EACH STATEMENT EXECUTE FUNCTION coworker_outbox_announce();
