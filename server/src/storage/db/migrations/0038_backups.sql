-- The backups that `longwave backup` and `longwave work` made, so that every process and `longwave doctor` can tell how old the
-- newest is and when one was last restored to prove it. The files themselves are in the operator's folder.
CREATE TABLE backups (
  made_at timestamptz PRIMARY KEY,
  kind text NOT NULL CHECK (kind IN ('daily', 'restore-point')),
  file text NOT NULL CHECK (length(file) <= 4096),
  bytes bigint NOT NULL CHECK (bytes > 0),
  schema text NOT NULL,
  -- When it was last restored into a scratch database and found equal.
  verified_at timestamptz
);
CREATE INDEX backups_verified ON backups (verified_at) WHERE verified_at IS NOT NULL;
