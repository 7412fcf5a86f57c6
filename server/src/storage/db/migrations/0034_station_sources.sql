-- Records that their source no longer has. Only these are written down: most of a source's records are there on most
-- days, and no run has to touch them. Why a stream is not listed stays apart from what an operator set by hand, which
-- is pinned on the stream itself.
CREATE TABLE absent_records (
  source text NOT NULL,
  record text NOT NULL,
  -- The first complete run that did not have it.
  absent_since timestamptz NOT NULL,
  -- From then on it no longer names its stream.
  withdrawn_at timestamptz CHECK (withdrawn_at >= absent_since),
  PRIMARY KEY (source, record),
  FOREIGN KEY (source, record) REFERENCES station_records (source, record) ON DELETE CASCADE
);
CREATE INDEX absent_records_waiting ON absent_records (source, absent_since) WHERE withdrawn_at IS NULL;
CREATE INDEX absent_records_withdrawn ON absent_records (source, withdrawn_at) WHERE withdrawn_at IS NOT NULL;

-- Which records name a stream. Only imports write this table, and they wait for a migration to end.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX station_records_stream ON station_records (stream_id);

-- The sources that `longwave work` imports again every day, by the name that their records have.
CREATE TABLE station_sources (
  name text PRIMARY KEY CHECK (length(name) BETWEEN 1 AND 100),
  next_due_at timestamptz NOT NULL DEFAULT now(),
  -- When a worker last set out to read it; one that comes back after its lease finds another time here, and writes nothing.
  claimed_at timestamptz,
  -- What the server said to ask with next time, and of which address; null where all of it has to be read again.
  address_key uuid,
  etag text CHECK (length(etag) <= 1024),
  last_modified text CHECK (length(last_modified) <= 100),
  -- When it was last read to its end, or found unchanged.
  read_at timestamptz,
  failures smallint NOT NULL DEFAULT 0 CHECK (failures >= 0),
  trouble text CHECK (length(trouble) <= 500),
  -- Of the last run, where it lacked so many records that an operator has to look.
  known integer,
  lost integer,
  CHECK ((known IS NULL) = (lost IS NULL)),
  CHECK ((failures = 0) = (trouble IS NULL))
);
