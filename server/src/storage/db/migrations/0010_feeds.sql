-- How each show's feed is read: when next, and what it said last. Apart from `shows`, whose rows are wide, indexed for
-- menus and rarely written, while these change with each reading.
CREATE TABLE feeds (
  show_id bigint PRIMARY KEY REFERENCES shows (id) ON DELETE CASCADE,
  next_due_at timestamptz NOT NULL DEFAULT now(),
  interval_seconds integer NOT NULL DEFAULT 3600 CHECK (interval_seconds BETWEEN 60 AND 31536000),
  -- What the server gave us to ask "anything new since?" with.
  etag text CHECK (length(etag) <= 1024),
  last_modified text CHECK (length(last_modified) <= 100),
  -- Failures in a row; none after a reading that worked.
  failures smallint NOT NULL DEFAULT 0 CHECK (failures >= 0),
  -- Of all that the last reading told. A reading that tells the same writes nothing.
  digest uuid,
  changed_at timestamptz,
  -- Its server says that it is gone for good; it is asked no more, and its topics stay.
  gone_at timestamptz
);
-- Due feeds are claimed in this order, in batches, FOR UPDATE SKIP LOCKED.
CREATE INDEX feeds_due ON feeds (next_due_at) WHERE gone_at IS NULL;

INSERT INTO feeds (show_id) SELECT id FROM shows WHERE feed_address IS NOT NULL;
