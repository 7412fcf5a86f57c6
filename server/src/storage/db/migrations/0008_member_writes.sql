-- What the writing side of members needs. Counts and last positions are columns that a write raises in one statement: under
-- concurrent writers max(position) + 1 gives the same place twice, and a count of rows lets one more in than the limit.
-- Nothing wrote to these tables before, so no lock here waits for anything.

ALTER TABLE accounts
  ADD COLUMN preset_count integer NOT NULL DEFAULT 0,
  ADD COLUMN folder_count integer NOT NULL DEFAULT 0,
  -- A password that was sent by mail and not used yet. It is long and random, so a keyed hash protects it.
  ADD COLUMN reset_hash bytea,
  ADD COLUMN reset_until timestamptz,
  -- When the device of an anonymous account went to a named one; kept for a while so that a join can be undone.
  ADD COLUMN left_at timestamptz;
ALTER TABLE folders ADD COLUMN last_position integer NOT NULL DEFAULT 0;

ALTER TABLE accounts
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT accounts_few_presets CHECK (preset_count BETWEEN 0 AND 500),
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT accounts_few_folders CHECK (folder_count BETWEEN 0 AND 50),
  -- squawk-ignore constraint-missing-not-valid
  ADD CONSTRAINT accounts_reset_ends CHECK ((reset_hash IS NULL) = (reset_until IS NULL));
-- squawk-ignore constraint-missing-not-valid
ALTER TABLE folders ADD CONSTRAINT folders_last_position CHECK (last_position BETWEEN 0 AND 100000);

-- What is to be deleted after a while.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX accounts_left ON accounts (left_at) WHERE left_at IS NOT NULL;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX folders_removed ON folders (removed_at) WHERE removed_at IS NOT NULL;

-- The same address twice in a folder is one preset, however often it is added.
-- squawk-ignore require-concurrent-index-creation
CREATE UNIQUE INDEX presets_address ON presets (account_id, folder_id, md5(address)) WHERE kind = 'u';

-- A device that was dropped has no account until something is saved on it again.
-- squawk-ignore ban-drop-not-null
ALTER TABLE devices ALTER COLUMN account_id DROP NOT NULL;

-- From where an account was signed in to, as keyed hashes of networks: strangers' failures never count against its owner.
CREATE TABLE known_networks (
  account_id bigint NOT NULL REFERENCES accounts (id),
  network_hash bytea NOT NULL CHECK (length(network_hash) = 32),
  seen_at timestamptz NOT NULL DEFAULT now(),
  PRIMARY KEY (account_id, network_hash)
);
CREATE INDEX known_networks_seen ON known_networks (seen_at);

-- A code that a radio shows, and its owner types in elsewhere to join it.
CREATE TABLE device_claims (
  code_hash bytea PRIMARY KEY CHECK (length(code_hash) = 32),
  scope text NOT NULL,
  serial_hash bytea NOT NULL CHECK (length(serial_hash) = 32),
  expires_at timestamptz NOT NULL
);
CREATE INDEX device_claims_expiry ON device_claims (expires_at);

-- Which key the hashes were made with; a server with another would know no serial and no password.
CREATE TABLE member_key (
  is_only boolean PRIMARY KEY DEFAULT true CHECK (is_only),
  fingerprint bytea NOT NULL
);

-- The protocol lets an application say for whom it calls; an operator can stop believing one of them.
ALTER TABLE partners ALTER COLUMN may_forward_addresses SET DEFAULT true;
UPDATE partners SET may_forward_addresses = true;
