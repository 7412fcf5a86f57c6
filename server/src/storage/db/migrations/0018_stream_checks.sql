-- What was found out about a stream by listening to it, and by what listeners said. Imports write `streams`, checks
-- write this; neither touches what the other knows.

CREATE TABLE stream_checks (
  stream_id bigint PRIMARY KEY REFERENCES streams (id),
  -- Of the address that is asked first, so that workers share a host's two connections.
  host text NOT NULL CHECK (length(host) <= 300),
  next_due_at timestamptz NOT NULL,
  -- When a worker last set out to listen; one that comes back after its lease finds another time here, and writes nothing.
  claimed_at timestamptz,
  checked_at timestamptz,
  -- When anybody last heard it, by a check or by a listener's word.
  alive_at timestamptz,
  failures smallint NOT NULL DEFAULT 0 CHECK (failures >= 0),
  -- How often in a row its host had too much to do when its time came; the wait doubles with it.
  put_off smallint NOT NULL DEFAULT 0 CHECK (put_off >= 0),
  verdict text CHECK (verdict IN ('plays', 'dead', 'refused', 'geo', 'tls', 'codec', 'hls', 'busy')),
  -- 0 to 100 at `standing_at`; it fades from then on.
  standing double precision CHECK (standing BETWEEN 0 AND 100),
  standing_at timestamptz,
  -- Measured; null where it is not known, and then what a source says holds.
  format text CHECK (format IN ('mp3', 'aac', 'ogg', 'hls', 'wma', 'flash', 'real', 'html', 'wmpro', 'wmvoice',
    'wmvideo', 'qt', 'flac', 'opus', 'wav')),
  playlist text CHECK (playlist IN ('pls', 'm3u', 'asx', 'xspf')),
  codec text CHECK (length(codec) <= 60),
  container text CHECK (length(container) <= 60),
  bitrate integer CHECK (bitrate BETWEEN 0 AND 10000),
  sample_rate integer CHECK (sample_rate BETWEEN 0 AND 1000000),
  resolved_address text CHECK (length(resolved_address) <= 2048),
  redirects smallint CHECK (redirects BETWEEN 0 AND 20),
  -- What was done and what came of it, for whoever asks why; bounded by the writer.
  steps jsonb,
  -- Moved when what Tune goes by has changed; null until then.
  changed_at timestamptz,
  CHECK ((standing IS NULL) = (standing_at IS NULL)),
  CHECK (pg_column_size(steps) <= 16384)
);
CREATE INDEX stream_checks_due ON stream_checks (next_due_at);
CREATE INDEX stream_checks_changed ON stream_checks (changed_at, stream_id) WHERE changed_at IS NOT NULL;
