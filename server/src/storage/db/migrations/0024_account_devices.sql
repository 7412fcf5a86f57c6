-- The devices of an account as its owner sees them: a name, and what each asked last. `devices` says whose a serial is; this
-- says what an account has, for which that table has no key. Written where a device is joined, dropped, or taken back.
CREATE TABLE account_devices (
  account_id bigint NOT NULL REFERENCES accounts (id),
  scope text NOT NULL,
  serial_hash bytea NOT NULL CHECK (length(serial_hash) = 32),
  name text CHECK (length(name) BETWEEN 1 AND 60),
  joined_at timestamptz NOT NULL DEFAULT now(),
  dropped_at timestamptz,
  seen_at timestamptz,
  partner_id text CHECK (length(partner_id) <= 64),
  profile text CHECK (length(profile) <= 60),
  -- Its last calls, the newest first; nothing of them names anybody.
  calls jsonb NOT NULL DEFAULT '[]',
  PRIMARY KEY (account_id, scope, serial_hash)
);
CREATE INDEX account_devices_dropped ON account_devices (dropped_at) WHERE dropped_at IS NOT NULL;

INSERT INTO account_devices (account_id, scope, serial_hash)
SELECT id, device_scope, device_hash FROM accounts WHERE device_scope IS NOT NULL AND device_hash IS NOT NULL;
