-- What the first run learned once, shared by every process of an installation.
CREATE TABLE installation (
  is_single boolean PRIMARY KEY DEFAULT true CHECK (is_single),
  -- A demo's stations are made up; no database holds both.
  kind text NOT NULL CHECK (kind IN ('directory', 'demo')),
  home_place text CHECK (length(home_place) BETWEEN 1 AND 200),
  -- Whether nobody was asked, and the place follows from the machine's time zone.
  home_is_guess boolean NOT NULL DEFAULT false,
  -- How far `longwave setup` is, for the site; null when it is not running.
  setup_step text CHECK (length(setup_step) BETWEEN 1 AND 60),
  setup_done integer NOT NULL DEFAULT 0 CHECK (setup_done >= 0),
  setup_at timestamptz
);

-- The accounts that look after the installation.
CREATE TABLE operators (
  account_id bigint PRIMARY KEY REFERENCES accounts (id) ON DELETE CASCADE,
  since timestamptz NOT NULL DEFAULT now()
);

-- Links that make their first reader an operator.
CREATE TABLE operator_links (
  token_hash bytea PRIMARY KEY CHECK (length(token_hash) = 32),
  expires_at timestamptz NOT NULL
);
