-- The address at which a station's schedule is read again and again: when next, and what it said last.
CREATE TABLE schedule_addresses (
  station_id bigint PRIMARY KEY REFERENCES stations (id) ON DELETE CASCADE,
  -- With {yyyymmdd} or {yyyy-mm-dd} in it there is one address a day.
  address text NOT NULL CHECK (length(address) BETWEEN 1 AND 2048),
  -- As the operator gave them; without a format the content decides each time.
  format text CHECK (length(format) <= 20),
  zone text CHECK (length(zone) BETWEEN 1 AND 100),
  channel text CHECK (length(channel) BETWEEN 1 AND 300),
  next_due_at timestamptz NOT NULL DEFAULT now(),
  interval_seconds integer NOT NULL DEFAULT 21600 CHECK (interval_seconds BETWEEN 60 AND 31536000),
  -- By day, at most a week of them: the etag and last_modified to ask "anything new since?" with. Read and written whole.
  answers jsonb NOT NULL DEFAULT '{}' CHECK (pg_column_size(answers) <= 20000),
  -- Of all that the last reading told. A reading that tells the same writes no broadcast.
  digest uuid,
  read_at timestamptz,
  -- Failures in a row, and why the last one was, in words for a person; none after a reading that worked.
  failures smallint NOT NULL DEFAULT 0 CHECK (failures >= 0),
  trouble text CHECK (length(trouble) <= 300)
);
-- Due ones are claimed in this order, in batches, FOR UPDATE SKIP LOCKED.
CREATE INDEX schedule_addresses_due ON schedule_addresses (next_due_at);
