-- Which key a keyed hash was made with, so that MEMBER_KEY can be changed while servers run (docs/accounts.md). Versions count
-- from 1, the key that the database was first used with; a password's hash begins with its version already. The copies of a
-- serial's hash in account_devices and accounts change together with the row in devices and need no version of their own.
-- Every column has a default, so that an older server goes on writing.

ALTER TABLE member_key
  -- Of `fingerprint`, the key that new hashes are made with.
  ADD COLUMN version smallint NOT NULL DEFAULT 1,
  -- The key before it, as long as hashes made with it are accepted.
  ADD COLUMN earlier_fingerprint bytea,
  ADD COLUMN switched_at timestamptz;

ALTER TABLE devices ADD COLUMN key_version smallint NOT NULL DEFAULT 1;
ALTER TABLE known_networks ADD COLUMN key_version smallint NOT NULL DEFAULT 1;
ALTER TABLE site_sessions ADD COLUMN key_version smallint NOT NULL DEFAULT 1;
ALTER TABLE accounts ADD COLUMN reset_key_version smallint NOT NULL DEFAULT 1;
-- A code is redeemed by a server that does not know the serial: it needs the hash under both keys to find the device.
ALTER TABLE device_claims
  ADD COLUMN key_version smallint NOT NULL DEFAULT 1,
  ADD COLUMN other_hash bytea CHECK (length(other_hash) = 32),
  ADD COLUMN other_version smallint;
