-- Who said what of a stream, so that one listener counts once a day however often it is said. A keyed hash of a device,
-- an account or a network, kept for thirty days.

CREATE TABLE counted_reports (
  stream_id bigint NOT NULL REFERENCES streams (id) ON DELETE CASCADE,
  is_good boolean NOT NULL,
  reporter bytea NOT NULL CHECK (length(reporter) = 32),
  said_at timestamptz NOT NULL,
  PRIMARY KEY (stream_id, is_good, reporter)
);
CREATE INDEX counted_reports_said ON counted_reports (stream_id, is_good, said_at);
CREATE INDEX counted_reports_old ON counted_reports (said_at);

-- The queue is read by id, and what is settled goes after a while. The table is empty: nothing wrote it before this.
-- squawk-ignore require-concurrent-index-deletion
DROP INDEX reports_open;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX reports_open ON reports (id) WHERE state = 'open';
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX reports_closed ON reports (last_at) WHERE state <> 'open';

-- What a radio reports is the address it was sent to, which is where a playlist led.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX stream_checks_resolved ON stream_checks (md5(resolved_address)) WHERE resolved_address IS NOT NULL;
