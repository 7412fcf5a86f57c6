-- Stations that listeners miss, by the address of their stream (docs/operator.md). Nothing is kept of who suggested one. A row goes
-- after thirty days, whatever became of it; what is listed of it is a record of an import, which stays.
CREATE TABLE suggestions (
  address_key uuid PRIMARY KEY,
  address text NOT NULL CHECK (length(address) <= 2048),
  name text NOT NULL CHECK (length(name) BETWEEN 1 AND 120),
  homepage text CHECK (length(homepage) <= 500),
  city text CHECK (length(city) <= 200),
  country_code text CHECK (country_code ~ '^[A-Z]{2}$'),
  -- An operator sees those that were heard, and accepts or rejects them; what was accepted is imported.
  state text NOT NULL DEFAULT 'waiting'
    CHECK (state IN ('waiting', 'heard', 'silent', 'accepted', 'listed', 'rejected')),
  -- Why it is silent, as in stream_checks.
  problem text CHECK (length(problem) <= 60),
  format text CHECK (length(format) <= 60),
  codec text CHECK (length(codec) <= 60),
  bitrate integer NOT NULL DEFAULT 0 CHECK (bitrate >= 0),
  attempts smallint NOT NULL DEFAULT 0,
  next_due_at timestamptz NOT NULL DEFAULT now(),
  suggested_at timestamptz NOT NULL DEFAULT now(),
  expires_at timestamptz NOT NULL DEFAULT now() + interval '30 days'
);
CREATE INDEX suggestions_due ON suggestions (next_due_at) WHERE state = 'waiting';
CREATE INDEX suggestions_state ON suggestions (state, suggested_at);
CREATE INDEX suggestions_expires ON suggestions (expires_at);
