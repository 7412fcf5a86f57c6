-- Who is signed in at the site, found by a keyed hash of what the cookie holds. As with every table that is found by another
-- key than the account there is no foreign key: such links are checked by the service (docs/adr/0005).
CREATE TABLE site_sessions (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  account_id bigint NOT NULL,
  created_at timestamptz NOT NULL,
  seen_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- What signed in, in a few words: "Firefox on Linux".
  agent text CHECK (length(agent) <= 60)
);
CREATE INDEX site_sessions_account ON site_sessions (account_id, seen_at);
CREATE INDEX site_sessions_expiry ON site_sessions (expires_at);

ALTER TABLE accounts
  -- The longer one that opens the site; where there is none, the device password does.
  ADD COLUMN site_password_hash text,
  -- Two letters; the one the account was made in, or was set to.
  ADD COLUMN language text CHECK (length(language) BETWEEN 2 AND 8),
  -- Closed by its owner; deleted some time after, and open again when the owner signs in before.
  ADD COLUMN closed_at timestamptz;
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX accounts_closed ON accounts (closed_at) WHERE closed_at IS NOT NULL;

-- Places by how their names begin, wherever they are. Compared byte by byte, as a range of an index is.
-- squawk-ignore require-concurrent-index-creation
CREATE INDEX cities_name_start ON cities (name_key COLLATE "C", population);
